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
    fn keys_do_not_use_up_each_other() {
        let rates = Rates::new(Rate { per_second: 1.0 });
        let start = Instant::now();
        while rates.take("one", start).is_ok() {}
        assert!(rates.take("other", start).is_ok());
    }
}
