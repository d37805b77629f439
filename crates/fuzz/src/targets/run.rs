//! The files of a run that somebody shared, as `plain` has them.

use super::import::import_and_ask;
use super::plain::{exported, files};

pub fn run(input: &[u8]) {
    import_and_ask(&exported(&files(input)));
}
