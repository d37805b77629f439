//! What goes to stderr: sentences beside an answer, and how far long work is.
//!
//! Nobody may be reading any more (`2>&1 | head -1`): what cannot be said is no reason to end otherwise.

use std::fmt::Display;
use std::io::{self, Write};

/// A sentence beside the answer.
pub fn note(text: impl Display) {
    line(format_args!("wherefore: {text}"));
}

pub fn notes<T: Display>(notes: impl IntoIterator<Item = T>) {
    notes.into_iter().for_each(note);
}

/// A line as it is.
pub fn line(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
