use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use query::omissions::Program;
use query::{Coverage, Evaluation, Failure, Missing, Printed, Scene, SourceAt, Trace};
use trace_model::{EventId, ExprId, SiteId};
use trace_store::{Run, Runs, Step, Target, Thread};

use super::kept_contents::KeptContents;
use super::line_counts::KeptLineCounts;
use super::point_register::{KeptPoint, PointRegister};
use super::resolve::failures_of;
use super::{Point, PointText};
use crate::event_line::relative;
use crate::indexing;
use crate::languages::open_run;
use crate::rerun::told;
use crate::run_list::outcome_of;
use crate::tools::tool_of;
use crate::{Error, RunChoice, RunOutcome};

/// A run that questions are asked of: by any number of threads, and for as long as anybody wants. A clone is of the same run, and
/// costs nothing.
#[derive(Clone)]
pub struct Session {
    opened: Arc<Opened>,
    /// What the run recorded, and what the question that is being answered needs beyond that. Each question has its own.
    coverage: Arc<Coverage>,
    /// Points are shown without numbers.
    is_looking: bool,
}

/// What all questions about a run share.
struct Opened {
    run: Run,
    /// What it printed, once somebody asks.
    printed: OnceLock<Printed>,
    /// The run in which its points were named first, where this one is another execution of it.
    origin: Option<Run>,
    /// From where a file that is named is looked for first: where the person is, and where the program was started.
    folders: Vec<PathBuf>,
    points: Arc<PointRegister>,
    /// What large objects held that were looked at.
    contents: KeptContents,
    line_counts: KeptLineCounts,
    /// What failed, by thread, once somebody asks. Of a run that grows nothing is kept.
    failures: Vec<OnceLock<Vec<Failure>>>,
}

/// A point of a run, from which questions are asked.
pub struct Moment<'r> {
    pub(crate) run: &'r Run,
    folders: &'r [PathBuf],
    /// Of the thread, from 1.
    pub(crate) number: usize,
    pub(crate) trace: Trace<'r>,
    pub(crate) at: At,
    pub(super) kept: &'r KeptContents,
    pub(crate) points: Arc<PointRegister>,
    /// The point as it was named, and the condition that chose among its times.
    pub(crate) asked_at: (Option<PointText>, Option<String>),
    /// It was named by a frame, which no other run has.
    pub(crate) is_of_frame: bool,
    /// Files that were compared with what was recorded.
    pub(crate) checked: RefCell<HashSet<String>>,
    /// What its code could do, once somebody asks.
    pub(crate) program: OnceCell<Program>,
    notes: RefCell<Vec<String>>,
}

/// The moment that a point names.
#[derive(Clone, Debug)]
pub(crate) struct At {
    /// The event that comes next, or the newest one of the frame where an exception was thrown behind it.
    pub step: Step,
    pub scene: Scene,
    /// The expression that a column points at.
    pub focus: Option<Focus>,
    /// Of a crash, where it is shown.
    pub shown: Option<SourceAt>,
}

/// An expression of the source, in an evaluation of it.
#[derive(Clone, Debug)]
pub(crate) struct Focus {
    pub unit: SiteId,
    pub expression: ExprId,
    pub evaluation: Evaluation,
}

impl Session {
    pub fn open(choice: &RunChoice, folder: &Path) -> Result<Session, Error> {
        Ok(Session::new(choice.open(folder)?, None, Some(folder)))
    }

    pub(crate) fn of(run: Run) -> Session {
        Session::new(run, None, None)
    }

    /// Points that are not of this run are those of another, of the same program: what they are is found again in this one.
    pub(crate) fn following(run: Run, origin: Option<Run>) -> Session {
        Session::new(run, origin, None)
    }

    fn new(run: Run, origin: Option<Run>, seen_from: Option<&Path>) -> Session {
        let coverage = Coverage::of(&run.file().policy).into();
        let folders = seen_from.map(PathBuf::from).into_iter().chain([run.file().folder.clone().into()]).collect();
        let points = Arc::new(PointRegister::of_run(run.folder()));
        let (contents, line_counts) = (KeptContents::default(), KeptLineCounts::of(&run));
        let printed = OnceLock::new();
        let failures = match run.is_being_recorded() {
            true => Vec::new(),
            false => run.threads().iter().map(|_| OnceLock::new()).collect(),
        };
        let opened = Arc::new(Opened { run, printed, origin, folders, points, contents, line_counts, failures });
        Session { opened, coverage, is_looking: false }
    }

