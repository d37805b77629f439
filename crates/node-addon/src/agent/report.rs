//! What goes to the server; its `wire` module has the same as types.

use serde_json::{Value, json};
use trace_model::Position;

use super::stack::StackSite;
use super::{AgentSettings, Crash};

/// All but the release and the cohort, which the process that sends it knows.
pub fn report(settings: &AgentSettings, crash: &Crash, stack: &[StackSite]) -> Value {
    let mut report = json!({
        "version": 1,
        "id": new_id(),
        "policy": Value::Null,
        "node": settings.get("node").unwrap_or_default(),
        "exception": class_name(crash.classes),
        "stack": stack.iter().map(site).collect::<Vec<_>>(),
        "labels": [],
        "cut": false,
        "spent": { "events": 0, "seconds": 0.0, "recorder_seconds": 0.0 },
    });
    if let (true, Some(message)) = (settings.sends("message"), crash.message) {
        report["message"] = message.chars().take(LONGEST_MESSAGE).collect::<String>().into();
    }
    report
}

const LONGEST_MESSAGE: usize = 1000;

fn site(site: &StackSite) -> Value {
    let Position { line, column } = site.at;
    json!({
        "file": site.file,
        "function": site.function.to_string(),
        "function_line": site.function_at.line,
        "function_column": site.function_at.column,
        "line": line,
        "column": column,
    })
}

/// The name of the first class that its own text names, which is no value of the program.
fn class_name(texts: &str) -> &str {
    texts.split('\0').find_map(name_in).unwrap_or("Error")
}

/// `class Name …` or `function Name(…`, which is how the classes of the language begin too.
fn name_in(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("class ").or_else(|| text.strip_prefix("function "))?;
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(rest.len());
    let name = &rest[..end];
    (!name.is_empty() && name.len() <= LONGEST_NAME && name != "extends").then_some(name)
}

const LONGEST_NAME: usize = 100;

/// A UUID of version 4.
fn new_id() -> String {
    let mut bytes = [0u8; 16];
    // SAFETY: the buffer has so many bytes. So few are there at once, or never.
    unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), libc::GRND_NONBLOCK) };
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_named_by_its_text() {
        assert_eq!(class_name("class Broken extends Error {\0function Error() { [native code] }\0"), "Broken");
        assert_eq!(class_name("class extends Error {\0function TypeError() { [native code] }\0"), "TypeError");
        assert_eq!(class_name("(message) => {\0"), "Error");
        assert_eq!(class_name(""), "Error");
    }

    #[test]
    fn ids_are_of_version_4() {
        let id = new_id();
        assert_eq!((id.len(), &id[14..15]), (36, "4"));
        assert!("89ab".contains(&id[19..20]));
        assert_ne!(id, new_id());
    }
}
