//! One run of a program that is run many times: its input, its end, its driver. Needs the addon (`cargo xtask build`).

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{recorder, runtime};
use tempfile::TempDir;
use trace_format::RunFile;

const READS_ALL: &str = "
    let text = '';
    process.stdin.on('data', (d) => { text += d; }).on('end', () => console.log('all', text.length, text.slice(0, 9)));
";
const READS_A_LINE: &str = "
    require('readline').createInterface(process.stdin).once('line', (l) => { console.log('line', l); process.exit(0); });
";
const ECHOES: &str = "process.stdin.on('data', (d) => process.stdout.write(d)); process.stdout.write('ready');";
const IGNORES: &str = "console.log('done')";
const KIND: &str = "
    const s = require('fs').fstatSync(0);
    console.log(s.isFIFO() ? 'pipe' : s.isFile() ? 'file' : 'other', JSON.stringify(require('fs').readFileSync(0, 'utf8')));
";
/// Says that it listens, answers each request, and crashes when asked to.
const SERVER: &str = "
    const server = require('http').createServer((request, response) => {
      if (request.url === '/crash') throw new Error('asked to');
      response.end('hello');
    });
    server.listen(0, '127.0.0.1');
";
const DRIVER: &str = "
    require('http').get({ port: process.env.PORT, path: process.argv[1], agent: false }, (response) => {
      response.on('data', (d) => console.log('answer', String(d)));
    }).on('error', () => process.exit(7));
";

#[test]
fn input_is_kept_and_given_again() {
    let big = "0123456789abcde\n".repeat(100_000);
    for input in ["", "one\ntwo\n", &big] {
        let place = Place::new();
        let first = place.record(&["--keep", "kept"], READS_ALL, From::Pipe(input));
        let expected = format!("all {} {}\n", input.len(), &input[..input.len().min(9)]);
        assert_eq!(first.stdout, expected);
        assert_eq!(first.report, "Ended Whole");
        assert_eq!(place.read("kept"), input);
        // What our own stdin is does not matter any more.
        for again in [From::Pipe("something else"), From::OpenPipe, From::Null] {
            let again = place.record(&["--from", "kept"], READS_ALL, again);
            assert_eq!((again.stdout, again.report.as_str()), (expected.clone(), "Ended NotAsked"));
        }
    }
}

#[test]
fn input_arrives_as_it_comes() {
    let place = Place::new();
    let mut child = place.start(&["--keep", "kept"], ECHOES, Stdio::piped());
    let (mut to, mut from) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
    let mut expect = |text: &str| {
        let mut bytes = vec![0; text.len()];
        from.read_exact(&mut bytes).expect("an echo");
        assert_eq!(String::from_utf8_lossy(&bytes), text);
    };
    expect("ready");
    for word in ["first", "second"] {
        to.write_all(word.as_bytes()).expect("it reads");
        expect(word);
    }
    drop(to);
    assert!(child.wait().expect("it ends").success());
    assert_eq!(place.read("kept"), "firstsecond");
}

#[test]
fn a_program_that_ends_early_loses_no_input() {
    let place = Place::new();
    // The other end stays open: nobody may wait for its end.
    let mut child = place.start(&["--keep", "kept"], READS_A_LINE, Stdio::piped());
    let mut to = child.stdin.take().expect("a pipe");
    to.write_all(b"one\ntwo\nthree\n").expect("a pipe takes that");
    let ran = place.finish(child);
    assert_eq!((ran.stdout.as_str(), ran.report.as_str()), ("line one\n", "Ended Part"));
    assert_eq!(place.read("kept"), "one\ntwo\nthree\n");
    drop(to);

    let again = place.record(&["--from", "kept"], READS_A_LINE, From::OpenPipe);
    assert_eq!(again.stdout, "line one\n");
}