    /// The same run, of which nothing was asked yet: what one question lacks is no matter of the next.
    pub(crate) fn afresh(&self) -> Session {
        let coverage = Coverage::of(&self.run().file().policy).into();
        Session { opened: self.opened.clone(), coverage, is_looking: self.is_looking }
    }

    /// The same run, for somebody who looks at many points and asks about few: they are shown without numbers, and nothing is
    /// written.
    pub fn looking(&self) -> Session {
        Session { is_looking: true, ..self.clone() }
    }

    pub(super) fn is_looking(&self) -> bool {
        self.is_looking
    }

    /// The same run as it is now, for one that is still being recorded.
    pub fn refreshed(&self) -> Result<Session, Error> {
        let open = |run: &Run| open_run(run.folder());
        let origin = self.opened.origin.as_ref().map(open).transpose()?;
        let mut session = Session::new(open(self.run())?, origin, None);
        if let Some(opened) = Arc::get_mut(&mut session.opened) {
            opened.folders.clone_from(&self.opened.folders);
        }
        Ok(session)
    }

    /// Refuses an answer that rests on what the run did not record.
    pub(crate) fn complete<T>(&self, answer: Result<T, Error>) -> Result<T, Error> {
        let missing = self.missing();
        if missing.is_empty() {
            return answer;
        }
        Err(Error::NotRecorded { what: told(&missing, self.run()), command: self.run().file().command.clone() })
    }

    /// What the answers so far lack, because the run did not record it.
    pub(crate) fn missing(&self) -> Missing {
        self.coverage.missing()
    }

    pub(crate) fn trace<'r>(&'r self, thread: &'r Thread) -> Trace<'r> {
        let number = self.run().threads().iter().position(|known| std::ptr::eq(known, thread));
        let kept = number.and_then(|number| self.opened.failures.get(number));
        Trace::new(thread, &self.coverage).of_run(self.run(), &self.opened.printed).keeping_failures(kept)
    }

    /// Follows what the index does not know yet; questions would do it, but not say how far they are. The index of a small run is
    /// then also written, for the next question.
    pub(crate) fn prepare(&self, progress: &dyn Fn(usize, usize)) {
        self.run().threads().iter().for_each(|thread| thread.prepare(progress));
        if indexing::is_small(self.run()) {
            // Where it cannot be written, the next question does the same.
            let _ = self.run().write_index(&|_, _| {});
        }
    }

    /// Whether its index is missing, takes so long to be made that a question should not wait for it, and nobody makes it.
    pub fn needs_index(&self) -> bool {
        indexing::is_missed(self.run())
    }

    /// Where the run lies.
    pub fn folder(&self) -> &Path {
        self.run().folder()
    }

    /// Where the program was started: the files of points are relative to it.
    pub fn program_folder(&self) -> &Path {
        Path::new(&self.run().file().folder)
    }

    /// Whether somebody else recorded it, and shared it.
    pub fn is_imported(&self) -> bool {
        crate::sharing::is_imported(self.run().file())
    }

    /// Where the runs are that are named beside this one. What an imported run says of its folder is not believed.
    pub(crate) fn project(&self) -> PathBuf {
        match crate::sharing::is_imported(self.run().file()) {
            true => Runs::around(self.folder()).project().into(),
            false => self.program_folder().into(),
        }
    }

    pub fn n_threads(&self) -> usize {
        self.run().threads().len()
    }

    pub(crate) fn run(&self) -> &Run {
        &self.opened.run
    }

    pub(super) fn kept_line_counts(&self) -> &KeptLineCounts {
        &self.opened.line_counts
    }

    /// From where files are named.
    pub(super) fn folders(&self) -> &[PathBuf] {
        &self.opened.folders
    }

    pub(crate) fn points(&self) -> &PointRegister {
        &self.opened.points
    }

