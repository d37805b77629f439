//! `cargo xtask bench collect`: load on `wherefore collect`, kills under load, two instances; with both databases. `--attack ROUNDS` instead: how
//! long a project waits while another one's key, made-up keys and heads that never end are used against the server.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use test_postgres::Postgres;
use trials::collect::attack::Attack;
use trials::collect::load::{Comparison, Load, send, unknown};
use trials::collect::server::Collect;

const PER_SECOND: u64 = 2000;
const LIMIT_MS: f64 = 50.0;

/// `--wherefore PATH [--seconds N] [--kills N] [--attack ROUNDS]`.
struct Arguments {
    wherefore: PathBuf,
    seconds: u64,
    kills: u64,
    attack: u64,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::read();
    let postgres = Postgres::start();
    let folder = tempfile::tempdir().expect("a folder");
    let mut is_good = true;
    let url = |name: &str| vec!["--database-url".to_owned(), postgres.database(name)];
    let data = |name: &str| vec!["--data".to_owned(), folder.path().join(name).display().to_string()];

    if arguments.attack > 0 {
        let mut is_good = attacked(&arguments, "PostgreSQL", &url("attacked")).await;
        is_good &= attacked(&arguments, "SQLite", &data("attacked")).await;
        return if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    println!("{:<44} {:>10} {:>8} {:>8} {:>8}", "reports", "a second", "p50 ms", "p99 ms", "max ms");
    let one = measure(&arguments, "PostgreSQL, one instance", &url("one"), 1).await;
    is_good &= holds(&one, arguments.seconds);
    let two = measure(&arguments, "PostgreSQL, two instances", &url("two"), 2).await;
    is_good &= holds(&two, arguments.seconds);
    measure(&arguments, "SQLite (no limit)", &data("one"), 1).await;

    println!("\nkilled under load: acknowledged reports that were lost; limit 0");
    for (name, database) in [("PostgreSQL", url("killed")), ("SQLite", data("killed"))] {
        let (n_acknowledged, n_lost) = kill_under_load(&arguments, &database).await;
        println!("{name:<44} {n_acknowledged:>10} acknowledged, {n_lost} lost, {} kills", arguments.kills);
        is_good &= n_lost == 0 && n_acknowledged > 0;
    }
    match is_good {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

async fn measure(arguments: &Arguments, name: &str, database: &[String], n_instances: usize) -> Comparison {
    let key = Collect::key(&arguments.wherefore, database, "bench");
    let servers: Vec<Collect> = (0..n_instances).map(|_| Collect::start(&arguments.wherefore, database)).collect();
    let load = Load {
        servers: servers.iter().map(|server| server.address).collect(),
        key,
        per_second: PER_SECOND,
        seconds: arguments.seconds,
        connections: 128,
        first: 0,
    };
    let outcome = send(&load, Arc::default()).await;
    println!(
        "{name:<44} {:>10.0} {:>8.1} {:>8.1} {:>8.1}   {} failed",
        outcome.per_second(),
        outcome.percentile(0.5),
        outcome.percentile(0.99),
        outcome.percentile(1.0),
        outcome.n_failed
    );
    outcome
}

/// What a project sends while nobody attacks, a fraction of what it may.
const ORDINARY: u64 = 100;
const MOST_TIMES: f64 = 1.5;

/// Quiet and attacked times take turns, so that what else the machine does concerns both. Gives whether the limit holds.
async fn attacked(arguments: &Arguments, name: &str, database: &[String]) -> bool {
    let key = |project: &str| Collect::key(&arguments.wherefore, database, project);
    let (others, attacker) = (key("others"), key("attacker"));
    let server = Collect::with(&arguments.wherefore, database, &[]);
    let attack = Attack { server: server.address, key: attacker, slow: 300, busy: 8, per_second: 100 };
    let (mut quiet, mut attacked) = (Comparison::default(), Comparison::default());
    let mut n_hostile = 0;
    for round in 0..arguments.attack * 2 {
        let under_way = (round % 2 == 1).then(|| attack.start());
        let load = Load {
            servers: vec![server.address],
            key: others.clone(),
            per_second: ORDINARY,
            seconds: arguments.seconds,
            connections: 16,
            first: round * 1_000_000,
        };
        let outcome = send(&load, Arc::default()).await;
        match under_way {
            Some(under_way) => {
                n_hostile += under_way.stop().await;
                attacked.add(outcome);
            }
            None => quiet.add(outcome),
        }
    }
    let times = attacked.percentile(0.99) / quiet.percentile(0.99);
    let is_good = times <= MOST_TIMES && attacked.n_failed == 0;
    println!(
        "{name}: p99 of others {:.1} ms without, {:.1} ms with {n_hostile} hostile requests and {} slow heads: {times:.2} times; \
         {} failed; limit {MOST_TIMES} times: {}",
        quiet.percentile(0.99),
        attacked.percentile(0.99),
        attack.slow,
        attacked.n_failed,
        if is_good { "kept" } else { "BROKEN" }
    );
    is_good
}

/// All that were due were taken, and 99 of 100 in time.
fn holds(outcome: &Comparison, seconds: u64) -> bool {
    let is_quick = outcome.percentile(0.99) < LIMIT_MS;
    let has_all = outcome.accepted.len() as u64 == PER_SECOND * seconds && outcome.n_failed == 0;
    println!(
        "{:<44} limits: {PER_SECOND} a second, p99 {LIMIT_MS} ms: {}",
        "",
        if is_quick && has_all { "kept" } else { "BROKEN" }
    );
    is_quick && has_all
}

/// Gives how many reports were acknowledged, and how many of them are not there after a new start.
async fn kill_under_load(arguments: &Arguments, database: &[String]) -> (usize, usize) {
    let key = Collect::key(&arguments.wherefore, database, "bench");
    let (mut n_acknowledged, mut n_lost) = (0, 0);
    for round in 0..arguments.kills {
        let server = Collect::start(&arguments.wherefore, database);
        let load = Load {
            servers: vec![server.address],
            key: key.clone(),
            per_second: PER_SECOND,
            seconds: 60,
            connections: 64,
            first: round * 1_000_000,
        };
        let stopped = Arc::new(AtomicU64::new(0));
        let sending = tokio::spawn({
            let stopped = stopped.clone();
            async move { send(&load, stopped).await }
        });
        tokio::time::sleep(Duration::from_millis(600 + round * 137)).await;
        server.kill();
        stopped.store(1, Ordering::Relaxed);
        let outcome = sending.await.expect("the load ends");
        let again = Collect::start(&arguments.wherefore, database);
        n_acknowledged += outcome.accepted.len();
        n_lost += unknown(again.address, &key, &outcome.accepted).await.len();
    }
    (n_acknowledged, n_lost)
}

impl Arguments {
    fn read() -> Arguments {
        let mut arguments = Arguments { wherefore: "wherefore".into(), seconds: 15, kills: 3, attack: 0 };
        let mut words = std::env::args().skip(1);
        while let (Some(word), Some(value)) = (words.next(), words.next()) {
            let number = || value.parse().expect("a number");
            match word.as_str() {
                "--wherefore" => arguments.wherefore = Path::new(&value).to_owned(),
                "--seconds" => arguments.seconds = number(),
                "--kills" => arguments.kills = number(),
                "--attack" => arguments.attack = number(),
                other => panic!("unknown argument {other}"),
            }
        }
        arguments
    }
}
