//! The policy that a server hands out. It can name places to record, and nothing else; what is not such a policy, in any detail, is none.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use std::time::Instant;

use serde::Deserialize;
use trace_model::{FunctionKey, Need, Policy, is_installed_name};

use crate::settings;

/// Starts recording in this process, for the functions that the policy names. False if it names none, or is none.
pub fn start(text: &str) -> bool {
    settings::start_in_memory(|| {
        let (named, functions) = parse(text)?;
        IN_FORCE.get_or_init(|| named);
        Some(Policy::Needed(Need { functions, ..Need::default() }))
    })
}

/// What is recorded in this process, if anything is.
pub fn in_force() -> Option<&'static InForce> {
    IN_FORCE.get()
}

#[derive(Debug)]
pub struct InForce {
    pub id: String,
    /// So many labels are sent at most.
    pub n_labels: usize,
    pub since: Instant,
}

static IN_FORCE: OnceLock<InForce> = OnceLock::new();

const LARGEST: usize = 1 << 20;
const MOST_FILES: usize = 1000;
const MOST_FUNCTIONS: usize = 20_000;
const MOST_LABELS: u32 = 4096;
const LONGEST_ID: usize = 64;

#[derive(Deserialize)]
struct Wire {
    version: u32,
    id: String,
    labels: u32,
    files: Vec<WireFile>,
}

#[derive(Deserialize)]
struct WireFile {
    file: String,
    functions: Vec<String>,
}

type Functions = BTreeMap<String, BTreeSet<FunctionKey>>;

fn parse(text: &str) -> Option<(InForce, Functions)> {
    if text.len() > LARGEST {
        return None;
    }
    let wire: Wire = serde_json::from_str(text).ok()?;
    let is_id = |id: &str| (1..=LONGEST_ID).contains(&id.len()) && id.bytes().all(|byte| byte == b'-' || is_hex(byte));
    let n_functions: usize = wire.files.iter().map(|file| file.functions.len()).sum();
    let is_right = wire.version == 1
        && is_id(&wire.id)
        && (1..=MOST_FILES).contains(&wire.files.len())
        && (1..=MOST_FUNCTIONS).contains(&n_functions);
    if !is_right {
        return None;
    }
    let mut functions = Functions::new();
    for WireFile { file, functions: keys } in &wire.files {
        let keys = keys.iter().map(|key| parse_key(key)).collect::<Option<Vec<_>>>()?;
        is_installed_name(file).then(|| functions.entry(file.clone()).or_default().extend(keys))?;
    }
    let n_labels = wire.labels.clamp(1, MOST_LABELS) as usize;
    Some((InForce { id: wire.id, n_labels, since: Instant::now() }, functions))
}

fn parse_key(text: &str) -> Option<FunctionKey> {
    (text.len() == 16 && text.bytes().all(is_hex)).then(|| text.parse().ok())?
}

fn is_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"version":1,"id":"0a-1b","labels":9999999,"bugs":["x"],"files":[
        {"file":"lokijs/src/loki.js","functions":["0123456789abcdef","fedcba9876543210"],"run":"require('fs')"}]}"#;

    #[test]
    fn a_policy_names_functions() {
        let (in_force, functions) = parse(GOOD).unwrap();
        assert_eq!((in_force.id.as_str(), in_force.n_labels), ("0a-1b", 4096));
        assert_eq!(functions["lokijs/src/loki.js"].len(), 2);
    }

    #[test]
    fn what_is_not_quite_a_policy_is_none() {
        let replaced = |from: &str, to: &str| {
            let changed = GOOD.replace(from, to);
            assert_ne!(changed, GOOD, "{from}");
            parse(&changed)
        };
        for (from, to) in [
            (r#""version":1"#, r#""version":2"#),
            (r#""version":1"#, r#""version":"1""#),
            (r#""id":"0a-1b""#, r#""id":"../../x""#),
            (r#""id":"0a-1b""#, r#""id":"""#),
            (r#""labels":9999999"#, r#""labels":-1"#),
            (r#""labels":9999999"#, r#""labels":1e300"#),
            ("lokijs/src/loki.js", "../../etc/passwd"),
            ("lokijs/src/loki.js", "/etc/passwd"),
            ("lokijs/src/loki.js", "a//b"),
            ("0123456789abcdef", "0123456789ABCDEF"),
            ("0123456789abcdef", "+123456789abcdef"),
            ("0123456789abcdef", "process.exit(1)"),
            (r#""files":[{"#, r#""files":[null,{"#),
            (r#""files":["#, r#""files":{"a":["#),
        ] {
            let changed = GOOD.replace("\n        ", "");
            let changed = changed.replace(from, to);
            assert!(changed.contains(to) && parse(&changed).is_none(), "{changed}");
        }
        assert!(replaced(GOOD, "").is_none());
        assert!(parse("null").is_none() && parse("[]").is_none() && parse("{}").is_none());
        let deep =
            format!(r#"{{"version":1,"id":"a","labels":1,"files":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
        assert!(parse(&deep).is_none());
        assert!(parse(&format!("{GOOD}{}", " ".repeat(LARGEST))).is_none());
        let many = r#"{"file":"a","functions":[]},"#.repeat(MOST_FILES + 1);
        assert!(parse(&GOOD.replace(r#""files":["#, &format!(r#""files":[{many}"#))).is_none());
    }
}
