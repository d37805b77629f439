//! A command that was given without the `--` before it: what should have been written.

use std::env;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::failure::Failure;

/// The sentence for a command line that clap refused, if a command begins where it stumbled.
pub fn missing(words: &[String], error: &clap::Error) -> Option<Failure> {
    let begins = match error.kind() {
        // `wherefore npm test`
        ErrorKind::InvalidSubcommand => 0,
        // `wherefore record npm test`, `wherefore why npm test`: the first word may have been taken for something else.
        ErrorKind::UnknownArgument => {
            let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else { return None };
            // Clap leaves out the value of `--reporter=dot`.
            let is_it = |word: &String| word == unknown || word.split('=').next() == Some(unknown);
            let at = words.iter().position(is_it).filter(|at| *at > 0)?;
            let follows_option = words.get(at.wrapping_sub(2)).is_some_and(|word| word.starts_with('-'));
            let was_taken = at > 1 && !follows_option && is_command(&words[at - 1]);
            if was_taken { at - 1 } else { at }
        }
        _ => return None,
    };
    let own = if begins == 0 { vec!["why".to_owned()] } else { words[..begins].to_vec() };
    let command = started(&words[begins..])?;
    Some(Failure::wrong_usage(written(&own, &command)))
}

/// The same for a word that was taken for the name of something else, and names nothing.
pub fn perhaps_missing(failure: Failure, own: &str, word: Option<&str>) -> Failure {
    let Some(command) = word.and_then(|word| started(&[word.to_owned()])) else { return failure };
    Failure { message: format!("{}; {}", failure.message, written(&[own.to_owned()], &command)), ..failure }
}

fn written(own: &[String], command: &[String]) -> String {
    let line = own.iter().map(String::as_str).chain(["--"]).chain(command.iter().map(String::as_str));
    let line: Vec<String> = line.map(quoted).collect();
    format!("a command goes behind `--`: write `wherefore {}`", line.join(" "))
}

/// The words as they can be started: a script by node, a tool of the project by npx.
fn started(words: &[String]) -> Option<Vec<String>> {
    let first = words.first()?;
    let starter = match () {
        () if is_program(first) => None,
        () if is_script(first) => Some("node"),
        () if is_tool_of_project(first) => Some("npx"),
        () => return None,
    };
    Some(starter.map(str::to_owned).into_iter().chain(words.iter().cloned()).collect())
}

fn is_command(word: &str) -> bool {
    is_program(word) || is_script(word) || is_tool_of_project(word)
}

/// Whether a shell would start it.
fn is_program(word: &str) -> bool {
    let is_executable = |path: &Path| {
        path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
    };
    if word.is_empty() || word.starts_with('-') {
        return false;
    }
    if word.contains('/') {
        return is_executable(Path::new(word));
    }
    env::split_paths(&env::var_os("PATH").unwrap_or_default()).any(|folder| is_executable(&folder.join(word)))
}

fn is_script(word: &str) -> bool {
    let ending = Path::new(word).extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ["js", "mjs", "cjs", "ts", "mts", "cts"].contains(&ending)) && Path::new(word).is_file()
}

fn is_tool_of_project(word: &str) -> bool {
    let folder = env::current_dir().unwrap_or_default();
    let is_name = !word.is_empty() && !word.contains('/') && !word.starts_with(['-', '.']);
    is_name && folder.ancestors().any(|folder| folder.join("node_modules/.bin").join(word).exists())
}

/// As a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