#[test]
fn a_program_that_ignores_its_input_is_not_waited_for() {
    let place = Place::new();
    let open = place.record(&["--keep", "kept"], IGNORES, From::OpenPipe);
    assert_eq!((open.stdout.as_str(), open.report.as_str()), ("done\n", "Ended Part"));
    assert_eq!(place.read("kept"), "");

    // More than all the pipes hold, from who never stops.
    let mut yes = Command::new("yes").stdout(Stdio::piped()).spawn().expect("yes");
    let out = yes.stdout.take().expect("a pipe");
    let endless = place.finish(place.start(&["--keep", "kept"], IGNORES, out.into()));
    assert_eq!((endless.stdout.as_str(), endless.report.as_str()), ("done\n", "Ended Part"));
    assert!(place.read("kept").starts_with("y\ny\n"));
    yes.kill().expect("yes ends");
    yes.wait().expect("yes ends");

    fs::write(place.path("big"), "x".repeat(1_000_000)).expect("a file");
    let from = place.record(&["--from", "big"], IGNORES, From::OpenPipe);
    assert_eq!(from.stdout, "done\n");
}

#[test]
fn the_program_finds_the_same_kind_of_input_again() {
    let place = Place::new();
    fs::write(place.path("in"), "from a file").expect("a file");
    let expected = "file \"from a file\"\n";
    let first = place.record(&["--keep", "kept"], KIND, From::File("in"));
    assert_eq!((first.stdout.as_str(), first.report.as_str()), (expected, "Ended Whole"));
    assert_eq!(place.read("kept"), "from a file");
    assert_eq!(place.record(&["--from", "kept"], KIND, From::File("in")).stdout, expected);

    // A file that the program does not read is kept whole too.
    place.record(&["--keep", "kept again"], IGNORES, From::File("in"));
    assert_eq!(place.read("kept again"), "from a file");

    assert_eq!(place.record(&["--keep", "kept"], KIND, From::Null).stdout, "other \"\"\n");
    assert_eq!(place.record(&["--from", "kept"], KIND, From::Null).stdout, "other \"\"\n");
    assert_eq!(place.record(&["--keep", "kept"], KIND, From::Pipe("abc")).stdout, "pipe \"abc\"\n");
    assert_eq!(place.record(&["--from", "kept"], KIND, From::Pipe("")).stdout, "pipe \"abc\"\n");
}

#[test]
fn a_terminal_stays_the_program_s_own() {
    let place = Place::new();
    let (mut person, terminal) = terminal();
    let program = "process.stdin.once('data', (d) => { console.log(process.stdin.isTTY, String(d)); process.exit(); })";
    let child = place.start(&["--keep", "kept"], program, terminal.into());
    person.write_all(b"typed\n").expect("a terminal takes that");
    let ran = place.finish(child);
    assert_eq!((ran.stdout.as_str(), ran.report.as_str()), ("true typed\n\n", "Ended Terminal"));
    assert!(!place.path("kept").exists());
}

#[test]
fn what_is_no_file_is_said() {
    let place = Place::new();
    let ran = place.record(&["--from", "nothing"], IGNORES, From::Null);
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.starts_with("cannot use nothing for the input of the program: "), "{}", ran.stderr);
    assert!(!place.path(".wherefore/runs/1").exists(), "a run in which nothing ran");
}

#[test]
fn a_timeout_stops_what_does_not_end() {
    let busy = "while (true) {}";
    let deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
    for (program, signal) in [(busy, libc::SIGTERM), (deaf, libc::SIGKILL)] {
        let place = Place::new();
        let ran = place.record(&["--timeout-ms", "3000"], program, From::Null);
        assert_eq!(ran.report, "TimedOut NotAsked\nthe program still ran after 3s and was stopped");
        assert_eq!(ran.signal, Some(signal));
        assert!(place.n_events() > 0, "what had happened is there");
    }
    let place = Place::new();
    let in_time = place.record(&["--timeout-ms", "60000"], IGNORES, From::Null);
    assert_eq!((in_time.stdout.as_str(), in_time.report.as_str()), ("done\n", "Ended NotAsked"));
}

