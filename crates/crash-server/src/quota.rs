//! How many bugs there may be. A key for reports lies on every user's machine: whoever takes one must not be able to fill the database.

use std::collections::HashMap;
use std::sync::Mutex;

/// Bugs beyond these are not made; the reports are kept as dead letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quota {
    /// So many bugs has a project.
    pub bugs_per_project: u64,
    /// So many new bugs are made of what comes with one key in a day. Each instance counts for itself.
    pub new_bugs_per_key: u64,
}

pub struct Quotas {
    quota: Quota,
    /// By key, the day and how many there were. Only keys that exist are counted, so this cannot grow without end.
    today: Mutex<HashMap<String, (i64, u64)>>,
}

const DAY: i64 = 24 * 60 * 60 * 1000;

impl Quotas {
    pub fn new(quota: Quota) -> Quotas {
        Quotas { quota, today: Mutex::default() }
    }

    /// What is taken counts once it is kept: a transaction that fails is tried again.
    pub fn begin(&self) -> Taking<'_> {
        Taking { quotas: self, today: HashMap::new() }
    }
}

/// What one transaction takes.
pub struct Taking<'a> {
    quotas: &'a Quotas,
    /// Of the keys that it takes from.
    today: HashMap<String, (i64, u64)>,
}

impl Taking<'_> {
    /// Of a project that has so many bugs one more, which was met then. Gives why not.
    pub fn take_bug(&mut self, key: &str, n_bugs: u64, met_at: i64) -> Result<(), &'static str> {
        let quota = self.quotas.quota;
        if n_bugs >= quota.bugs_per_project {
            return Err(
                "the project has as many bugs as it may have: remove some, or start with a larger --bugs-per-project",
            );
        }
        let kept = || self.quotas.today.lock().expect("nobody panics here").get(key).copied().unwrap_or_default();
        let (day, n_taken) = self.today.entry(key.to_owned()).or_insert_with(kept);
        // An older report, which is analysed once more, counts for the newest day.
        if met_at / DAY > *day {
            (*day, *n_taken) = (met_at / DAY, 0);
        }
        if *n_taken >= quota.new_bugs_per_key {
            return Err("too many new bugs came with this key on that day (--new-bugs-per-key)");
        }
        *n_taken += 1;
        Ok(())
    }

    /// To be called after the commit.
    pub fn keep(self) {
        self.quotas.today.lock().expect("nobody panics here").extend(self.today);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_makes_so_many_bugs_a_day_and_a_project_has_so_many() {
        let quotas = Quotas::new(Quota { bugs_per_project: 10, new_bugs_per_key: 2 });
        let mut taking = quotas.begin();
        assert!(taking.take_bug("one", 0, 1).is_ok() && taking.take_bug("one", 1, 2).is_ok());
        assert!(taking.take_bug("one", 2, 3).unwrap_err().contains("--new-bugs-per-key"));
        assert!(taking.take_bug("other", 2, 3).is_ok());
        assert!(taking.take_bug("one", 3, DAY).is_ok());
        assert!(taking.take_bug("third", 10, 3).unwrap_err().contains("--bugs-per-project"));
    }

    #[test]
    fn what_was_not_committed_does_not_count() {
        let quotas = Quotas::new(Quota { bugs_per_project: 10, new_bugs_per_key: 1 });
        assert!(quotas.begin().take_bug("one", 0, 1).is_ok());
        let mut again = quotas.begin();
        assert!(again.take_bug("one", 0, 1).is_ok());
        again.keep();
        assert!(quotas.begin().take_bug("one", 1, 1).is_err());
    }

    #[test]
    fn an_older_report_does_not_begin_the_day_anew() {
        let quotas = Quotas::new(Quota { bugs_per_project: 10, new_bugs_per_key: 1 });
        let mut taking = quotas.begin();
        assert!(taking.take_bug("one", 0, 5 * DAY).is_ok());
        assert!(taking.take_bug("one", 1, 4 * DAY).is_err());
        assert!(taking.take_bug("one", 1, 5 * DAY).is_err());
        assert!(taking.take_bug("one", 1, 6 * DAY).is_ok());
    }
}
