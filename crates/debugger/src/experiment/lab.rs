//! What all experiments with a run have in common: its command, a stage to run it on, and what it does as it is.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use instrument::SourceKind;
use query::Experiment;
use record::{Apart, Notes, RunSpec, Stage, Staged, TextChange, Trial, TrialEnding, Tried};
use trace_model::{CodeKind, Intervention, SiteTable};
use trace_store::{Run, Thread};

use crate::run_list::outcome_of;
use crate::{Cancel, Error, RunOutcome, SignalsOf, runtime_folder};

pub struct Lab {
    pub command: Vec<String>,
    /// Where the program starts.
    pub folder: PathBuf,
    /// What is kept apart: the folder with all that the program may need of the project.
    root: PathBuf,
    runtime: PathBuf,
    input: Option<PathBuf>,
    allows_effects: bool,
    scratch: tempfile::TempDir,
    /// Held as long as experiments are made: Ctrl-C ends the run and not us, so that nothing is left behind. `None` where signals
    /// are none of our business.
    signals: Option<record::Signals>,
    cancel: Cancel,
}

/// The program as it is, run once more.
pub struct Plain {
    pub tried: Tried,
    pub elapsed: Duration,
}

/// The texts in which something is to be different, by path. For any thread.
pub type Texts = HashMap<String, Arc<CodeText>>;

pub struct CodeText {
    source: String,
    kind: SourceKind,
    table: SiteTable,
}

impl Lab {
    pub fn of(run: &Run, allows_effects: bool, signals: SignalsOf, cancel: &Cancel) -> Result<Lab, Error> {
        if crate::sharing::is_imported(run.file()) {
            return Err(Error::Usage("this run was imported, so its command is not run".into()));
        }
        if run.file().drive.is_some() {
            return Err(Error::Experiment(
                "experiments with a run that another command drove (--drive) are not possible yet".into(),
            ));
        }
        let folder = fs::canonicalize(&run.file().folder).map_err(Error::io(&run.file().folder))?;
        let root = root_of(&folder);
        remove_leftovers();
        let scratch = tempfile::Builder::new()
            .prefix(&format!("{PREFIX}{}-", std::process::id()))
            .tempdir_in(scratch_folder(&root))
            .map_err(Error::io(&root))?;
        let input = Some(run.folder().join(crate::rerun::STDIN)).filter(|path| path.exists());
        Ok(Lab {
            command: run.file().command.clone(),
            folder,
            root,
            runtime: runtime_folder()?,
            input,
            allows_effects,
            scratch,
            signals: (signals == SignalsOf::TheProgram).then(record::Signals::take_over),
            cancel: cancel.clone(),
        })
    }

    /// Whether nobody wants any more of it.
    pub fn is_interrupted(&self) -> bool {
        self.signals.as_ref().is_some_and(record::Signals::interrupted) || self.cancel.is_cancelled()
    }

    pub fn stage(&self, name: &str) -> Result<Stage, Error> {
        let folder = self.scratch.path().join(name);
        trace_format::private::create_dir_all(&folder).map_err(Error::io(&folder))?;
        Stage::new(&self.root, &folder, self.allows_effects).map_err(Error::io(&self.root))
    }

    pub fn is_closed(&self, stage: &Stage) -> bool {
        stage.apart() == Apart::Wholly
    }

    /// The program as it is: whether it fails as it did, and what it does to the world.
    pub fn reproduce(&self, stage: &mut Stage, run: &Run, message: Option<&str>) -> Result<Plain, Error> {
        let preload = self.preload(stage, None, true)?;
        let observed = self.run(stage, Some(preload), FIRST_TIMEOUT, &AtomicBool::new(false))?;
        let notes = record::read_notes(stage, &self.root);
        if let Some(why) = &notes.failed {
            return Err(Error::Experiment(format!("the program cannot be run with changes: {why}")));
        }
        self.refuse_effects(&notes)?;
        must_be_as_before(&observed, run, message)?;
        self.reset(stage)?;
        let tried = self.run(stage, None, FIRST_TIMEOUT, &AtomicBool::new(false))?;
        must_be_as_before(&tried, run, message)?;
        self.reset(stage)?;
        Ok(Plain { elapsed: tried.elapsed, tried })
    }

