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

    /// Of a project that has so many bugs one more, which was met now. Gives why not.
    pub fn take_bug(&self, key: &str, n_bugs: u64, now: i64) -> Result<(), &'static str> {
        if n_bugs >= self.quota.bugs_per_project {
            return Err(
                "the project has as many bugs as it may have: remove some, or start with a larger --bugs-per-project",
            );
        }
        let mut today = self.today.lock().expect("nobody panics here");
        let (day, n_taken) = today.entry(key.to_owned()).or_default();
        if *day != now / DAY {
            (*day, *n_taken) = (now / DAY, 0);
        }
        if *n_taken >= self.quota.new_bugs_per_key {
            return Err("too many new bugs came with this key on that day (--new-bugs-per-key)");
        }
        *n_taken += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_makes_so_many_bugs_a_day_and_a_project_has_so_many() {
        let quotas = Quotas::new(Quota { bugs_per_project: 10, new_bugs_per_key: 2 });
        assert!(quotas.take_bug("one", 0, 1).is_ok() && quotas.take_bug("one", 1, 2).is_ok());
        assert!(quotas.take_bug("one", 2, 3).unwrap_err().contains("--new-bugs-per-key"));
        assert!(quotas.take_bug("other", 2, 3).is_ok());
        assert!(quotas.take_bug("one", 3, DAY).is_ok());
        assert!(quotas.take_bug("third", 10, 3).unwrap_err().contains("--bugs-per-project"));
    }
}
