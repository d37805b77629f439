//! The `wherefore` binary: reads the command line, asks the debugger, prints.
//!
//! Exit codes: 0 answered, 1 the answer is that there is none, 2 wrong usage, 3 could not run. `record` and `ci` pass on the
//! code of what they ran.

#![deny(clippy::print_stdout, clippy::print_stderr, reason = "they panic where nobody reads any more")]

mod args;
mod ask;
mod ci;
mod collect;
mod dap;
mod dashes;
mod events;
mod failure;
mod indexing;
mod instrument;
mod judge;
mod mcp;
mod not_captured;
mod open;
mod pause;
mod plan;
mod progress;
mod record;
mod runs;
mod sharing;
mod shell;
mod tell;
mod text;
mod width;

use std::process::ExitCode;

use args::{Args, Command};
use clap::Parser;

fn main() -> ExitCode {
    let args = Args::try_parse().unwrap_or_else(|error| {
        let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let Some(failure) = dashes::missing(&words, &error) else { error.exit() };
        tell::note(&failure.message);
        std::process::exit(failure.code.into())
    });
    let result = match args.command {
        Command::Ask(question) => question.run(),
        Command::Open(args) => open::run(args),
        Command::Dap(args) => dap::run(args),
        Command::Mcp(args) => mcp::run(args),
        Command::Pause(args) => pause::run(args),
        Command::Judge(args) => judge::run(*args),
        Command::Plan(args) => plan::run(args),
        Command::Ci(args) => ci::run(args),
        Command::Record(args) => record::run(args),
        Command::Runs(args) => runs::run(args),
        Command::Events(args) => events::run(args),
        Command::Export(args) => sharing::export(args),
        Command::Import(args) => sharing::import(args),
        Command::Collect(args) => collect::run(&args),
        Command::Instrument(args) => instrument::run(args),
        Command::Completions(args) => shell::completions(args),
        Command::Man(args) => shell::man(args),
        Command::Skill => shell::skill(),
        Command::Index(args) => indexing::run(args),
    };
    result.unwrap_or_else(|failure| {
        tell::note(&failure.message);
        ExitCode::from(failure.code)
    })
}

const ANSWERED: ExitCode = ExitCode::SUCCESS;
const NONE: u8 = 1;
const WRONG_USAGE: u8 = 2;
const COULD_NOT_RUN: u8 = 3;