    fn refuse_effects(&self, notes: &Notes) -> Result<(), Error> {
        if self.allows_effects || notes.effects.is_empty() {
            return Ok(());
        }
        let more = notes.effects.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        let named = notes.effects[..notes.effects.len().min(MOST_NAMED)].join(", ");
        Err(Error::Experiment(format!(
            "the program reaches beyond its folder, so it is not run with changes: {named}{more}; --allow-effects runs it anyway"
        )))
    }

    /// One run with one thing different. `None`: control did not come there.
    pub fn try_one(
        &self,
        stage: &mut Stage,
        texts: &Texts,
        intervention: &Intervention,
        timeout: Duration,
        enough: &AtomicBool,
    ) -> Result<(Tried, Notes), Error> {
        let text = texts.get(&intervention.path).ok_or(Error::NothingRecorded)?;
        let after = instrument::intervened(&text.source, text.kind, text.table.clone(), intervention)
            .map_err(|why| not_changed(&intervention.path, why))?;
        let change = TextChange { intervention, before: &text.source, after: &after };
        let preload = self.preload(stage, Some(change), false)?;
        let tried = self.run(stage, Some(preload), timeout, enough)?;
        let notes = record::read_notes(stage, &self.root);
        self.reset(stage)?;
        Ok((tried, notes))
    }

    /// The same, recorded. The run lies on the stage, and goes with it.
    pub fn record_one(&self, stage: &mut Stage, intervention: &Intervention, timeout: Duration) -> Result<Run, Error> {
        let run = stage.own().join("run");
        let _ = fs::remove_dir_all(&run);
        let path = stage.path_of(Path::new(&intervention.path)).to_string_lossy().into_owned();
        let input = self.input.clone().unwrap_or("/dev/null".into());
        record::run(&RunSpec {
            run: Some(run.clone()),
            intervention: Some(Intervention { path, ..intervention.clone() }),
            staged: Some(Staged { stage: stage.clone(), folder: self.folder.clone() }),
            input: record::Input::From(input),
            output: record::Output::Nothing,
            signals: match self.signals {
                Some(_) => record::SignalsOf::TheProgram,
                None => record::SignalsOf::ThisProcess,
            },
            cancel: self.cancel.0.clone(),
            timeout: Some(timeout),
            keep_last: Some(MOST_KEPT),
            ..RunSpec::new(self.command.clone(), self.folder.clone(), self.runtime.clone())
        })?;
        let opened = Run::open(&run)?;
        Ok(opened)
    }

    pub fn reset(&self, stage: &mut Stage) -> Result<(), Error> {
        stage.reset().map_err(Error::io(&self.root))
    }

    /// Texts as they are told without the folders of ours.
    pub fn without_stage(&self, text: &str) -> String {
        text.replace(&*self.scratch.path().to_string_lossy(), "…")
    }

    fn preload(&self, stage: &Stage, change: Option<TextChange>, observes: bool) -> Result<PathBuf, Error> {
        record::write_preload(stage, &self.runtime, change, observes).map_err(Error::io(stage.own()))
    }

    fn run(
        &self,
        stage: &Stage,
        preload: Option<PathBuf>,
        timeout: Duration,
        enough: &AtomicBool,
    ) -> Result<Tried, Error> {
        let trial = Trial {
            command: &self.command,
            folder: self.folder.clone(),
            stage,
            preload,
            input: self.input.clone(),
            timeout,
            memory: MOST_MEMORY,
        };
        let is_enough = || enough.load(Ordering::Acquire) || self.is_interrupted();
        record::try_out(&trial, &is_enough).map_err(Error::io(&self.folder))
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        // What an overlay leaves may be closed to whoever removes it.
        let _ = record::remove_tree(self.scratch.path());
    }
}

/// The texts that some experiments change.
pub fn texts_of<'e>(thread: &Thread, experiments: impl Iterator<Item = &'e Experiment>) -> Texts {
    let mut texts = Texts::new();
    for experiment in experiments {
        let path = &experiment.intervention.path;
        if texts.contains_key(path) {
            continue;
        }
        let unit = experiment.step.site().and_then(|site| thread.code().unit(site));
        if let Some(unit) = unit
            && let Ok(code) = unit.code()
            && let Ok(source) = code.source()
        {
            let kind = source_kind(unit.record.kind);
            let text = CodeText { source: source.to_owned(), kind, table: code.sites.clone() };
            texts.insert(path.clone(), Arc::new(text));
        }
    }
    texts
}