    /// The moment of a point; of a line, that of its times at which a condition holds.
    pub(crate) fn moment_when(
        &self,
        point: Option<&PointText>,
        condition: Option<&str>,
        thread: Option<&str>,
    ) -> Result<Moment<'_>, Error> {
        let mut moment = match condition {
            Some(condition) => self.moment_where(point, condition, thread)?,
            None => self.moment_at(point, thread)?,
        };
        moment.asked_at = (point.cloned(), condition.map(str::to_owned));
        Ok(moment)
    }

    /// At the newest time that a line was executed and the condition held, or at the `hit`th of these times.
    fn moment_where(
        &self,
        point: Option<&PointText>,
        condition: &str,
        thread: Option<&str>,
    ) -> Result<Moment<'_>, Error> {
        let Some(PointText::Line { file, line, column, hit }) = point else {
            return Err(Error::Usage(
                "a condition chooses among the times of a line: the point has to be one, for example app.js:22".into(),
            ));
        };
        let on_line = |hit| PointText::Line { file: file.clone(), line: *line, column: *column, hit };
        let last = self.moment_at(Some(&on_line(None)), thread)?;
        let n_hits = last.n_hits(file, *line, *column);
        // A line may be that of several functions, and the names of one of them mean nothing in another.
        let unknown: RefCell<Option<Error>> = RefCell::default();
        let knows = Cell::new(false);
        let holds = |hit: u64| -> Result<Option<Moment<'_>>, Error> {
            let moment = self.moment_at(Some(&on_line(Some(hit))), thread)?;
            let is_true = match moment.datum(Some(condition)) {
                Err(error @ Error::NoSuchName { .. }) => {
                    unknown.borrow_mut().get_or_insert(error);
                    false
                }
                value => {
                    knows.set(true);
                    moment.trace.truth_of(&value?) == Some(true)
                }
            };
            Ok(is_true.then_some(moment))
        };
        let found = match hit {
            None => (1..=n_hits).rev().find_map(|hit| holds(hit).transpose()),
            Some(wanted) => (1..=n_hits).filter_map(|hit| holds(hit).transpose()).nth(*wanted as usize - 1),
        };
        found.unwrap_or_else(|| match unknown.into_inner().filter(|_| !knows.get()) {
            Some(error) => Err(error),
            None => Err(Error::NeverTrue { condition: condition.into(), point: on_line(None).to_string(), n_hits }),
        })
    }

    /// The moment of a point: of the thread that has it, or of this one. Without a point at the crash, or else at the end.
    pub(crate) fn moment_at(&self, point: Option<&PointText>, thread: Option<&str>) -> Result<Moment<'_>, Error> {
        if let (Some(PointText::Answer(number)), Some(origin)) = (point, &self.opened.origin)
            && !matches!(self.points().point(*number), Ok(KeptPoint::Event { .. } | KeptPoint::Crash { .. }))
        {
            return self.moment_again(origin, *number, thread);
        }
        if let Some(moment) = point.and_then(|point| self.before_explained(point, thread)) {
            return Ok(moment);
        }
        // A test that failed is the failure of the run, though no exception ended it.
        let (crash, was_left_out) = (PointText::Crash, point.is_none());
        let point = if point.is_none() && self.tells_of_failed_tests() { Some(&crash) } else { point };
        let mut threads = self.threads(thread)?;
        if let Some(PointText::Answer(number)) = point {
            let kept =
                self.points().point(*number).map_err(|n_points| Error::NoSuchAnswer { wanted: *number, n_points })?;
            threads.retain(|(number, _)| Some(*number) == kept.thread());
        }
        if matches!(point, None | Some(PointText::Crash)) {
            // The one that failed, or failed first; of a point that is not named, only one that an exception ended.
            threads = self.by_failure(threads, point.is_some());
        }
        let mut refusal: Option<Error> = None;
        for (number, thread) in threads {
            let trace = self.trace(thread);
            match self.at(&trace, point) {
                Ok(at) => return Ok(self.new_moment(number, trace, at)),
                // The thread that comes nearest says why.
                Err(error) if refusal.as_ref().is_none_or(|other| nearness(&error) > nearness(other)) => {
                    refusal = Some(error);
                }
                Err(_) => {}
            }
        }
        if !self.has_code()
            && let Some(why) = self.nothing_to_explain()
        {
            return Err(why);
        }
        match (point, refusal) {
            // A run without a failure is asked about its end.
            (Some(PointText::Crash), Some(Error::NoCrash)) if was_left_out => {
                self.moment_at(Some(&PointText::End), thread)
            }
            (None, _) => self.moment_at(Some(&PointText::End), thread),
            (_, Some(Error::NoSuchFile { file, .. })) if self.run().leaves_files_out() => Err(Error::LeftOut { file }),
            (_, Some(Error::NoSuchFile { file, .. })) if tool_of(self.run(), &file).is_some() => {
                let package = tool_of(self.run(), &file).unwrap_or_default();
                Err(Error::OfTool { file, package })
            }
            (_, Some(error)) => Err(error.with_files(|path| relative(path, &self.run().file().folder).to_owned())),
            (_, None) => Err(Error::NothingRecorded),
        }
    }

    pub(super) fn has_code(&self) -> bool {
        self.run().threads().iter().any(|thread| !thread.code().units().is_empty())
    }

    /// Threads whose failure is surer come first, and of those the one that reported it first.
    fn by_failure<'t>(&self, threads: Vec<(usize, &'t Thread)>, counts_all: bool) -> Vec<(usize, &'t Thread)> {
        if threads.len() < 2 {
            return threads;
        }
        let mut ranked: Vec<_> = threads
            .into_iter()
            .map(|(number, thread)| {
                let failure = match counts_all || super::why::has_uncaught(thread) {
                    true => failures_of(&self.trace(thread)).into_iter().next(),
                    false => None,
                };
                (failure.map(|failure| failure.standing.key()), number, thread)
            })
            .collect();
        ranked.sort_by(|(one, ..), (other, ..)| match (one, other) {
            (Some(one), Some(other)) => one.cmp(other),
            _ => other.is_some().cmp(&one.is_some()),
        });
        ranked.into_iter().map(|(_, number, thread)| (number, thread)).collect()
    }

    /// The event of a point, in the thread of another.
    pub(crate) fn event_of(&self, point: &PointText, of: &Moment) -> Result<EventId, Error> {
        // One of another run is found again first, and has its number then.
        if let (PointText::Answer(_), Some(_)) = (point, &self.opened.origin) {
            self.moment_at(Some(point), None)?;
        }
        Ok(self.at(&of.trace, Some(point))?.scene.before)
    }

    /// The moment that a point names in a thread. A file is the one that is seen from here under its name, if there is one.
    fn at(&self, trace: &Trace, point: Option<&PointText>) -> Result<At, Error> {
        let Some(PointText::Line { file, line, column, hit }) = point else {
            return super::resolve::at(self.run(), trace, point);
        };
        let meant = super::files::meant(&self.opened.folders, trace.thread, file);
        let point = PointText::Line { file: meant, line: *line, column: *column, hit: *hit };
        super::resolve::at(self.run(), trace, Some(&point)).map_err(|error| error.named(file))
    }

    pub(super) fn new_moment<'r>(&'r self, number: usize, trace: Trace<'r>, at: At) -> Moment<'r> {
        let moment = Moment {
            run: self.run(),
            folders: &self.opened.folders,
            number,
            trace,
            at,
            kept: &self.opened.contents,
            points: match self.is_looking {
                true => Arc::new(PointRegister::none()),
                false => self.opened.points.clone(),
            },
            asked_at: (None, None),
            is_of_frame: false,
            checked: RefCell::default(),
            program: OnceCell::new(),
            notes: RefCell::new(self.run().notes().to_vec()),
        };
        match outcome_of(self.run()) {
            RunOutcome::Running => {
                moment.note("this run is still being recorded: the answer is of what there is so far")
            }
            RunOutcome::Unfinished => {
                moment.note("the recorder of this run was ended before the program: its last moments may be missing");
            }
            RunOutcome::Exited(_) | RunOutcome::Killed { .. } => {}
        }
        if self.run().leaves_files_out() {
            moment.note("files were left out of this run (--include, --exclude): what their code changed is not known");
        }
        if moment.trace.thread.first_event().0 > 0 {
            moment
                .note("only the newest part of this run was kept: the times that a line was reached are counted there");
        }
        moment
    }

    /// Those that may be meant, with their numbers.
    pub(crate) fn threads(&self, wanted: Option<&str>) -> Result<Vec<(usize, &Thread)>, Error> {
        let numbered = self.run().threads().iter().enumerate().map(|(i, thread)| (i + 1, thread));
        let Some(wanted) = wanted else { return Ok(numbered.collect()) };
        let chosen: Vec<_> =
            numbered.filter(|(number, thread)| number.to_string() == wanted || thread.name() == wanted).collect();
        match chosen.is_empty() {
            true => Err(Error::NoSuchThread { wanted: wanted.into(), n_threads: self.run().threads().len() }),
            false => Ok(chosen),
        }
    }
}

