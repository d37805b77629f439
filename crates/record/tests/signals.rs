//! Signals of this very process while it records: whom they reach, and that nothing is changed for who does not want it. One test, as
//! signals are those of all tests of a process. Needs the addon (`cargo xtask build`).

use std::mem::MaybeUninit;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use record::{Ending, Input, Output, ProgramExit, Recorded, RunSpec, SignalsOf, run};

const USUAL: [i32; 7] =
    [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGUSR1, libc::SIGUSR2, libc::SIGALRM];

#[test]
fn signals_reach_the_programs_that_they_belong_to() {
    let folder = tempfile::tempdir().expect("a folder");
    // As `nohup` would have it; and a shell that starts these tests in the background has them ignore an interrupt.
    // SAFETY: nothing of ours runs at a signal that is ignored or ends the process.
    unsafe {
        libc::signal(libc::SIGHUP, libc::SIG_IGN);
        libc::signal(libc::SIGINT, libc::SIG_DFL);
        libc::signal(libc::SIGQUIT, libc::SIG_DFL);
    };
    let before = USUAL.map(handler);

    // Nobody asks for signals: nothing is changed, and the program has a group of its own.
    let alone = Program::new(folder.path(), SignalsOf::ThisProcess);
    let recorded = thread::scope(|scope| {
        let running = scope.spawn(|| alone.record());
        alone.wait_for("up");
        assert_eq!(USUAL.map(handler), before);
        assert_ne!(alone.group(), group_of(std::process::id()));
        alone.spec.cancel.cancel();
        running.join().expect("a thread")
    });
    assert_eq!(recorded.ending, Ending::Cancelled);

    // Two want them, a third does not.
    let [first, second] = [(); 2].map(|()| Program::new(folder.path(), SignalsOf::TheProgram));
    let third = Program::new(folder.path(), SignalsOf::ThisProcess);
    thread::scope(|scope| {
        let running = [&first, &second, &third].map(|program| {
            let recording = scope.spawn(|| program.record());
            program.wait_for("up");
            recording
        });
        assert_eq!(first.group(), group_of(std::process::id()));
        let during = USUAL.map(handler);
        assert_eq!(during[2], libc::SIG_IGN, "what was ignored stays so, for the programs too");
        assert!(during.iter().enumerate().all(|(at, now)| at == 2 || *now != before[at]));
        send(libc::SIGUSR2);
        first.wait_for("SIGUSR2");
        second.wait_for("SIGUSR2");
        // An end is passed on as well, and does not end us.
        send(libc::SIGTERM);
        let [first, second, third_recording] = running;
        for recording in [first, second] {
            let recorded = recording.join().expect("a thread");
            assert_eq!((recorded.ending, recorded.outcome), (Ending::Interrupted, ProgramExit::Exited(7)));
            assert_eq!(recorded.notes, ["the run was interrupted"]);
        }
        assert_eq!(third.text(), "up\n", "it heard nothing");
        third.spec.cancel.cancel();
        let recorded = third_recording.join().expect("a thread");
        // It does hear the SIGTERM of the cancel.
        assert_eq!((recorded.ending, recorded.outcome), (Ending::Cancelled, ProgramExit::Exited(7)));
    });
    assert_eq!(USUAL.map(handler), before, "everything is as it was");

    // A run that is over and interrupted says nothing about the next.
    let next = Program::new(folder.path(), SignalsOf::TheProgram);
    let recorded = thread::scope(|scope| {
        let running = scope.spawn(|| next.record());
        next.wait_for("up");
        next.spec.cancel.cancel();
        running.join().expect("a thread")
    });
    assert_eq!(recorded.ending, Ending::Cancelled);
}

struct Program {
    spec: RunSpec,
    printed: Arc<Mutex<Vec<u8>>>,
}

const LISTENS: &str = "
    process.on('SIGUSR2', () => console.log('SIGUSR2'));
    process.on('SIGTERM', () => process.exit(7));
    setInterval(() => {}, 1000);
    console.log('up');
    console.error(process.pid);
";

impl Program {
    fn new(folder: &Path, signals: SignalsOf) -> Program {
        let printed: Arc<Mutex<Vec<u8>>> = Arc::default();
        let sink = printed.clone();
        let command = ["node", "-e", LISTENS].map(String::from).to_vec();
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packages/runtime");
        let runtime = runtime.canonicalize().expect("the runtime");
        let spec = RunSpec {
            signals,
            input: Input::Nothing,
            output: Output::Sink(Arc::new(move |_, bytes| sink.lock().expect("alone").extend(bytes))),
            timeout: Some(Duration::from_secs(120)),
            ..RunSpec::new(command, folder.into(), runtime)
        };
        Program { spec, printed }
    }

    fn record(&self) -> Recorded {
        run(&self.spec).expect("it runs")
    }

    /// Without its number.
    fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.printed.lock().expect("alone")).into_owned();
        text.lines().filter(|line| line.parse::<u32>().is_err()).map(|line| format!("{line}\n")).collect()
    }

    fn wait_for(&self, text: &str) {
        let since = Instant::now();
        while !self.text().contains(text) {
            assert!(since.elapsed() < Duration::from_secs(60), "the program does not print {text}");
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn group(&self) -> i32 {
        loop {
            let text = String::from_utf8_lossy(&self.printed.lock().expect("alone")).into_owned();
            if let Some(pid) = text.lines().find_map(|line| line.parse().ok()) {
                return group_of(pid);
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

fn group_of(pid: u32) -> i32 {
    // SAFETY: a plain system call.
    unsafe { libc::getpgid(pid as i32) }
}

fn send(signal: i32) {
    // SAFETY: a plain system call; the signal is handled.
    assert_eq!(unsafe { libc::kill(std::process::id() as i32, signal) }, 0);
}

/// What this process does at a signal.
fn handler(signal: i32) -> usize {
    let mut action: MaybeUninit<libc::sigaction> = MaybeUninit::zeroed();
    // SAFETY: the call fills the action, and all of zeros is one already.
    unsafe {
        assert_eq!(libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()), 0);
        action.assume_init().sa_sigaction
    }
}
