//! How often a key may be used. Each instance counts for itself.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Instant;

use crate::refused::Refused;

/// So many requests a second, and ten times as many at once after a pause.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rate {
    pub per_second: f64,
}

impl Rate {
    fn burst(self) -> f64 {
        self.per_second * 10.0
    }
}

/// So many bytes cost as much as a request: three times those of an ordinary report.
const BYTES_OF_ONE: f64 = 16.0 * 1024.0;

pub struct Rates {
    rate: Rate,
    // Only keys that exist are counted, so this cannot grow without end.
    left: Mutex<HashMap<String, Left>>,
}

struct Left {
    requests: f64,
    at: Instant,
}

impl Rates {
    pub fn new(rate: Rate) -> Rates {
        Rates { rate, left: Mutex::default() }
    }

    pub fn take(&self, key: &str, now: Instant) -> Result<(), Refused> {
        let mut all = self.left.lock().expect("nobody panics here");
        let left = all.entry(key.to_owned()).or_insert(Left { requests: self.rate.burst(), at: now });
        let since = now.saturating_duration_since(left.at).as_secs_f64();
        left.requests = (left.requests + since * self.rate.per_second).min(self.rate.burst());
        left.at = now;
        if left.requests < 1.0 {
            let seconds = ((1.0 - left.requests) / self.rate.per_second).ceil() as u64;
            return Err(Refused::TooMany { seconds: seconds.max(1) });
        }
        left.requests -= 1.0;
        Ok(())
    }

    /// What a body costs beside its request: who sends large ones may send fewer. The next request is told.
    pub fn charge(&self, key: &str, n_bytes: usize) {
        if let Some(left) = self.left.lock().expect("nobody panics here").get_mut(key) {
            left.requests -= n_bytes as f64 / BYTES_OF_ONE;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_the_rate() {
        let rates = Rates::new(Rate { per_second: 2.0 });
        let start = Instant::now();
        let n_taken = |at| (0..100).filter(|_| rates.take("key", at).is_ok()).count();
        assert_eq!(n_taken(start), 20);
        assert_eq!(n_taken(start), 0);
        assert_eq!(n_taken(start + Duration::from_secs(1)), 2);
        assert_eq!(n_taken(start + Duration::from_secs(1000)), 20);
    }

    #[test]
    fn large_bodies_count_as_several_requests() {
        let rates = Rates::new(Rate { per_second: 2.0 });
        let start = Instant::now();
        assert!(rates.take("key", start).is_ok());
        rates.charge("key", 20 * 16 * 1024);
        let refused = rates.take("key", start).expect_err("it has used up what it may");
        assert!(matches!(refused, Refused::TooMany { seconds: 1 }), "{refused:?}");
        assert!(rates.take("key", start + Duration::from_secs(1)).is_ok());
    }

    #[test]
    fn keys_do_not_use_up_each_other() {
        let rates = Rates::new(Rate { per_second: 1.0 });
        let start = Instant::now();
        while rates.take("one", start).is_ok() {}
        assert!(rates.take("other", start).is_ok());
    }
}
