//! `wherefore collect`: the server for crashes of deployed programs, and the keys for it. It is a program of its own, as it brings two
//! databases along that nobody needs who looks for a bug; the command line hands over to it.
//!
//! Exit codes are those of the command line: 0 done, 2 wrong usage, 3 could not run.

use std::fmt::Display;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use crash_server::{Budget, Database, KeyKind, Log, Options, Patience, Quota, Rate, Webhook};

/// Run the server that learns from the crashes of deployed programs
#[derive(Parser)]
#[command(name = "wherefore-collect", bin_name = "wherefore collect", version, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct CollectArgs {
    #[command(subcommand)]
    command: Option<CollectCommand>,
    /// Where to listen; other machines reach it only if this is not a loopback address
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7733")]
    listen: SocketAddr,
    #[command(flatten)]
    database: DatabaseArgs,
    /// The share of its time that one user may lose to recording
    #[arg(long, value_name = "SHARE", default_value = "3%", value_parser = parse_share)]
    budget_per_user: f64,
    /// The share of the users who record anything at one time
    #[arg(long, value_name = "SHARE", default_value = "10%", value_parser = parse_share)]
    budget_users: f64,
    /// Record nothing for a crash before it was met so often
    #[arg(long, value_name = "N", default_value_t = 1)]
    grow_after: u64,
    /// So many requests a second may come with one key
    #[arg(long, value_name = "N", default_value_t = 200.0, value_parser = parse_rate)]
    rate: f64,
    /// So many bugs a project may have; what would be one more becomes a dead letter
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    bugs_per_project: u64,
    /// So many new bugs a day may be made of what comes with one key
    #[arg(long, value_name = "N", default_value_t = 500)]
    new_bugs_per_key: u64,
    /// Tell http://HOST/PATH of each bug that is new, or met again after it was done with
    #[arg(long, value_name = "URL", requires = "webhook_secret")]
    webhook: Option<String>,
    /// What the messages are signed with
    #[arg(long, value_name = "SECRET", env = "WHEREFORE_WEBHOOK_SECRET", hide_env_values = true)]
    webhook_secret: Option<String>,
    /// Let the webhook be on this machine or in a private network
    #[arg(long)]
    webhook_private: bool,
    /// Serve metrics for Prometheus here, without a key: 127.0.0.1:7734
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
    /// Remove reports that are older; what was learned from them stays
    #[arg(long, value_name = "DAYS", default_value_t = 90)]
    keep_days: u64,
}

#[derive(clap::Args, Clone)]
struct DatabaseArgs {
    /// A PostgreSQL database instead of SQLite: postgres://user@host/name. Any number of servers may share one
    #[arg(long, value_name = "URL", env = "WHEREFORE_DATABASE_URL", hide_env_values = true, conflicts_with = "data")]
    database_url: Option<String>,
    /// The folder of the SQLite database
    #[arg(long, value_name = "FOLDER", default_value = ".wherefore/collect")]
    data: PathBuf,
}

