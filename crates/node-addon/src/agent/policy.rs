//! The policy that a server hands out. It can name places to record, and nothing else; what is not such a policy, in any detail, is none.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

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
    /// The share of the time that recording may take.
    budget: f64,
}

/// So many words of events were written, in all threads.
pub fn spend(n_words: u32) {
    N_WORDS.fetch_add(u64::from(n_words), Ordering::Relaxed);
}

/// Whether recording took more than the policy allows. Code that is loaded from then on runs as it is.
pub fn is_spent() -> bool {
    in_force().is_some_and(|in_force| in_force.is_spent(N_WORDS.load(Ordering::Relaxed), in_force.since.elapsed()))
}

impl InForce {
    fn is_spent(&self, n_words: u64, running: Duration) -> bool {
        n_words as f64 * SECONDS_PER_WORD > self.budget * running.as_secs_f64()
    }
}

static N_WORDS: AtomicU64 = AtomicU64::new(0);

/// What writing a word of an event takes: an estimate, of the right order for machines of today. It was not measured by itself.
const SECONDS_PER_WORD: f64 = 10e-9;

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
    #[serde(default = "all")]
    budget: f64,
}

/// A server that does not say how much it may cost does not limit it.
fn all() -> f64 {
    1.0
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
        && (0.0..=1.0).contains(&wire.budget)
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
    Some((InForce { id: wire.id, n_labels, since: Instant::now(), budget: wire.budget }, functions))
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
    fn a_budget_is_a_share_of_the_time() {
        let with = |budget: &str| parse(&GOOD.replacen('{', &format!(r#"{{"budget":{budget},"#), 1));
        let (in_force, _) = with("0.03").unwrap();
        let second = Duration::from_secs(1);
        // 3 % of a second are 30 ms, in which three million words are written.
        assert!(!in_force.is_spent(2_900_000, second) && in_force.is_spent(3_100_000, second));
        assert!(!with("0").unwrap().0.is_spent(0, second) && with("0").unwrap().0.is_spent(1, second));
        for wrong in ["-0.1", "1.1", "\"1\"", "null", "1e400"] {
            assert!(with(wrong).is_none(), "{wrong}");
        }
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
