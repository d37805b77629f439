//! What front ends do to texts as the debugger does.

use std::borrow::Cow;

/// `; did you mean total or totals?`, or nothing.
pub fn did_you_mean<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    trace_model::did_you_mean(wanted, names)
}

/// A text for people: what was taken out before a run was shared reads as that.
pub fn with_redactions_shown(text: &str) -> Cow<'_, str> {
    trace_model::with_redactions_shown(text)
}
