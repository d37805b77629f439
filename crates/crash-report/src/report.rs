//! What goes to the server; its `wire` module has the same as types.

use crash_dump::CrashDump;
use crash_path::{Callee, FunctionRef, Label, Path, SiteRef};
use serde_json::{Value, json};

use crate::path::Recorded;

/// All but the release and the cohort, which the process that sends it knows.
pub struct Report(Value);

/// Why there is no path although something was recorded.
#[derive(Clone, Copy, Debug)]
pub enum Lost {
    /// It was not found in the time that there is.
    Late,
    /// Whoever looked for it ended.
    Failed,
}

impl Report {
    pub fn new(dump: &CrashDump, stack: &[SiteRef]) -> Report {
        let recording = dump.recording.as_ref();
        let mut report = json!({
            "version": 1,
            "id": new_id(),
            "policy": recording.map(|recording| recording.policy_id.as_str()),
            "node": dump.setting("node").unwrap_or_default(),
            "exception": class_name(&dump.classes),
            "stack": stack.iter().map(site).collect::<Vec<_>>(),
            "labels": [],
            "cut": false,
            "wanted": [],
            "spent": {
                "events": 0,
                "seconds": recording.map_or(0.0, |recording| recording.seconds),
                "recorder_seconds": 0.0,
            },
        });
        let is_sent = dump.setting("send").is_some_and(|fields| fields.split(',').any(|name| name.trim() == "message"));
        if let (true, Some(message)) = (is_sent, &dump.message) {
            report["message"] = message.chars().take(LONGEST_MESSAGE).collect::<String>().into();
        }
        Report(report)
    }

    pub fn without_path(&self, lost: Option<Lost>) -> String {
        let mut report = self.0.clone();
        match lost {
            Some(Lost::Late) => report["lost"] = "late".into(),
            Some(Lost::Failed) => report["lost"] = "failed".into(),
            None => {}
        }
        report.to_string()
    }

    pub fn with(&self, recorded: &Recorded) -> String {
        let mut report = self.0.clone();
        let (labels, is_cut) = recorded.path.as_ref().map_or((Vec::new(), false), labels_of);
        let wanted = recorded.path.as_ref().map_or(&[][..], |path| &path.wanted);
        report["labels"] = labels.into();
        report["cut"] = is_cut.into();
        report["wanted"] = wanted.iter().take(MOST_WANTED).map(function).collect::<Vec<_>>().into();
        report["spent"]["events"] = recorded.n_events.into();
        report["spent"]["recorder_seconds"] = (recorded.n_events as f64 * SECONDS_PER_EVENT).into();
        report.to_string()
    }
}

const LONGEST_MESSAGE: usize = 1000;

const MOST_WANTED: usize = 256;
/// A server takes no larger reports; the rest of one is small.
const MOST_LABEL_BYTES: usize = 200 << 10;
/// What an event takes on average, as `cargo xtask bench record` shows it.
const SECONDS_PER_EVENT: f64 = 20e-9;

/// The birth, and of the others the newest that there is room for. Also whether older ones are missing.
fn labels_of(path: &Path) -> (Vec<Value>, bool) {
    let (birth, others) = match path.begins_with_birth() {
        true => path.labels.split_at(1),
        false => path.labels.split_at(0),
    };
    let mut room = MOST_LABEL_BYTES;
    let mut newest = Vec::new();
    for label in others.iter().rev() {
        let made = label_of(label);
        let Some(rest) = room.checked_sub(made.to_string().len()) else { break };
        room = rest;
        newest.push(made);
    }
    let is_cut = path.is_cut || newest.len() < others.len();
    newest.extend(birth.iter().map(label_of));
    newest.reverse();
    (newest, is_cut)
}

fn label_of(label: &Label) -> Value {
    match label {
        Label::Start { site: at } => json!({ "label": "start", "site": site(at) }),
        Label::Branch { site: at, taken } => json!({ "label": "branch", "site": site(at), "taken": taken }),
        Label::Call { site: at, callee } => {
            let mut call = json!({ "label": "call", "site": site(at) });
            match callee {
                Callee::Program(callee) => call["callee"] = function(callee),
                Callee::Foreign => call["callee"] = "foreign".into(),
                Callee::Unknown => {}
            }
            call
        }
        Label::Enter { function: entered, caller } => with_caller("enter", entered, caller.as_ref()),
        Label::Exit { function: left, caller } => with_caller("exit", left, caller.as_ref()),
        Label::Return { site: at } => json!({ "label": "return", "site": site(at) }),
        Label::Write { site: at } => json!({ "label": "write", "site": site(at) }),
        Label::Task { registered_at: None } => json!({ "label": "task" }),
        Label::Task { registered_at: Some(at) } => json!({ "label": "task", "registered_at": site(at) }),
        Label::Crash { site: at } => json!({ "label": "crash", "site": site(at) }),
    }
}

fn with_caller(label: &str, of: &FunctionRef, caller: Option<&FunctionRef>) -> Value {
    match caller {
        Some(caller) => json!({ "label": label, "function": function(of), "caller": function(caller) }),
        None => json!({ "label": label, "function": function(of) }),
    }
}

fn function(function: &FunctionRef) -> Value {
    let FunctionRef { file, key, line, column } = function;
    json!({ "file": file, "function": key.to_string(), "line": line, "column": column })
}

fn site(site: &SiteRef) -> Value {
    let FunctionRef { file, key, line, column } = &site.function;
    let mut made = json!({
        "file": file,
        "function": key.to_string(),
        "function_line": line,
        "function_column": column,
        "line": site.line,
        "column": site.column,
    });
    if let Some(within) = site.within {
        made["kind"] = within.kind.name().into();
        made["nth"] = within.nth.into();
    }
    made
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
    // Without them the report is no worse, but for two that come from such a host.
    let _ = getrandom::fill(&mut bytes);
    // The first four bits of these two bytes tell the version, and the first two the variant.
    bytes[6] = bytes[6] % 16 + 0x40;
    bytes[8] = bytes[8] % 64 + 0x80;
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