#[test]
fn a_timeout_stops_all_children() {
    // One is a plain child, one does not hear SIGTERM, one has lost its parent.
    let program = "
        const { spawn } = require('child_process');
        const fs = require('fs');
        const waits = (name, before) => `${before} require('fs').writeFileSync('${name}', String(process.pid)); setInterval(() => {}, 1000);`;
        spawn('node', ['-e', waits('plain', '')]);
        spawn('node', ['-e', waits('deaf', 'process.on(\"SIGTERM\", () => {});')]);
        spawn('sh', ['-c', 'node -e \"$0\" &', waits('orphan', '')], { detached: true, stdio: 'ignore' });
        setInterval(() => {}, 1000);
    ";
    let place = Place::new();
    let ran = place.record(&["--timeout-ms", "8000"], program, From::Null);
    assert_eq!(ran.report, "TimedOut NotAsked\nthe program still ran after 8s and was stopped");
    for name in ["plain", "deaf", "orphan"] {
        let pid = place.read(name);
        assert!(!runs(&pid), "{name} still runs");
    }
}

#[test]
fn an_interrupted_run_can_be_read() {
    let place = Place::new();
    let program = "process.stdout.write('going'); while (true) {}";
    let mut child = place.start(&[], program, Stdio::null());
    let mut bytes = [0; 5];
    child.stdout.as_mut().expect("a pipe").read_exact(&mut bytes).expect("it goes");
    // SAFETY: a plain system call.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    let ran = place.finish(child);
    assert_eq!(ran.signal, Some(libc::SIGINT));
    assert_eq!(ran.report, "Interrupted NotAsked\nthe run was interrupted");
    assert!(place.n_events() > 0, "what had happened is there");
}

