//! The index of a run. Every answer is the same without it; with it the second one comes as fast as the others.

use std::path::Path;

use trace_store::Run;

use crate::Error;

/// Makes the index of a run where it is missing. Not while it is recorded, and not if somebody else is at it.
pub fn write_index(run: &Path, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<(), Error> {
    Run::open(run)?.write_index(progress).map_err(Error::io(run))
}

/// Lets all other processes of this machine go before this one. For a process that does nothing else.
pub fn give_way() {
    record::give_way();
}

/// Whether what is missing of the index is made in no time.
pub(crate) fn is_small(run: &Run) -> bool {
    run.not_indexed() <= SMALL
}

/// Whether the index is missing, takes longer to be made than anybody should wait for, and nobody makes it.
pub(crate) fn is_missed(run: &Run) -> bool {
    !is_small(run) && !run.is_being_indexed()
}

/// Of trace files, in bytes: some ten million events, of which the index takes a fraction of a second.
const SMALL: u64 = 4 << 20;
