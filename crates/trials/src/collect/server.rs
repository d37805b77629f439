//! `wherefore collect` as a process, to be killed.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub struct Collect {
    process: Child,
    pub address: SocketAddr,
}

impl Collect {
    /// `database` are the arguments that choose it.
    pub fn start(wherefore: &Path, database: &[String]) -> Collect {
        Collect::with(wherefore, database, &["--rate", "1000000"])
    }

    pub fn with(wherefore: &Path, database: &[String], options: &[&str]) -> Collect {
        let mut command = Command::new(wherefore);
        command.args(["collect", "--listen", "127.0.0.1:0"]).args(options).args(database);
        let mut process = command.stderr(Stdio::piped()).spawn().expect("wherefore starts");
        let mut lines = BufReader::new(process.stderr.take().expect("its stderr")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.split_once("http://").and_then(|(_, rest)| rest.trim().parse().ok()))
            .expect("it says where it listens");
        // Somebody must read what it says, or it waits.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        Collect { process, address }
    }

    pub fn key(wherefore: &Path, database: &[String], project: &str) -> String {
        let output = Command::new(wherefore).args(["collect", "key", "add", project]).args(database).output();
        let output = output.expect("wherefore starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// SIGKILL.
    pub fn kill(mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it ends");
    }
}

impl Drop for Collect {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