#[test]
fn an_interrupted_program_may_end_as_it_likes() {
    let place = Place::new();
    let program =
        "process.on('SIGINT', () => process.exit(0)); setInterval(() => {}, 1000); process.stdout.write('going');";
    let mut child = place.start(&[], program, Stdio::null());
    let mut bytes = [0; 5];
    child.stdout.as_mut().expect("a pipe").read_exact(&mut bytes).expect("it goes");
    // SAFETY: a plain system call.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    let ran = place.finish(child);
    assert_eq!((ran.signal, ran.report.as_str()), (None, "Interrupted NotAsked\nthe run was interrupted"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_is_driven_and_stopped() {
    let place = Place::new();
    fs::write(place.path("driver.js"), format!("process.argv.splice(1, 1);{DRIVER}")).expect("a file");
    let drive = "node driver.js /hello";
    let ran = place.record(&["--drive", drive], SERVER, From::Null);
    assert_eq!(ran.report, "Driven (Exited(0)) NotAsked");
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", "answer hello\n"));
    assert_eq!(ran.signal, Some(libc::SIGTERM));
    assert!(place.n_events() > 0, "what had happened is there");

    // A child of a shell, on all addresses.
    fs::write(place.path("server.js"), SERVER.replace("0, '127.0.0.1'", "0")).expect("a file");
    let command = ["sh", "-c", "node server.js; echo over"];
    let ran = place.finish(place.start_command(&["--drive", drive], &command, Stdio::null()));
    assert!(ran.report.starts_with("Driven"), "{}", ran.report);
    assert_eq!(ran.stderr, "answer hello\n");
}

#[cfg(target_os = "linux")]
#[test]
fn how_the_driver_went_is_said() {
    let place = Place::new();
    fs::write(place.path("driver.js"), format!("process.argv.splice(1, 1);{DRIVER}")).expect("a file");

    let failing = place.record(&["--drive", "exit 3"], SERVER, From::Null);
    let expected = "Driven (Exited(3)) NotAsked\nthe driver failed: it ended with exit code 3";
    assert_eq!(failing.report, expected);

    let crash = place.record(&["--drive", "node driver.js /crash"], SERVER, From::Null);
    let expected = "Ended NotAsked\nthe program ended before the driver, which ended with exit code 7";
    assert_eq!((crash.report.as_str(), crash.signal), (expected, None));
    assert!(crash.stderr.contains("Error: asked to"), "{}", crash.stderr);

    let slow = place.record(&["--drive", "node driver.js /crash; sleep 60"], SERVER, From::Null);
    assert_eq!(slow.report, "Ended NotAsked\nthe program ended before the driver, which was stopped");

    let deaf = place.record(&["--drive", "echo started", "--timeout-ms", "60000"], IGNORES, From::Null);
    let expected = "Ended NotAsked\nthe program ended before it listened on a port, so the driver was not started";
    assert_eq!((deaf.report.as_str(), deaf.stderr.as_str()), (expected, ""));

    let late = place.record(&["--drive", "sleep 60", "--timeout-ms", "5500"], SERVER, From::Null);
    let expected = "TimedOut NotAsked\nthe program still ran after 5.5s and was stopped\nthe driver had not ended";
    assert_eq!(late.report, expected);
}

/// A folder to run in.
struct Place(TempDir);

#[derive(Clone, Copy)]
enum From<'a> {
    Pipe(&'a str),
    /// Into which nobody writes, and which nobody closes.
    OpenPipe,
    File(&'a str),
    Null,
}

struct Ran {
    stdout: String,
    stderr: String,
    signal: Option<i32>,
    report: String,
}

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect(name)
    }

    fn record(&self, options: &[&str], program: &str, input: From) -> Ran {
        let stdin = match input {
            From::Pipe(_) | From::OpenPipe => Stdio::piped(),
            From::File(name) => File::open(self.path(name)).expect(name).into(),
            From::Null => Stdio::null(),
        };
        let mut child = self.start(options, program, stdin);
        let mut open: Option<ChildStdin> = child.stdin.take();
        if let (From::Pipe(text), Some(mut to)) = (input, open.take_if(|_| matches!(input, From::Pipe(_)))) {
            // A program that does not read its input may be gone already.
            let _ = to.write_all(text.as_bytes());
        }
        let ran = self.finish(child);
        drop(open);
        ran
    }

    fn start(&self, options: &[&str], program: &str, stdin: Stdio) -> Child {
        self.start_command(options, &["node", "-e", program], stdin)
    }

    fn start_command(&self, options: &[&str], command: &[&str], stdin: Stdio) -> Child {
        let mut recorder = Command::new(recorder());
        recorder.arg(runtime()).args(options).args(["--report", "report", "--"]).args(command);
        recorder.current_dir(self.0.path()).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A shell that starts these tests in the background has them ignore an interrupt.
        // SAFETY: a plain system call, between fork and exec.
        unsafe {
            recorder.pre_exec(|| match libc::signal(libc::SIGINT, libc::SIG_DFL) {
                libc::SIG_ERR => Err(std::io::Error::last_os_error()),
                _ => Ok(()),
            });
        }
        recorder.spawn().expect("the recorder starts")
    }

    fn finish(&self, child: Child) -> Ran {
        let pid = child.id();
        let since = Instant::now();
        let output = std::thread::spawn(move || child.wait_with_output());
        while !output.is_finished() {
            if since.elapsed() > Duration::from_secs(60) {
                // SAFETY: a plain system call.
                unsafe { libc::kill(pid as i32, libc::SIGKILL) };
                panic!("the recorder hangs");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = output.join().expect("a thread").expect("the recorder ends");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let report = fs::read_to_string(self.path("report")).unwrap_or_default();
        let signal = output.status.signal();
        Ran { stdout: text(&output.stdout), stderr: text(&output.stderr), signal, report }
    }

    fn n_events(&self) -> u64 {
        let text = self.read(&format!(".wherefore/runs/1/{}", RunFile::NAME));
        RunFile::parse(&text).expect("run.txt").n_events.unwrap_or(0)
    }
}

/// The side of the person, and that of the program.
fn terminal() -> (File, OwnedFd) {
    let (mut person, mut program) = (0, 0);
    let none = std::ptr::null_mut();
    // SAFETY: the call makes two descriptors, which nobody else owns.
    unsafe {
        assert_eq!(libc::openpty(&mut person, &mut program, none, none.cast(), none.cast()), 0);
        (File::from_raw_fd(person), OwnedFd::from_raw_fd(program))
    }
}

fn runs(pid: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !state.is_empty() && !state.contains(") Z ")
}
