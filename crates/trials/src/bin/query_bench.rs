//! `query_bench choose RUN N`   prints N random questions, one a line
//! `query_bench ask RUN`        answers the questions on stdin, and prints what that took
//! `query_bench size RUN`       prints the number of events and of bytes
//!
//! Prints lines of a name and numbers, for bench/query.mjs.

use std::io::{BufRead, stdin};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use query::Trace;
use trace_store::Run;
use trials::timing::{KINDS, ask, choose, largest, read, scan, written};

const SEED: u64 = 1;
const OPENINGS: usize = 5;
/// A kind of question that takes longer in all is broken anyhow.
const MOST_TIME: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["choose", run, n] => print_questions(Path::new(run), n.parse().unwrap_or(0)),
        ["ask", run] => answer(Path::new(run)),
        ["size", run] => print_size(Path::new(run)),
        _ => Err("usage: query_bench choose RUN N | ask RUN | size RUN".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn print_questions(run: &Path, n: usize) -> Result<(), String> {
    let run = Run::open(run).map_err(|error| error.to_string())?;
    let thread = largest(&run).ok_or("nothing was recorded")?;
    choose(thread, n, SEED).iter().for_each(|question| println!("{}", written(question)));
    Ok(())
}

fn answer(folder: &Path) -> Result<(), String> {
    let questions: Vec<_> = stdin().lock().lines().map_while(Result::ok).filter_map(|line| read(&line)).collect();
    let mut opened = Vec::new();
    for _ in 0..OPENINGS {
        let started = Instant::now();
        let run = Run::open(folder).map_err(|error| error.to_string())?;
        largest(&run).ok_or("nothing was recorded")?;
        opened.push(started.elapsed());
    }
    print_times("opening", &mut opened);
    let run = Run::open(folder).map_err(|error| error.to_string())?;
    let thread = largest(&run).ok_or("nothing was recorded")?;
    println!("events {}", thread.end().0);
    println!("memory-open {}", peak_memory());
    for kind in KINDS {
        let mut n_in_answers = 0;
        let mut worst = (Duration::ZERO, 0, None);
        let mut times: Vec<Duration> = Vec::new();
        let started = Instant::now();
        for question in &questions {
            if started.elapsed() > MOST_TIME {
                break;
            }
            // A question to the debugger begins with nothing remembered of the last one.
            let coverage = query::Coverage::of(&trace_model::Policy::full());
            let trace = Trace::new(thread, &javascript::JavaScript, &coverage.into());
            let (time, n) = ask(&trace, kind, question);
            n_in_answers += n;
            if time > worst.0 {
                worst = (time, n, Some(question));
            }
            times.push(time);
        }
        let n_answered = times.len();
        print_times(kind, &mut times);
        println!("answered-{} {n_answered}", kind.replace(' ', "-"));
        eprintln!("{kind}: {n_in_answers} in the answers; slowest {:?} with {} in it: {:?}", worst.0, worst.1, worst.2);
        println!("memory-{} {}", kind.replace(' ', "-"), peak_memory());
    }
    let (n, time) = scan(thread, 2);
    println!("scan {:.0}", n as f64 / time.as_secs_f64());
    println!("memory-scan {}", peak_memory());
    Ok(())
}

fn print_size(folder: &Path) -> Result<(), String> {
    let run = Run::open(folder).map_err(|error| error.to_string())?;
    let n_events: u64 = run.threads().iter().map(|thread| thread.end().0 - thread.first_event().0).sum();
    println!("size {n_events} {}", run.size());
    Ok(())
}

/// Median, 99th percentile and maximum in milliseconds.
fn print_times(name: &str, times: &mut [Duration]) {
    times.sort();
    let at = |part: f64| times.get(((times.len() as f64 * part) as usize).min(times.len().saturating_sub(1))).copied();
    let milliseconds = |time: Option<Duration>| time.unwrap_or_default().as_secs_f64() * 1e3;
    println!(
        "{} {:.3} {:.3} {:.3}",
        name.replace(' ', "-"),
        milliseconds(at(0.5)),
        milliseconds(at(0.99)),
        milliseconds(at(1.0))
    );
}

/// The most memory that this process ever had, in bytes.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}