#[derive(Subcommand)]
enum CollectCommand {
    /// Make keys, list them, revoke them
    Key {
        #[command(subcommand)]
        command: KeyCommand,
    },
    /// List the projects, or remove one
    Project {
        #[command(subcommand)]
        command: ProjectCommand,
    },
    /// List the reports that could not be analysed: when, project, report, why
    DeadLetters {
        /// Have them analysed once more instead, by the server that runs or the next one
        #[arg(long)]
        retry: bool,
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

#[derive(Subcommand)]
enum ProjectCommand {
    /// List all projects
    List {
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Remove a project with its keys, reports, bugs and sources, for good
    Remove {
        project: String,
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

#[derive(Subcommand)]
enum KeyCommand {
    /// Make a key for a project, and print it: it cannot be shown again
    Add {
        project: String,
        /// For reading bugs and uploading sources; without it, for agents
        #[arg(long)]
        operator: bool,
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// List all keys, without their secrets
    List {
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Refuse a key from now on
    Revoke {
        /// The second part of the key
        id: String,
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

fn main() -> ExitCode {
    let args = CollectArgs::parse();
    let done = match args.command {
        Some(CollectCommand::Key { command }) => manage_keys(command),
        Some(CollectCommand::Project { command }) => manage_projects(command),
        Some(CollectCommand::DeadLetters { retry, database }) => manage_dead_letters(retry, &database.database()),
        None => serve(args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { message, code }) => {
            note(message);
            ExitCode::from(code)
        }
    }
}

fn serve(args: CollectArgs) -> Result<(), Failure> {
    let secret = args.webhook_secret.unwrap_or_default();
    let webhook = args.webhook.map(|url| Webhook::new(&url, secret, args.webhook_private)).transpose();
    let webhook = webhook.map_err(|message| Failure { message, code: WRONG_USAGE })?;
    let options = Options {
        listen: args.listen,
        database: args.database.database(),
        budget: Budget { per_user: args.budget_per_user, users: args.budget_users },
        patience: Patience { sightings: args.grow_after },
        rate: Rate { per_second: args.rate },
        quota: Quota { bugs_per_project: args.bugs_per_project, new_bugs_per_key: args.new_bugs_per_key },
        longest_head: LONGEST_HEAD,
        webhook,
        metrics: args.metrics,
        keep: Duration::from_secs(args.keep_days * 24 * 60 * 60),
    };
    crash_server::run(options, Log::new(|line| note(line))).map_err(could_not_run)
}

fn manage_keys(command: KeyCommand) -> Result<(), Failure> {
    match command {
        KeyCommand::Add { project, operator, database } => {
            if project.is_empty() || project.chars().any(char::is_control) {
                return Err(Failure { message: "a project needs a name, in one line".into(), code: WRONG_USAGE });
            }
            let kind = if operator { KeyKind::Operator } else { KeyKind::Report };
            let key = crash_server::add_key(&database.database(), &project, kind).map_err(could_not_run)?;
            print(&format!("{key}\n"))?;
        }
        KeyCommand::List { database } => {
            for key in crash_server::list_keys(&database.database()).map_err(could_not_run)? {
                let state = if key.is_revoked { "  revoked" } else { "" };
                print(&format!("{}  {}  {}{state}\n", key.id, key.kind.name(), key.project))?;
            }
        }
        KeyCommand::Revoke { id, database } => {
            if !crash_server::revoke_key(&database.database(), &id).map_err(could_not_run)? {
                return Err(Failure { message: format!("there is no key {id}"), code: COULD_NOT_RUN });
            }
        }
    }
    Ok(())
}

fn manage_projects(command: ProjectCommand) -> Result<(), Failure> {
    match command {
        ProjectCommand::List { database } => {
            for project in crash_server::list_projects(&database.database()).map_err(could_not_run)? {
                print(&format!("{project}\n"))?;
            }
        }
        ProjectCommand::Remove { project, database } => {
            if !crash_server::remove_project(&database.database(), &project).map_err(could_not_run)? {
                return Err(Failure { message: format!("there is no project {project}"), code: COULD_NOT_RUN });
            }
        }
    }
    Ok(())
}

fn manage_dead_letters(retry: bool, database: &Database) -> Result<(), Failure> {
    if retry {
        let n_retried = crash_server::retry_dead_letters(database).map_err(could_not_run)?;
        note(format_args!("{n_retried} reports are to be analysed once more"));
        return Ok(());
    }
    for letter in crash_server::dead_letters(database).map_err(could_not_run)? {
        print(&format!("{}  {}  {}  {}\n", letter.failed_at, letter.project, letter.report, letter.reason))?;
    }
    Ok(())
}

impl DatabaseArgs {
    fn database(&self) -> Database {
        match &self.database_url {
            Some(url) => Database::Url(url.clone()),
            None => Database::Folder(self.data.clone()),
        }
    }
}

fn could_not_run(error: crash_server::Error) -> Failure {
    Failure { message: error.to_string(), code: COULD_NOT_RUN }
}

/// Far longer than a head takes over a bad line, and short enough that those who send none hold few descriptors.
const LONGEST_HEAD: Duration = Duration::from_secs(10);

/// A sentence for stderr, and the exit code.
struct Failure {
    message: String,
    code: u8,
}

const WRONG_USAGE: u8 = 2;
const COULD_NOT_RUN: u8 = 3;

/// Nobody may be reading any more: what cannot be said is no reason to end otherwise.
fn note(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "wherefore: {text}");
}

/// A reader that closed its end of the pipe has seen enough; that is no failure.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure { message: format!("stdout: {error}"), code: COULD_NOT_RUN })
        }
        _ => Ok(()),
    }
}

/// `3%` or `0.03`.
fn parse_share(text: &str) -> Result<f64, String> {
    let number = |digits: &str| digits.trim().parse::<f64>().ok();
    let share = match text.strip_suffix('%') {
        Some(percent) => number(percent).map(|percent| percent / 100.0),
        None => number(text),
    };
    share.filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| "write a share as 3% or 0.03".to_owned())
}

fn parse_rate(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|rate| *rate > 0.0 && rate.is_finite())
        .ok_or_else(|| "write a number above 0".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percent_or_fractions() {
        assert_eq!(parse_share("3%"), Ok(0.03));
        assert_eq!(parse_share("0.1"), Ok(0.1));
        for wrong in ["", "x", "-1%", "101%", "2", "NaN"] {
            assert!(parse_share(wrong).is_err(), "{wrong}");
        }
    }
}
