//! A real PostgreSQL for tests: its own folder, a free port of loopback, and gone with the value that stands for it.
//!
//! Debian's package is enough (`postgresql`; `cargo xtask test` installs it). PostgreSQL refuses to run as root, so where we are root
//! it runs as `postgres`.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub struct Postgres {
    folder: TempDir,
    server: Child,
    port: u16,
    programs: PathBuf,
}

const LONGEST_START: Duration = Duration::from_secs(60);

impl Postgres {
    /// Panics if there is no PostgreSQL on this machine, or it does not start.
    pub fn start() -> Postgres {
        let programs = programs().expect("PostgreSQL is not installed: apt-get install postgresql");
        let folder = TempDir::new().expect("a folder for the database");
        let user = User::that_may_run_it();
        if let Some(user) = &user {
            chown(folder.path(), Some(user.id), Some(user.group)).expect("root may give a folder away");
        }
        let as_user = |program: &str| {
            let mut command = Command::new(programs.join(program));
            command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            if let Some(user) = &user {
                command.uid(user.id).gid(user.group);
            }
            command
        };
        let data = folder.path().join("data");
        let mut initdb = as_user("initdb");
        initdb
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(&data);
        assert!(initdb.status().is_ok_and(|status| status.success()), "initdb failed");
        let port = free_port();
        let mut postgres = as_user("postgres");
        postgres.arg("-D").arg(&data).args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1"]);
        postgres.arg("-c").arg(format!("unix_socket_directories={}", folder.path().display()));
        // A commit must be on the disk, as in production.
        postgres.args(["-c", "fsync=on", "-c", "synchronous_commit=on"]);
        let server = postgres.spawn().expect("postgres starts");
        let started = Postgres { folder, server, port, programs };
        started.wait_until_it_answers();
        started
    }

    /// A new database; gives its URL.
    pub fn database(&self, name: &str) -> String {
        let status = self.client("createdb").arg(name).status();
        assert!(status.is_ok_and(|status| status.success()), "createdb {name} failed");
        format!("postgres://postgres@127.0.0.1:{}/{name}", self.port)
    }

    /// Its process, to see what it costs.
    pub fn process(&self) -> u32 {
        self.server.id()
    }

    fn client(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command
            .args(["-h", "127.0.0.1", "-U", "postgres", "-p", &self.port.to_string()])
            .current_dir(self.folder.path());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn wait_until_it_answers(&self) {
        let started = Instant::now();
        let answers = || self.client("pg_isready").status().is_ok_and(|status| status.success());
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() || !answers() {
            assert!(started.elapsed() < LONGEST_START, "PostgreSQL does not answer");
            sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // SIGINT: it ends its sessions and then itself, in order.
        let _ = Command::new("kill").args(["-INT", &self.server.id().to_string()]).status();
        let _ = self.server.wait();
    }
}

/// The folder with `postgres`, `initdb` and `createdb`: on the path, or where Debian puts them.
pub fn programs() -> Option<PathBuf> {
    let on_path =
        std::env::var_os("PATH").into_iter().flat_map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let mut of_debian: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok().map(|entry| entry.path().join("bin")))
        .collect();
    of_debian.sort();
    let has_all =
        |folder: &Path| ["postgres", "initdb", "createdb", "pg_isready"].iter().all(|name| folder.join(name).exists());
    of_debian.into_iter().rev().chain(on_path).find(|folder| has_all(folder))
}

struct User {
    id: u32,
    group: u32,
}

impl User {
    /// None where we are not root: then it may run as we do.
    fn that_may_run_it() -> Option<User> {
        let is_root = fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0);
        if !is_root {
            return None;
        }
        let accounts = fs::read_to_string("/etc/passwd").unwrap_or_default();
        let named =
            |name: &str| accounts.lines().map(|line| line.split(':').collect::<Vec<_>>()).find(|part| part[0] == name);
        let account = named("postgres").or_else(|| named("nobody")).expect("an account that PostgreSQL can run as");
        Some(User { id: account[2].parse().expect("a number"), group: account[3].parse().expect("a number") })
    }
}

fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr()).expect("a free port").port()
}
