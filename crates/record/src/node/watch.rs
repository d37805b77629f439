//! Looks, now and then, for Node processes of a command that run unrecorded. A process is reported only when it is certain: it has run for a while, the recorder
//! is not in its memory, and nothing in its environment leads to a run.
//!
//! Nearly all programs load our library, which leads each Node that they start to the run. While one lives that does not, looks follow each other quickly: its
//! Nodes may be short. Other commands are looked at seldom.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::RUN_VARIABLE;

pub(crate) struct Watch {
    root: i32,
    /// Since when they are known.
    seen: HashMap<i32, Seen>,
    next: Instant,
    /// Whether programs load our library at all.
    has_library: bool,
    found: Vec<String>,
}

struct Seen {
    program: PathBuf,
    since: Instant,
    is_judged: bool,
    /// Another program than Node.
    is_without_library: bool,
}

const FIRST: Duration = Duration::from_millis(100);
const LOOKING: Duration = Duration::from_millis(300);
const LOOKING_CLOSELY: Duration = Duration::from_millis(50);
/// Its environment is what it was started with, so this need only be longer than a process takes from its fork to its program.
const CERTAIN: Duration = Duration::from_millis(100);

impl Watch {
    pub(crate) fn of(root: u32, has_library: bool) -> Watch {
        let next = Instant::now() + FIRST;
        Watch { root: root as i32, seen: HashMap::new(), next, has_library, found: Vec::new() }
    }

    /// To be called often.
    pub(crate) fn look(&mut self) {
        if !cfg!(target_os = "linux") || Instant::now() < self.next {
            return;
        }
        let mut all = vec![self.root];
        let mut at = 0;
        while let Some(pid) = all.get(at).copied() {
            all.extend(children(pid));
            at += 1;
        }
        self.seen.retain(|pid, _| all.contains(pid));
        for pid in all {
            self.look_at(pid);
        }
        let is_close = self.has_library && self.seen.values().any(|seen| seen.is_without_library);
        self.next = Instant::now() + if is_close { LOOKING_CLOSELY } else { LOOKING };
    }

    pub(crate) fn finish(self) -> Vec<String> {
        self.found
    }

    fn look_at(&mut self, pid: i32) {
        let Ok(program) = fs::read_link(format!("/proc/{pid}/exe")) else { return };
        let is_node = is_node(&program);
        let is_known = self.seen.get(&pid).is_some_and(|seen| seen.program == program);
        if !is_known {
            let is_without_library = !is_node && self.has_library && is_without_library(pid);
            self.seen.insert(pid, Seen { program, since: Instant::now(), is_judged: false, is_without_library });
            return;
        }
        let Some(seen) = self.seen.get_mut(&pid).filter(|seen| is_node && !seen.is_judged) else { return };
        if seen.since.elapsed() >= CERTAIN {
            seen.is_judged = true;
            if let Some(why) = why_unrecorded(pid) {
                let command = command_of(pid).unwrap_or_else(|| seen.program.display().to_string());
                self.found.push(format!("process {pid} ({command}) ran unrecorded: {why}"));
            }
        }
    }
}

fn is_without_library(pid: i32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/maps")).is_ok_and(|maps| !maps.is_empty() && !maps.contains(LIBRARY))
}

const LIBRARY: &str = "/preload.so";

/// `None` if it is recorded, or that is not certain.
fn why_unrecorded(pid: i32) -> Option<String> {
    match fs::read_to_string(format!("/proc/{pid}/maps")) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Some(
                "it has rights of its own (setuid or file capabilities), with which Node ignores NODE_OPTIONS".into(),
            );
        }
        Ok(maps) if !maps.is_empty() && !maps.contains("/wherefore.node") => {}
        _ => return None,
    }
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let leads = |line: &[u8]| {
        line.starts_with(format!("{RUN_VARIABLE}=").as_bytes())
            || line.starts_with(b"NODE_OPTIONS=") && line.windows(OWN_FILE.len()).any(|part| part == OWN_FILE)
    };
    if environment.split(|byte| *byte == 0).any(leads) {
        return None;
    }
    let parent = parent_of(pid).filter(|parent| *parent > 1)?;
    let name = fs::read_to_string(format!("/proc/{parent}/comm")).ok()?;
    let maps = fs::read_to_string(format!("/proc/{parent}/maps")).ok()?;
    let static_program =
        if maps.contains(LIBRARY) { "" } else { ", and is a program into which no library can be loaded" };
    Some(format!("{} started it with an environment of its own{static_program}", name.trim()))
}

const OWN_FILE: &[u8] = b"/preload.cjs";

fn is_node(program: &Path) -> bool {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    name.strip_prefix("node")
        .is_some_and(|rest| rest.is_empty() || rest == "js" || rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn children(pid: i32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let of_thread = |thread: fs::DirEntry| fs::read_to_string(thread.path().join("children")).unwrap_or_default();
    threads
        .flat_map(|thread| {
            of_thread(thread).split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>()
        })
        .collect()
}

fn parent_of(pid: i32) -> Option<i32> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

/// As much of it as fits into a sentence.
fn command_of(pid: i32) -> Option<String> {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).ok().filter(|bytes| !bytes.is_empty())?;
    let words: Vec<String> =
        bytes.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
    let line = words.join(" ").trim_end().replace('\n', " ");
    Some(if line.chars().count() > LONGEST { line.chars().take(LONGEST).chain(['…']).collect() } else { line })
}

const LONGEST: usize = 60;
