//! The `wherefore` binary: reads the command line, asks the debugger, prints.
//!
//! Exit codes: 0 answered, 1 the answer is that there is none, 2 wrong usage, 3 could not run. `record` passes on the code of
//! what it ran.

mod args;
mod ask;
mod events;
mod failure;
mod instrument;
mod judge;
mod not_captured;
mod pause;
mod plan;
mod record;
mod runs;
mod text;

use std::process::ExitCode;

use args::{Args, Command};
use clap::Parser;

fn main() -> ExitCode {
    let result = match Args::parse().command {
        Command::Why(args) => ask::why(args),
        Command::LastChange(args) => ask::last_change(args),
        Command::LastCondition(args) => ask::last_condition(args),
        Command::State(args) => ask::state(args),
        Command::Eval(args) => ask::eval(args),
        Command::History(args) => ask::history(args),
        Command::Find(args) => ask::find(*args),
        Command::Calls(args) => ask::calls(args),
        Command::Pause(args) => pause::run(args),
        Command::Judge(args) => judge::run(*args),
        Command::Plan(args) => plan::run(args),
        Command::Record(args) => record::run(args),
        Command::Runs(args) => runs::run(args),
        Command::Events(args) => events::run(args),
        Command::Instrument(args) => instrument::run(args),
    };
    result.unwrap_or_else(|failure| {
        eprintln!("wherefore: {}", failure.message);
        ExitCode::from(failure.code)
    })
}

const ANSWERED: ExitCode = ExitCode::SUCCESS;
const NONE: u8 = 1;
const WRONG_USAGE: u8 = 2;
const COULD_NOT_RUN: u8 = 3;
