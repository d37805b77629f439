//! Giving up a question that is being answered.
//!
//! Whoever asks holds a [`Cancel`]; the thread that answers works [`under`] it, and calls [`check`] wherever it is about to do
//! something that takes more than a few milliseconds. A cancelled one unwinds from there to [`under`], through code that need not
//! know of it: the engine is pure, so nothing is left half done. This is how rust-analyzer gives up a query.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cancels what is done under it, from any thread and for good.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

/// What was to be done was cancelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cancelled;

impl Cancel {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Cancel>> = const { RefCell::new(None) };
}

/// Does something that can be cancelled meanwhile. What is done under a second one inside of it is cancelled by that one only.
pub fn under<T>(cancel: &Cancel, work: impl FnOnce() -> T) -> Result<T, Cancelled> {
    struct Restored(Option<Cancel>);
    impl Drop for Restored {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let _restored = Restored(CURRENT.replace(Some(cancel.clone())));
    // What is shared with other questions is filled in whole or not at all, so it holds after an unwinding, too.
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|thrown| match thrown.downcast::<Cancelled>() {
        Ok(cancelled) => *cancelled,
        Err(panic) => panic::resume_unwind(panic),
    })
}

/// Unwinds if what this thread works under is cancelled.
pub fn check() {
    if CURRENT.with_borrow(|current| current.as_ref().is_some_and(Cancel::is_cancelled)) {
        // Not a panic: no message is printed.
        panic::resume_unwind(Box::new(Cancelled));
    }
}

/// What this thread works under, for threads that help it: these ask it, and leave off; unwinding is for the one that waits.
pub fn current() -> Option<Cancel> {
    CURRENT.with_borrow(Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cancelled_unwinds_at_the_next_check() {
        let cancel = Cancel::default();
        assert_eq!(under(&cancel, || (check(), 3).1), Ok(3));
        let inside = cancel.clone();
        let given_up = under(&cancel, move || {
            inside.cancel();
            check();
            unreachable!("it is cancelled");
        });
        assert_eq!(given_up, Err::<(), _>(Cancelled));
        // Outside, nothing is cancelled.
        check();
    }

    #[test]
    fn one_inside_another_is_cancelled_by_itself() {
        let (outer, inner) = (Cancel::default(), Cancel::default());
        inner.cancel();
        let answer = under(&outer, || {
            assert_eq!(under(&inner, check), Err(Cancelled));
            check();
            4
        });
        assert_eq!(answer, Ok(4));
    }

    #[test]
    fn a_panic_stays_one() {
        let panicked = panic::catch_unwind(|| under(&Cancel::default(), || panic::resume_unwind(Box::new("ours"))));
        assert_eq!(panicked.unwrap_err().downcast_ref::<&str>(), Some(&"ours"));
    }
}
