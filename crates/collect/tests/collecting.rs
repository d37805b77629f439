//! `wherefore-collect` as a process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;

use tempfile::TempDir;
use test_postgres::Postgres;

#[test]
fn a_killed_server_with_sqlite_loses_nothing_that_it_acknowledged() {
    let folder = TempDir::new().expect("a folder");
    loses_nothing(&["--data", folder.path().to_str().expect("a path")]);
}

#[test]
fn a_killed_server_with_postgres_loses_nothing_that_it_acknowledged() {
    let postgres = Postgres::start();
    loses_nothing(&["--database-url", &postgres.database("killed")]);
}

#[test]
fn it_says_so_if_other_machines_can_reach_it() {
    let folder = TempDir::new().expect("a folder");
    let arguments = ["--data", folder.path().to_str().expect("a path"), "--listen", "0.0.0.0:0"];
    let mut server = Server::start(&arguments);
    assert!(server.next_line().contains("other machines can reach it"));
}

#[test]
fn keys_are_made_listed_and_revoked() {
    let folder = TempDir::new().expect("a folder");
    let database = ["--data", folder.path().to_str().expect("a path")];
    let key = collect(&[&["key", "add", "shop"], &database[..]].concat());
    let id = key.split('_').nth(1).expect("an id").to_owned();
    let server = Server::start(&database);
    assert_eq!(server.post(&key, 1), Some(202));
    let listed = collect(&[&["key", "list"], &database[..]].concat());
    assert_eq!(listed, format!("{id}  report  shop"));
    collect(&[&["key", "revoke", &id], &database[..]].concat());
    drop(server);
    assert_eq!(Server::start(&database).post(&key, 2), Some(401));
}

/// What was acknowledged before the kill is known after it.
fn loses_nothing(database: &[&str]) {
    let key = collect(&[&["key", "add", "shop"], database].concat());
    let server = Server::start(database);
    let (tell, told) = mpsc::channel();
    let acknowledged: Vec<u64> = std::thread::scope(|scope| {
        let senders: Vec<_> = (0..8u64)
            .map(|thread| {
                let (server, key, tell) = (&server, &key, tell.clone());
                scope.spawn(move || {
                    let numbers = (0..).map(move |n| thread * 1_000_000 + n);
                    let is_acknowledged = |number: &u64| server.post(key, *number) == Some(202);
                    // Nobody listens any more after the kill.
                    let told = |_: &u64| _ = tell.send(());
                    numbers.take_while(is_acknowledged).inspect(told).collect::<Vec<u64>>()
                })
            })
            .collect();
        // If all senders fail, nobody waits for them.
        drop(tell);
        // In the middle of the work, as much of it as there was.
        told.iter().take(200).for_each(drop);
        server.kill();
        senders.into_iter().flat_map(|sender| sender.join().expect("a sender")).collect()
    });
    drop(server);
    assert!(acknowledged.len() >= 200);
    let again = Server::start(database);
    let lost: Vec<&u64> = acknowledged.iter().filter(|number| again.post(&key, **number) != Some(200)).collect();
    assert!(lost.is_empty(), "{} of {} were lost: {lost:?}", lost.len(), acknowledged.len());
}

struct Server {
    process: Child,
    address: SocketAddr,
    lines: std::io::Lines<BufReader<std::process::ChildStderr>>,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wherefore-collect"));
        command.args(arguments).args(["--rate", "100000"]);
        if !arguments.contains(&"--listen") {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        let mut process = command.stderr(Stdio::piped()).spawn().expect("wherefore starts");
        let mut lines = BufReader::new(process.stderr.take().expect("its stderr")).lines();
        let first = lines.next().expect("a line").expect("a text");
        let (_, address) = first.split_once("http://").unwrap_or_else(|| panic!("it does not listen: {first}"));
        Server { process, address: address.trim().parse().expect("an address"), lines }
    }

    fn next_line(&mut self) -> String {
        self.lines.next().expect("a line").expect("a text")
    }

    fn kill(&self) {
        let status = Command::new("kill").args(["-KILL", &self.process.id().to_string()]).status();
        assert!(status.is_ok_and(|status| status.success()));
    }

    /// None if there was no answer.
    fn post(&self, key: &str, number: u64) -> Option<u16> {
        let body = format!(
            r#"{{"version":1,"id":"00000000-0000-4000-8000-{number:012x}","release":"1","cohort":1,"node":"20.1.0","exception":"Error","stack":[],"labels":[],"cut":false,"spent":{{"events":0,"seconds":1,"recorder_seconds":0}}}}"#
        );
        let mut stream = TcpStream::connect(self.address).ok()?;
        write!(
            stream,
            "POST /v1/reports HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        answer.split(' ').nth(1)?.parse().ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn collect(arguments: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_wherefore-collect")).args(arguments).output().expect("wherefore starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
