//! What people and CI run: `cargo xtask demo`, `dist`, `test`, `parity`, `packages`, `ecosystem`, `crowd`, `bench`, `train`.
//!
//! This crate only puts processes in order. What they check lives beside the data they check, in `tests/` and `bench/`.

mod artifacts;
mod bench;
mod contract;
mod demo;
mod fuzz;
mod notices;
mod npm;
mod page;
mod paths;
mod process;
mod release;
mod steps;
mod test;
mod train;
mod vsix;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Builds, shows, tests and measures Wherefore.")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the command line and what runs inside recorded programs, where it is looked for.
    Build {
        /// Only what runs inside recorded programs.
        #[arg(long)]
        runtime: bool,
    },
    /// Build what is needed and record a bundled example.
    Demo,
    /// Install what the tests need and run them all.
    Test(test::Options),
    /// Run test262 plain and instrumented; every difference is an error.
    Parity(test::parity::Options),
    /// Run the own test suites of npm packages plain and recorded.
    Packages {
        /// Passed on to tests/packages/run.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Run tools and frameworks plain and recorded; every difference is an error.
    Ecosystem {
        /// Passed on to tests/ecosystem/run.mjs: --only NAME, --jobs N, --keep …
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Watch a crash path being found: real processes with the agent, with different seeds, against a real `wherefore collect`.
    Crowd {
        /// Passed on to tests/crowd/run.mjs: --users N, --program FILE, --rounds N, --budget-users SHARE, --budget-per-user SHARE.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Measure; prints ratios taken in one run, with their limits.
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Make what users install, under target/dist.
    Dist {
        /// Only this; everything if left out.
        #[arg(value_enum)]
        only: Option<Dist>,
        /// npm: the release build without its symbols, instead of one that is made to be small. Quick, and larger.
        #[arg(long)]
        quick: bool,
    },
    /// Check what a release needs, make it, and say what to upload. Uploads nothing.
    Release {
        /// Tag the commit as well.
        #[arg(long)]
        tag: bool,
    },
    /// Fit numbers that the engine uses to what runs show.
    #[command(subcommand)]
    Train(train::Train),
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Dist {
    /// The npm packages: `wherefore`, and one for this platform.
    Npm,
    /// The extension of VS Code, as a .vsix.
    Vscode,
}

fn main() -> ExitCode {
    match run(Arguments::parse().task) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Gives whether what was asked for succeeded.
fn run(task: Task) -> anyhow::Result<bool> {
    match task {
        Task::Build { runtime: true } => artifacts::build_runtime()?,
        Task::Build { runtime: false } => artifacts::build()?,
        Task::Demo => demo::run()?,
        Task::Test(options) => {
            paths::use_profile(paths::Profile::Dev);
            return test::run(&options);
        }
        Task::Parity(options) => test::parity::run(&options)?,
        Task::Packages { arguments } => test::packages::run(&arguments)?,
        Task::Ecosystem { arguments } => test::ecosystem::run(&arguments)?,
        Task::Crowd { arguments } => test::crowd::run(&arguments)?,
        Task::Bench(what) => bench::run(&what)?,
        Task::Dist { only, quick } => {
            if !matches!(only, Some(Dist::Npm)) {
                println!("{}", vsix::pack()?.display());
            }
            if !matches!(only, Some(Dist::Vscode)) {
                npm::pack(if quick { npm::Build::Release } else { npm::Build::Small })?;
            }
        }
        Task::Release { tag } => release::run(tag)?,
        Task::Train(what) => train::run(&what)?,
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    /// What documents say is understood; crates/cli runs what they say of `wherefore`.
    #[test]
    fn every_task_of_a_document_is_there() {
        let mut documents: Vec<PathBuf> =
            ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"].iter().map(|name| paths::root().join(name)).collect();
        let book = fs::read_dir(paths::root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
        documents.extend(book.filter(|file| file.extension().is_some_and(|ending| ending == "md")));
        let mut n_commands = 0;
        for document in documents {
            let text = fs::read_to_string(&document).unwrap();
            for (at, task) in text.match_indices("cargo xtask ") {
                if text[at + task.len()..].starts_with('…') {
                    continue;
                }
                // To the end of the span or the line, or to what is said of it.
                let rest = &text[at..];
                let end = ["`", "\n", "  "].iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
                let words = rest[..end].split_whitespace().skip(1);
                if let Err(error) = Arguments::try_parse_from(words) {
                    panic!("{}: {}: {error}", document.display(), &rest[..end]);
                }
                n_commands += 1;
            }
        }
        assert!(n_commands > 30, "{n_commands} commands");
    }
}
