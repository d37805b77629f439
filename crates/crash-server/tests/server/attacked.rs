//! One project is served while another one's key is used against the server. How much slower it gets is measured by `cargo xtask bench collect --attack`.

use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crash_server::{Database, Quota, Rate};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::program::{Program, report};
use crate::support::{Project, Server};

const N_SLOW: usize = 50;
const N_REPORTS: u64 = 40;
/// Far more than it takes, and far less than the server waits for anybody.
const LONGEST: Duration = Duration::from_secs(5);

#[test]
fn others_are_served_during_an_attack() {
    let folder = TempDir::new().expect("a folder");
    let server = Server::with(Database::Folder(folder.path().to_owned()), |options| {
        options.rate = Rate { per_second: 50.0 };
        options.quota = Quota { bugs_per_project: 100, new_bugs_per_key: 20 };
    });
    let (attacker, others) = (server.project("attacker"), server.project("others"));
    let slow: Vec<TcpStream> = (0..N_SLOW)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).expect("the server listens");
            stream.write_all(b"POST /v1/reports HTTP/1.1\r\nX-Slow: ").expect("it is taken");
            stream
        })
        .collect();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        // Also if an assertion fails, or the scope would wait for ever.
        let _over = Over(&is_over);
        scope.spawn(|| attack(&server, &attacker, &is_over));
        for number in 0..N_REPORTS {
            let begin = Instant::now();
            let answer = server.client().post("/v1/reports", &others.report, &crash(number, 1));
            assert_eq!(answer.status, 202, "{answer:?}");
            assert!(begin.elapsed() < LONGEST, "report {number} took {:?}", begin.elapsed());
        }
    });
    server.wait_until(|server| server.count("inbox") == 0);
    assert_eq!(server.bugs_after(&others, N_REPORTS).len(), 1);
    let bugs = server.client().get("/v1/bugs?limit=200", &attacker.operator).json();
    assert!(bugs["bugs"].as_array().expect("bugs").len() <= 20, "{bugs}");
    drop(slow);
}

/// Ends the attack when it is dropped.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// New bugs with a true key, a key that is made up, and what is no report, as fast as they are answered.
fn attack(server: &Server, attacker: &Project, is_over: &AtomicBool) {
    let made_up = format!("wfr_{}_{}", "a".repeat(12), "0".repeat(64));
    for number in 0.. {
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        let new_bug = crash(1_000_000 + number, 2 + number);
        server.client().post("/v1/reports", &attacker.report, &new_bug);
        server.client().post("/v1/reports", &made_up, &new_bug);
        server.client().post("/v1/reports", &attacker.report, &"[".repeat(10_000));
    }
}

/// Each program crashes at a place of its own.
fn crash(number: u64, program: u64) -> String {
    let (labels, stack) = Program { salt: program, changed: &[] }.run(&Value::Null);
    report(number, 1, &Value::Null, &labels, &stack).to_string()
}
