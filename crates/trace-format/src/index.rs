//! The index of a thread's trace: what each block holds, so that most questions need to read few of them.

mod details;
mod files;

pub use details::{BlockDetails, DetailsView, OpenFrame, ScopeRecord};
pub use files::{IndexEntry, IndexWriter, index_paths, read_index};
