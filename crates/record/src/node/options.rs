//! `NODE_OPTIONS`, by which every Node of a command is told what to load first.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use crate::RunSpec;
use crate::environment::Variables;

const NODE_OPTIONS: &str = "NODE_OPTIONS";

/// The preload comes last: it cuts itself off again and leaves the rest as it was.
pub(crate) fn load_first(variables: &mut Variables, preload: &Path) -> io::Result<()> {
    let path = preload.to_str().ok_or_else(|| io::Error::other(format!("{} is not UTF-8", preload.display())))?;
    let own = format!("--require={}", quoted(path));
    let options = match variables.get(NODE_OPTIONS).and_then(OsStr::to_str) {
        Some(user) => format!("{user} {own}"),
        None => own,
    };
    variables.set(NODE_OPTIONS, options);
    Ok(())
}

/// Whether Node's permission model is asked for: it forbids addons, and would stop the program at our preload.
pub(crate) fn is_restricted(spec: &RunSpec, variables: &Variables) -> bool {
    let options = variables.get(NODE_OPTIONS).and_then(OsStr::to_str).unwrap_or_default();
    let words = spec.command.iter().map(String::as_str).chain(options.split_whitespace());
    words.into_iter().any(|word| word == "--permission" || word == "--experimental-permission")
}

/// As Node reads NODE_OPTIONS: quotes keep blanks, a backslash keeps what follows. The preload file and the library do the same.
fn quoted(path: &str) -> String {
    if path.contains([' ', '\t', '\n', '\u{b}', '\u{c}', '\r', '"', '\\']) {
        format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        path.to_owned()
    }
}