impl Session {
    /// At an event of a thread.
    pub(crate) fn moment_of_step<'r>(&'r self, number: usize, trace: Trace<'r>, step: Step) -> Option<Moment<'r>> {
        let scene = trace.scene(&step)?;
        Some(self.new_moment(number, trace, At { step, scene, focus: None, shown: None }))
    }
}

impl Moment<'_> {
    /// The further events of a step's frame that are of the same statement, in order.
    pub(crate) fn statement_from(&self, step: &Step) -> Vec<Step> {
        let statement = |step: &Step| Some(self.trace.code(step.site()?)?.site_facts(step.site()?).statement);
        let Some(frame) = step.frame else { return Vec::new() };
        let mut found = Vec::new();
        let mut from = EventId(step.id.0 + 1);
        while let Some(next) =
            self.trace.next(&Target::InFrame(frame), from).filter(|_| found.len() < MOST_OF_STATEMENT)
        {
            from = EventId(next.id.0 + 1);
            match next.site() {
                Some(_) if statement(&next) != statement(step) => break,
                Some(_) => found.push(next),
                None => {}
            }
        }
        found
    }

    /// The line of an event: two experiments on one line are about one place.
    pub(crate) fn line_of(&self, step: &Step) -> (String, u32) {
        let place = step.site().and_then(|site| self.trace.site(site)?.place());
        place.map_or_else(Default::default, |place| (place.path.to_owned(), place.position.line))
    }
}