/// 5 × what it takes as it is.
pub fn timeout_of(plain: &Plain) -> Duration {
    (plain.elapsed * 5).max(SHORTEST_TIMEOUT)
}

/// Recording takes longer.
pub fn recording_timeout_of(plain: &Plain) -> Duration {
    plain.elapsed * 30 + Duration::from_secs(20)
}

fn must_be_as_before(tried: &Tried, run: &Run, message: Option<&str>) -> Result<(), Error> {
    match tried.ending {
        TrialEnding::Interrupted => return Err(Error::Experiment("interrupted".into())),
        TrialEnding::TimedOut => {
            return Err(Error::Experiment("the program does not end by itself, so it is not run with changes".into()));
        }
        TrialEnding::TookTooMuchMemory => {
            return Err(Error::Experiment("the program takes more memory than an experiment may".into()));
        }
        TrialEnding::Ended => {}
    }
    let (before, now) = (outcome_of(run), RunOutcome::from(tried.outcome));
    if before != now {
        let how = |outcome| match outcome {
            RunOutcome::Exited(code) => format!("with exit code {code}"),
            RunOutcome::Killed { signal } => format!("by signal {signal}"),
            RunOutcome::Running | RunOutcome::Unfinished => "unfinished".into(),
        };
        return Err(Error::NotReproduced { before: how(before), now: how(now) });
    }
    let first = message.and_then(|message| message.lines().next()).map(bare).filter(|line| !line.is_empty());
    let says = |line: &String| bare(&tried.stdout).contains(line) || bare(&tried.stderr).contains(line);
    match first {
        // What a program never printed cannot be missed.
        Some(line) if !says(&line) && printed_by(run).contains(&line) => Err(Error::NotReproduced {
            before: format!("with `{}`", message.unwrap_or_default()),
            now: "without".into(),
        }),
        _ => Ok(()),
    }
}

fn printed_by(run: &Run) -> String {
    bare(&query::Printed::of_run(run).text())
}

/// Runners break and indent lines.
pub fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The outermost folder around this one that looks as if it were part of the same project.
fn root_of(folder: &Path) -> PathBuf {
    let home = std::env::home_dir();
    let is_project = |folder: &Path| {
        let has = |name: &str| folder.join(name).exists();
        folder.parent().is_some()
            && Some(folder) != home.as_deref()
            && (has("package.json") || has(".git") || has("node_modules"))
    };
    folder.ancestors().skip(1).filter(|folder| is_project(folder)).last().unwrap_or(folder).to_path_buf()
}

/// Not inside of what is copied.
fn scratch_folder(root: &Path) -> PathBuf {
    let usual = std::env::temp_dir();
    if usual.starts_with(root) { "/var/tmp".into() } else { usual }
}

/// Whoever was killed could not clean up.
fn remove_leftovers() {
    for folder in [std::env::temp_dir(), "/var/tmp".into()] {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let owner = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
            if owner.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
                let _ = record::remove_tree(&entry.path());
            }
        }
    }
}

fn not_changed(path: &str, why: instrument::NotInstrumented) -> Error {
    let (instrument::NotInstrumented::SyntaxError(why) | instrument::NotInstrumented::Unfaithful(why)) = why;
    Error::NotInstrumented { path: path.into(), why }
}

fn source_kind(kind: CodeKind) -> SourceKind {
    match kind {
        CodeKind::Script => SourceKind::Script,
        CodeKind::Module => SourceKind::Module,
        CodeKind::CommonJs => SourceKind::CommonJs,
        CodeKind::Eval => SourceKind::Eval,
        CodeKind::FunctionBody => SourceKind::FunctionBody,
    }
}

const PREFIX: &str = "wherefore-experiment-";
const FIRST_TIMEOUT: Duration = Duration::from_secs(60);
const SHORTEST_TIMEOUT: Duration = Duration::from_secs(1);
const MOST_MEMORY: u64 = 2 << 30;
const MOST_KEPT: u64 = 2 << 30;
const MOST_NAMED: usize = 3;
