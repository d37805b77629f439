//! A run as one file that can be given to others, and such a file as a run.
//!
//! A recording holds what the program held, secrets too. So values are taken out before it is shared: by the name that they stand
//! under and by what they look like (`rules.rs`), and then wherever they stand: in events, in names and sources, in what was printed and
//! read, in what was asked (`secrets.rs`, `naming.rs`, `export.rs`). What cannot be searched, such as the leftovers of the memory that
//! the program wrote to, and the index, is not packed: events are written anew, and who imports the run makes an index.

mod export;
mod import;
mod imported;
mod kept;
mod naming;
mod redactor;
mod rules;
mod secrets;
mod shapes;
mod shortened;

pub use export::{Exported, Redacted, export};
pub use import::import;
pub(crate) use import::is_imported;
pub use kept::Kept;
pub use redactor::Redactor;
pub use rules::RedactRequest;