const MOST_OF_STATEMENT: usize = 50;

impl<'r> Moment<'r> {
    /// At an event of another thread of the run. Notes are not its own.
    pub(crate) fn beside(&self, number: usize, step: Step) -> Option<Moment<'r>> {
        let trace = self.trace.beside(self.run.threads().get(number - 1)?);
        let scene = trace.scene(&step)?;
        Some(Moment {
            run: self.run,
            folders: self.folders,
            number,
            trace,
            at: At { step, scene, focus: None, shown: None },
            kept: self.kept,
            points: self.points.clone(),
            asked_at: (None, None),
            is_of_frame: false,
            checked: RefCell::default(),
            program: OnceCell::new(),
            notes: RefCell::default(),
        })
    }
}

impl Moment<'_> {
    /// How often the line at which it stands was executed, or the expression at a column of it.
    pub(super) fn n_hits(&self, file: &str, line: u32, column: Option<u32>) -> u64 {
        if column.is_some() {
            return self.here().n_hits.unwrap_or(1);
        }
        // A failure may be the last of the times, and have left no event.
        let n_recorded = self.trace.line(&self.file_meant(file), line, None).map_or(0, |known| known.n_hits);
        n_recorded + u64::from(self.at.shown.is_some())
    }

    /// Where it is.
    pub(crate) fn here(&self) -> Point {
        match (&self.at.focus, self.at.shown) {
            (Some(focus), _) => {
                let code = self.trace.code(focus.unit);
                let span = code.as_ref().map(|code| code.expression(focus.expression).span);
                self.point_at(&self.at.step, code.map(|code| code.unit), span)
            }
            (None, Some(shown)) => self.crash_point(&self.at.step, shown),
            (None, None) => self.point(&self.at.step),
        }
    }

    /// The path of a file that is seen from here; else the name as it is, which may be the end of a path.
    pub(crate) fn file_meant(&self, file: &str) -> String {
        super::files::meant(self.folders, self.trace.thread, file)
    }

    /// What the person should know beside the answer.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.notes.borrow().clone()
    }

    pub(crate) fn note(&self, note: impl Into<String>) {
        let note = note.into();
        let mut notes = self.notes.borrow_mut();
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
}

/// What is said of one thread is not said again of another.
pub(super) fn add_notes(all: &mut Vec<String>, notes: Vec<String>) {
    for note in notes {
        if !all.contains(&note) {
            all.push(note);
        }
    }
}

fn nearness(error: &Error) -> u8 {
    match error {
        Error::NoSuchHit { .. } => 5,
        Error::NeverExecuted { .. } => 4,
        Error::NoCode { .. } => 3,
        Error::NoSuchOutput { n_lines: 1.., .. } => 3,
        Error::AmbiguousFile { .. } | Error::CompiledFile { .. } => 2,
        _ => 1,
    }
}
