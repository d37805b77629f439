//! `session_bench RUN -- COMMAND…`: asks one run from eight threads at once, while the command is recorded in the same process again
//! and again, and compares each answer with the one that was given alone. Prints lines of a name and numbers, for
//! bench/sessions.mjs.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use debugger::{
    Answer, CallsRequest, Cancel, Control, Error, FindRequest, Input, Output, OverviewRequest, PageRequest, Question,
    QuestionKind, RecordRequest, RunChoice, Session, StateRequest, StepRequest, StepStride, longest_wait, record,
};
use trials::random::Random;

const N_THREADS: usize = 8;
const N_MOMENTS: usize = 40;
const N_CANCELLED: usize = 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (run, command) = match &arguments[..] {
        [run, separator, command @ ..] if separator == "--" && !command.is_empty() => (PathBuf::from(run), command),
        _ => {
            eprintln!("usage: session_bench RUN -- COMMAND…");
            return ExitCode::FAILURE;
        }
    };
    match measure(&run, command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(run: &Path, command: &[String]) -> Result<(), Error> {
    let session = Session::open(&RunChoice(Some(run.display().to_string())), run)?;
    let (first, end) = events(&session)?;
    println!("events {}", end - first);
    let questions = questions(first, end);
    let mut alone = Vec::new();
    for question in &questions {
        alone.push(told(&session, question));
    }
    let mut times: Vec<Duration> = Vec::new();
    let mut again = Vec::new();
    for question in &questions {
        let started = Instant::now();
        again.push(told(&session, question));
        times.push(started.elapsed());
    }
    print_times("alone", times);
    println!("unstable {}", alone.iter().zip(&again).filter(|(one, other)| one != other).count());
    together(&session, &questions, &again, command);
    cancelled(&session, first, end)?;
    overviews(&session, first, end)?;
    steps_over(&session, first)
}

fn events(session: &Session) -> Result<(u64, u64), Error> {
    let threads = session.ask(&Question::of(QuestionKind::Threads(PageRequest::default())), &Control::default())?;
    let Answer::Threads(threads) = threads.answer else { return Err(Error::NothingRecorded) };
    let largest = threads.items.into_iter().max_by_key(|thread| thread.events.1 - thread.events.0);
    largest.map(|thread| thread.events).ok_or(Error::NothingRecorded)
}

/// Different ones, at moments that chance chooses.
fn questions(first: u64, end: u64) -> Vec<Question> {
    let mut random = Random::new(1);
    let mut questions = Vec::new();
    for number in 0..N_MOMENTS {
        let event = first + random.below(end - first);
        let kind = match number % 8 {
            0 => QuestionKind::State(StateRequest::default()),
            1 => QuestionKind::LastCondition,
            2 => QuestionKind::Here,
            3 => QuestionKind::Step(StepRequest { stride: StepStride::Over, is_back: true }),
            4 => QuestionKind::Step(StepRequest { stride: StepStride::Into, is_back: false }),
            5 => QuestionKind::Overview(OverviewRequest {
                events: Some((first, event.max(first + 1))),
                n_parts: 50,
                own: false,
            }),
            6 => QuestionKind::Find(FindRequest {
                kind: Some("throw".into()),
                page: PageRequest::first(5),
                ..FindRequest::default()
            }),
            _ => QuestionKind::Calls(CallsRequest {
                function: None,
                file: None,
                of_point: true,
                own: false,
                depth: 1,
                page: PageRequest::first(10),
            }),
        };
        questions.push(Question::at(kind, format!("@{event}").parse().ok()));
    }
    questions
}

fn told(session: &Session, question: &Question) -> String {
    format!("{:?}", session.ask(question, &Control::default()).map_err(|error| error.id()))
}

/// All of them by each thread, each beginning elsewhere.
fn together(session: &Session, questions: &[Question], alone: &[String], command: &[String]) {
    let (n_wrong, is_done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let mut times = Vec::new();
    let mut n_recorded = 0;
    // What was waited for before does not count.
    longest_wait();
    std::thread::scope(|scope| {
        let recording = scope.spawn(|| {
            let mut n_recorded = 0;
            while !is_done.load(Ordering::Relaxed) {
                n_recorded += usize::from(recorded_once(command).is_ok());
            }
            n_recorded
        });
        let askers: Vec<_> = (0..N_THREADS)
            .map(|number| {
                let (session, n_wrong) = (session.clone(), &n_wrong);
                scope.spawn(move || {
                    let mut times = Vec::new();
                    for at in (0..questions.len()).map(|at| (at + number * 5) % questions.len()) {
                        let started = Instant::now();
                        if told(&session, &questions[at]) != alone[at] {
                            n_wrong.fetch_add(1, Ordering::Relaxed);
                        }
                        times.push(started.elapsed());
                    }
                    times
                })
            })
            .collect();
        times.extend(askers.into_iter().flat_map(|asker| asker.join().unwrap_or_default()));
        is_done.store(true, Ordering::Relaxed);
        n_recorded = recording.join().unwrap_or(0);
    });
    print_times("waited", vec![longest_wait()]);
    print_times("together", times);
    println!("wrong {}", n_wrong.load(Ordering::Relaxed));
    println!("recorded {n_recorded}");
}

fn recorded_once(command: &[String]) -> Result<(), Error> {
    let folder =
        tempfile::tempdir().map_err(|error| Error::Io { path: std::env::temp_dir(), why: error.to_string() })?;
    let request = RecordRequest {
        run_folder: Some(folder.path().join("run")),
        input: Input::Nothing,
        output: Output::Nothing,
        ..RecordRequest::of(command.to_vec())
    };
    record(&request, folder.path()).map(drop)
}

/// How long a question goes on that was given up.
fn cancelled(session: &Session, first: u64, end: u64) -> Result<(), Error> {
    let mut times = Vec::new();
    for number in 0..N_CANCELLED {
        let cancel = Cancel::default();
        let control = Control { cancel: cancel.clone(), progress: None };
        // No event has such a value, so all are looked at.
        let value = Some(format!("> {}e300", number + 1));
        let request =
            FindRequest { kind: Some("write".into()), value, page: PageRequest::first(5), ..FindRequest::default() };
        let question = Question::at(QuestionKind::Find(request), format!("@{}", (first + end) / 2).parse().ok());
        let since = std::thread::scope(|scope| {
            let asking = scope.spawn(|| matches!(session.ask(&question, &control), Err(Error::Cancelled)));
            std::thread::sleep(Duration::from_millis(40));
            let since = Instant::now();
            cancel.cancel();
            asking.join().unwrap_or(false).then(|| since.elapsed())
        });
        // One that was quicker than the hand that cancels says nothing.
        times.extend(since);
    }
    println!("n-cancelled {}", times.len());
    print_times("cancelled", times);
    Ok(())
}

/// The whole run, and ever smaller parts of it.
fn overviews(session: &Session, first: u64, end: u64) -> Result<(), Error> {
    let mut times = Vec::new();
    let mut size = end - first;
    while size > 100 {
        for start in [first, first + (end - first - size) / 2, end - size] {
            let request = OverviewRequest { events: Some((start, start + size)), n_parts: 200, own: false };
            let question = Question::at(QuestionKind::Overview(request), "end".parse().ok());
            let started = Instant::now();
            session.ask(&question, &Control::default())?;
            times.push(started.elapsed());
        }
        size /= 3;
    }
    print_times("overview", times);
    Ok(())
}

/// Back over the calls that the top level of the program made, from behind the last.
fn steps_over(session: &Session, first: u64) -> Result<(), Error> {
    let (mut times, mut longest) = (Vec::new(), 0);
    // From where it failed.
    let mut at = None;
    for _ in 0..N_MOMENTS {
        let question = Question::at(QuestionKind::Step(StepRequest { stride: StepStride::Over, is_back: true }), at);
        let here = Question { kind: QuestionKind::Here, from: question.from.clone() };
        let Answer::Here(here) = session.ask(&here, &Control::default())?.answer else { break };
        let started = Instant::now();
        let Answer::Step(step) = session.ask(&question, &Control::default())?.answer else { break };
        times.push(started.elapsed());
        let Some(point) = step.point.filter(|point| point.event > first) else { break };
        longest = longest.max(here.event - point.event);
        at = format!("@{}", point.event).parse().ok();
    }
    print_times("step-back", times);
    println!("longest {longest}");
    Ok(())
}

/// The median, the 95th percentile and the longest, in milliseconds.
fn print_times(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |part: f64| times.get(((times.len() as f64 - 1.0) * part) as usize).map_or(0.0, |time| time.as_secs_f64());
    println!("{name} {:.3} {:.3} {:.3}", at(0.5) * 1e3, at(0.95) * 1e3, at(1.0) * 1e3);
}
