//! Named steps, as many at once as there are cores; a failed one does not stop the others.
//!
//! What a step prints is kept until it has ended, so that steps do not talk across each other. Steps begin in the order in which they were added: long
//! ones should come first, so that no core waits for the last of them.

use std::any::Any;
use std::collections::VecDeque;
use std::fs;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};

use crate::process;

/// How many of the slowest steps are named at the end.
const NAMED: usize = 10;

/// How many lines of a failed step are printed once more at the end, where a reader of a cut log finds them.
const REPEATED: usize = 60;

/// Which steps are run, and how often.
pub struct Choice {
    /// Those whose name contains this.
    pub only: Option<String>,
    pub shard: Option<Shard>,
    pub repeat: u32,
}

/// One part of all steps, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    part: usize,
    n_parts: usize,
}

pub struct Steps<'a> {
    choice: Choice,
    n_added: usize,
    steps: VecDeque<Step<'a>>,
}

struct Step<'a> {
    name: String,
    work: Box<dyn Fn() -> Result<()> + Send + 'a>,
}

struct Ended {
    name: String,
    took: Duration,
    /// Why it failed, behind the last that it printed.
    failure: Option<String>,
}

impl<'a> Steps<'a> {
    pub fn new(choice: Choice) -> Steps<'a> {
        Steps { choice, n_added: 0, steps: VecDeque::new() }
    }

    pub fn add(&mut self, name: impl Into<String>, work: impl Fn() -> Result<()> + Send + 'a) {
        let name = name.into();
        let Choice { only, shard, .. } = &self.choice;
        let is_in_part = shard.is_none_or(|shard| self.n_added % shard.n_parts == shard.part - 1);
        self.n_added += 1;
        if !is_in_part || only.as_ref().is_some_and(|only| !name.contains(only)) {
            return;
        }
        self.steps.push_back(Step { name, work: Box::new(work) });
    }

    /// Runs them, and gives whether all passed. The last line that is printed counts them.
    pub fn run(self) -> bool {
        let started = Instant::now();
        let repeat = self.choice.repeat;
        let waiting = Mutex::new(self.steps);
        let ended = Mutex::new(Vec::new());
        let n_workers = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            for _ in 0..n_workers {
                scope.spawn(|| {
                    while let Some(Step { name, work }) = next(&waiting) {
                        // One after the other: a step shares folders and ports with itself.
                        for time in 1..=repeat {
                            let name = if repeat == 1 { name.clone() } else { format!("{name}, {time} of {repeat}") };
                            let step = run_one(name, work.as_ref());
                            lock(&ended).push(step);
                        }
                    }
                });
            }
        });
        conclude(ended.into_inner().unwrap_or_else(PoisonError::into_inner), started.elapsed())
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(part, n_parts)| Some((part.parse().ok()?, n_parts.parse().ok()?)));
        match parts {
            Some((part, n_parts)) if (1..=n_parts).contains(&part) => Ok(Shard { part, n_parts }),
            _ => Err(format!("{text} is not a part of the steps; the second of four parts is 2/4")),
        }
    }
}

fn next<'a>(waiting: &Mutex<VecDeque<Step<'a>>>) -> Option<Step<'a>> {
    lock(waiting).pop_front()
}

fn run_one(name: String, work: &dyn Fn() -> Result<()>) -> Ended {
    println!("── {name}: started");
    let started = Instant::now();
    let (outcome, log) = process::with_log(|| catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(panicked));
    let took = started.elapsed();
    let printed = log.and_then(|log| Ok(fs::read(log.path())?)).unwrap_or_default();
    let said = match &outcome {
        Ok(()) => "passed".to_owned(),
        Err(error) => format!("FAILED: {error:#}"),
    };
    let mut out = io::stdout().lock();
    // What cannot be printed has nobody who reads it.
    let _ = writeln!(out, "\n── {name}");
    let _ = out.write_all(&printed);
    let _ = writeln!(out, "── {name}: {:.1} s, {said}", took.as_secs_f64());
    let failure =
        outcome.is_err().then(|| format!("{}\n{said}", last_lines(&String::from_utf8_lossy(&printed), REPEATED)));
    Ended { name, took, failure }
}

fn last_lines(text: &str, n: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(n)..].join("\n")
}

fn panicked(cause: Box<dyn Any + Send>) -> Result<()> {
    let text = cause.downcast_ref::<&str>().copied().or(cause.downcast_ref::<String>().map(String::as_str));
    Err(anyhow!("the step panicked: {}", text.unwrap_or("without a message")))
}

fn conclude(mut ended: Vec<Ended>, took: Duration) -> bool {
    ended.sort_by_key(|step| std::cmp::Reverse(step.took));
    println!("\nthe slowest steps, of {:.0} s for all:", took.as_secs_f64());
    for Ended { name, took, .. } in ended.iter().take(NAMED) {
        println!("{:>7.1} s  {name}", took.as_secs_f64());
    }
    let mut n_failed = 0;
    for Ended { name, failure, .. } in &ended {
        let Some(failure) = failure else { continue };
        n_failed += 1;
        println!("\nfailed: {name}, which ended with\n{failure}");
    }
    println!("\n{} passed, {n_failed} failed", ended.len() - n_failed);
    n_failed == 0
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn a_step_is_repeated_one_time_after_the_other() {
        let mut steps = Steps::new(Choice { only: None, shard: None, repeat: 10 });
        let (n_running, n_times) = (AtomicU32::new(0), AtomicU32::new(0));
        steps.add("a step", || {
            let is_alone = n_running.fetch_add(1, Ordering::SeqCst) == 0;
            thread::sleep(Duration::from_millis(1));
            n_running.fetch_sub(1, Ordering::SeqCst);
            n_times.fetch_add(1, Ordering::SeqCst);
            anyhow::ensure!(is_alone, "it runs twice");
            Ok(())
        });
        assert!(steps.run());
        assert_eq!(n_times.into_inner(), 10);
    }
}
