//! Rings that nobody empties, or that are to take no more. The program goes on, and what was recorded stays.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{recorder, runtime};
use javascript::JavaScript;
use tempfile::TempDir;
use trace_model::{Event, Languages, Record, TailValues, Value};
use trace_store::Run;

/// Writes far more events than a ring holds, twice: once before it is told to go on.
const PROGRAM: &str = "
const fs = require('fs');
const o = { n: 0 };
function work(times) { for (let i = 0; i < times; i++) o.n = i; }
work(2e5);
const nap = new Int32Array(new SharedArrayBuffer(4));
fs.writeSync(1, process.pid + '\\n');
while (!fs.existsSync('go')) Atomics.wait(nap, 0, 0, 20);
work(6e6);
fs.writeSync(1, 'done ' + o.n + '\\n');
";

/// Where they lie in the header of a ring.
const STOP_AT: u64 = 32;
const PARENT_AT: u64 = 36;

#[test]
fn a_recorder_whose_number_another_process_has() {
    let mut waiting = Waiting::start();
    waiting.recorder.kill().expect("the recorder is killed");
    waiting.recorder.wait().expect("it ends");
    // This process lives, and is not the recorder.
    waiting.write_to_ring(PARENT_AT, std::process::id());
    assert_eq!(waiting.go_on(), "done 5999999\n");
    let run = waiting.run();
    let traced = fs::metadata(run.join(format!("{}-0.trace", waiting.pid))).expect("a trace").len();
    // All chunks but those that the ring still has.
    assert!(traced > 100_000, "{traced} bytes");
    assert_eq!(fs::read_to_string(run.join("problems.txt")).unwrap_or_default(), "");
}

#[test]
fn events_that_find_no_place_are_dropped_behind_a_gap() {
    let mut waiting = Waiting::start();
    waiting.write_to_ring(STOP_AT, 1);
    // From here on the system gives the program no more memory.
    // SAFETY: a plain system call, about a child of a child of ours.
    unsafe {
        let limit = libc::rlimit { rlim_cur: 1, rlim_max: libc::RLIM_INFINITY };
        assert_eq!(libc::prlimit(waiting.pid, libc::RLIMIT_AS, &limit, std::ptr::null_mut()), 0);
    }
    assert_eq!(waiting.go_on(), "done 5999999\n");
    assert!(waiting.recorder.wait().expect("it ends").success());
    let run = waiting.run();
    let problems = fs::read_to_string(run.join("problems.txt")).unwrap_or_default();
    assert!(!problems.contains("failed"), "{problems}");
    let numbers = numbers_written(&run);
    assert!(numbers.len() > 200_000 && numbers.len() < 3_000_000, "{} numbers", numbers.len());
    // What is there is the beginning, without a hole and with nothing from later.
    let expected = (0..200_000).chain(0..);
    let wrong = numbers.iter().zip(expected).position(|(number, expected)| *number != expected);
    assert_eq!(wrong.map(|at| (at, numbers[at])), None);
    assert!(ends_with_gap(&run));
}

/// A program that waits, and its recorder.
struct Waiting {
    folder: TempDir,
    recorder: Child,
    output: BufReader<ChildStdout>,
    pid: i32,
}

impl Waiting {
    fn start() -> Waiting {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("program.js"), PROGRAM).expect("a file");
        let mut recorder = Command::new(recorder());
        recorder
            .arg(runtime())
            .args(["--", "node", "--jitless", "--single-threaded", "program.js"])
            .current_dir(folder.path());
        let mut recorder = recorder.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the recorder starts");
        let mut output = BufReader::new(recorder.stdout.take().expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        Waiting { folder, recorder, output, pid: line.trim().parse().expect("a number") }
    }

    fn run(&self) -> PathBuf {
        self.folder.path().join(".wherefore/runs/1")
    }

    fn write_to_ring(&self, at: u64, word: u32) {
        let ring = self.run().join(format!("{}-0.ring", self.pid));
        let file = fs::OpenOptions::new().write(true).open(ring).expect("the ring");
        file.write_all_at(&word.to_le_bytes(), at).expect("it is written");
    }

    /// What the program prints until it ends.
    fn go_on(&mut self) -> String {
        fs::write(self.folder.path().join("go"), "").expect("a file");
        let (pid, since) = (self.pid, Instant::now());
        let is_over = std::sync::atomic::AtomicBool::new(false);
        let mut text = String::new();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                    if since.elapsed() > Duration::from_secs(60) {
                        // SAFETY: a plain system call.
                        unsafe { libc::kill(pid, libc::SIGKILL) };
                        return;
                    }
                    std::thread::sleep(Duration::from_millis(20));
                }
            });
            self.output.read_to_string(&mut text).expect("text");
            is_over.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        text
    }
}

/// What was written to `o.n`, in turn.
fn numbers_written(run: &Path) -> Vec<u32> {
    let mut numbers = Vec::new();
    each_event(run, &mut |event| {
        if let Event::Site { value: Some(Value::Number(number)), tail: TailValues::Object(Some(_)), .. } = event {
            numbers.push(*number as u32);
        }
    });
    numbers
}

fn ends_with_gap(run: &Path) -> bool {
    let mut is_gap = false;
    each_event(run, &mut |event| is_gap = matches!(event, Event::Record(Record::Gap { .. })));
    is_gap
}

fn each_event(run: &Path, act: &mut dyn FnMut(&Event)) {
    let run = Run::open(run, &Languages::of(&[&JavaScript])).expect("the run");
    run.threads().iter().flat_map(|thread| thread.events()).for_each(|(_, event)| act(&event));
}
