//! Locks that several questions share, and how long somebody had to wait for one.
//!
//! Taking a free lock costs what it costs anywhere. Only who has to wait looks at the clock: the longest wait of the process is
//! kept, so that a benchmark and the tests can hold it against a limit. What is made once and for all (`OnceLock`) does not count:
//! who comes while it is made waits for what it would have to make itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

static LONGEST: AtomicU64 = AtomicU64::new(0);

/// Takes a lock. What it guards is filled in whole or not at all, so it holds after a panic, too.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    match mutex.try_lock() {
        Ok(guard) => guard,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => wait(|| mutex.lock().unwrap_or_else(PoisonError::into_inner)),
    }
}

/// Waits for something that somebody else holds.
pub fn wait<T>(get: impl FnOnce() -> T) -> T {
    let since = Instant::now();
    let got = get();
    LONGEST.fetch_max(since.elapsed().as_micros() as u64, Ordering::Relaxed);
    got
}

/// The longest that anybody waited since the last time that this was asked.
pub fn longest_wait() -> Duration {
    Duration::from_micros(LONGEST.swap(0, Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_wait_is_known() {
        let mutex = Mutex::new(0);
        *lock(&mutex) += 1;
        std::thread::scope(|scope| {
            let held = lock(&mutex);
            let waiting = scope.spawn(|| *lock(&mutex));
            std::thread::sleep(Duration::from_millis(30));
            drop(held);
            assert_eq!(waiting.join().ok(), Some(1));
        });
        // The other thread may have begun late.
        assert!(longest_wait() < Duration::from_secs(5));
        assert_eq!(longest_wait(), Duration::ZERO);
    }
}
