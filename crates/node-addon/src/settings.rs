//! What the run folder says about how to record. Read once per process.

use std::cell::Cell;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use trace_format::{FileFilter, RingLayout, RunSettings, StopWish, parse_policy, policy_text, private};
use trace_model::{Intervention, Policy};

use crate::guard;

pub struct Settings {
    /// Of the run. In production there is none: nothing is written, and the newest events are kept in memory.
    pub folder: Option<PathBuf>,
    pub layout: RingLayout,
    /// Pid of the process that drains the rings.
    pub parent: u32,
    pub policy: Policy,
    /// The policy as it was written, which names what is cached.
    pub policy_text: String,
    pub filter: FileFilter,
    pub stop: Option<StopWish>,
    pub intervention: Option<Intervention>,
}

/// False if there is nothing to record for, or this thread was started before (its options may name the preload twice).
/// `folder` is needed the first time only.
pub fn start(folder: Option<&str>) -> bool {
    SETTINGS.get_or_init(|| read(Path::new(folder?))).is_some() && !IS_STARTED.replace(true)
}

/// As [`start`], in production: what the policy needs is recorded in memory.
pub fn start_in_memory(make: impl FnOnce() -> Option<Policy>) -> bool {
    let settings = || {
        let policy = make()?;
        Some(Settings {
            folder: None,
            layout: IN_MEMORY,
            parent: std::process::id(),
            policy_text: policy_text(&policy),
            policy,
            filter: FileFilter::new(&[], &[]).ok()?,
            stop: None,
            intervention: None,
        })
    };
    SETTINGS.get_or_init(settings).is_some() && !IS_STARTED.replace(true)
}

/// 2 MB for each thread: a chunk must have room for the largest event behind the place where the recorder looks.
const IN_MEMORY: RingLayout = RingLayout { chunk_words: 1 << 17, n_chunks: 4 };

pub fn get() -> Option<&'static Settings> {
    SETTINGS.get()?.as_ref()
}

impl Settings {
    /// Tells the person one line, in the run, as the program's own output is not ours.
    pub fn problem(&self, text: &str) {
        if let Some(folder) = &self.folder {
            tell(folder, text);
        }
    }
}

/// Where the run is, before it is started: the environment still says so when the addon is loaded into the main thread.
pub fn learn_folder() {
    let folder = FOLDER.get_or_init(|| std::env::var_os("WHEREFORE_RUN").map(PathBuf::from));
    if let Some(text) = folder.as_ref().and_then(|folder| fs::read_to_string(folder.join("settings.txt")).ok()) {
        guard::wish_panic(text.lines().find_map(|line| line.strip_prefix("panic\t")));
    }
}

/// As [`Settings::problem`], also before there are any.
pub fn note(text: &str) {
    let started = get().and_then(|settings| settings.folder.as_ref());
    if let Some(folder) = started.or(FOLDER.get().and_then(Option::as_ref)) {
        tell(folder, text);
    }
}

fn tell(folder: &Path, text: &str) {
    append(folder, "problems.txt", &format!("{}\n", text.replace('\n', " ")));
}

fn append(folder: &Path, name: &str, line: &str) {
    // If even this does not work there is nobody left to tell.
    let _ = private::append(&folder.join(name)).and_then(|mut file| file.write_all(line.as_bytes()));
}

static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();

thread_local! {
    static IS_STARTED: Cell<bool> = const { Cell::new(false) };
}

static SETTINGS: OnceLock<Option<Settings>> = OnceLock::new();

fn read(folder: &Path) -> Option<Settings> {
    let text = fs::read_to_string(folder.join("settings.txt")).ok()?;
    let run = RunSettings::parse(&text)?;
    let policy_text = run.policy.unwrap_or_default();
    let policy = if policy_text.is_empty() { Policy::full() } else { parse_policy(&policy_text).ok()? };
    Some(Settings {
        folder: Some(folder.to_path_buf()),
        layout: run.layout,
        parent: run.parent,
        policy,
        policy_text,
        filter: FileFilter::new(&run.include, &run.exclude).ok()?,
        stop: run.stop,
        intervention: run.intervention,
    })
}
