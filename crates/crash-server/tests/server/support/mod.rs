//! A server in this process, a client for it, and a look into its database.

pub mod client;
pub mod program;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use crash_server::{Budget, Database, KeyKind, Log, Options, Patience, Quota, Rate};
use serde_json::Value;
use sqlx::Row;
use tokio::sync::oneshot;

pub use client::{Answer, Client};

pub struct Server {
    pub address: SocketAddr,
    pub database: Database,
    pub log: Arc<Mutex<Vec<String>>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Keys of one project.
pub struct Project {
    pub report: String,
    pub operator: String,
}

impl Server {
    /// With a budget that allows everything.
    pub fn start(database: Database) -> Server {
        Server::with(database, |_| ())
    }

    pub fn with(database: Database, change: impl FnOnce(&mut Options)) -> Server {
        let mut options = Options {
            listen: ([127, 0, 0, 1], 0).into(),
            database: database.clone(),
            budget: Budget { per_user: 1.0, users: 1.0 },
            patience: Patience { sightings: 1 },
            rate: Rate { per_second: 100_000.0 },
            quota: Quota { bugs_per_project: 1000, new_bugs_per_key: 1000 },
            longest_head: Duration::from_secs(10),
            webhook: None,
            metrics: None,
            keep: Duration::from_secs(3600),
        };
        change(&mut options);
        let log: Arc<Mutex<Vec<String>>> = Arc::default();
        let lines = log.clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let log = Log::new(move |line| lines.lock().expect("a log").push(line.to_owned()));
            let ended = async { drop(stopped.await) };
            let serving = crash_server::serve(options, log, ended, |address| tell.send(address).expect("a listener"));
            runtime().block_on(serving).expect("a server that runs");
        });
        let address = told.recv().expect("a server that starts");
        Server { address, database, log, stop: Some(stop), thread: Some(thread) }
    }

    pub fn project(&self, name: &str) -> Project {
        let key = |kind| crash_server::add_key(&self.database, name, kind).expect("a key");
        Project { report: key(KeyKind::Report), operator: key(KeyKind::Operator) }
    }

    pub fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// How many rows a table has.
    pub fn count(&self, table: &str) -> i64 {
        let text = format!("SELECT COUNT(*) FROM {table}");
        self.query(&text)[0].parse().expect("a number")
    }

    /// Everything that the database holds as text.
    pub fn everything(&self) -> String {
        let all = [
            "SELECT body FROM reports",
            "SELECT report FROM inbox",
            "SELECT document FROM bugs",
            "SELECT digest FROM keys",
            "SELECT file FROM maps",
        ];
        all.iter().flat_map(|text| self.query(text)).collect::<Vec<_>>().join("\n")
    }

    /// Changes the database behind the back of the server.
    pub fn execute(&self, text: &str) {
        runtime().block_on(async {
            let pool = self.pool().await;
            sqlx::query(sqlx::AssertSqlSafe(text.to_owned())).execute(&pool).await.expect("a statement");
            pool.close().await;
        });
    }

    pub fn wait_until(&self, holds: impl Fn(&Server) -> bool) {
        for _ in 0..2000 {
            if holds(self) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it never held");
    }

    async fn pool(&self) -> sqlx::AnyPool {
        sqlx::any::install_default_drivers();
        let url = match &self.database {
            Database::Folder(folder) => format!("sqlite://{}/collect.sqlite", folder.display()),
            Database::Url(url) => url.clone(),
        };
        sqlx::AnyPool::connect(&url).await.expect("the database of the server")
    }

    fn query(&self, text: &str) -> Vec<String> {
        runtime().block_on(async {
            let pool = self.pool().await;
            let rows = sqlx::query(sqlx::AssertSqlSafe(text.to_owned())).fetch_all(&pool).await.expect("a query");
            pool.close().await;
            let cell = |row: &sqlx::any::AnyRow| {
                row.try_get::<String, _>(0).or_else(|_| row.try_get::<i64, _>(0).map(|n| n.to_string()))
            };
            rows.iter().map(|row| cell(row).expect("a text or a number")).collect()
        })
    }

    /// The bugs, once so many reports of the project were analysed.
    pub fn bugs_after(&self, project: &Project, n_reports: u64) -> Vec<Value> {
        for _ in 0..2000 {
            let bugs =
                self.client().get("/v1/bugs", &project.operator).json()["bugs"].as_array().expect("bugs").clone();
            let n_seen: u64 = bugs.iter().map(|bug| bug["count"].as_u64().expect("a count")).sum();
            assert!(n_seen <= n_reports, "{n_seen} reports were counted, and {n_reports} sent");
            if n_seen == n_reports {
                return bugs;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("not all of {n_reports} reports were analysed");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking(), "the server failed");
        }
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}
