//! The targets in an ordinary build: for the tests, to repeat what was found, and to write what libFuzzer begins with.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};
use fuzz::{TARGETS, Target, drive, seeds};

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print the names of the targets.
    Targets,
    /// Run a target on inputs that a seed makes.
    Drive {
        #[arg(value_parser = named)]
        target: &'static Target,
        #[arg(long)]
        seed: u64,
        #[arg(long)]
        seconds: f64,
        /// Where the input lies that is tried; it is still there where one ends the process.
        #[arg(long)]
        kept: PathBuf,
    },
    /// Run a target on one input.
    Once {
        #[arg(value_parser = named)]
        target: &'static Target,
        input: PathBuf,
    },
    /// Write the committed inputs of a target into a folder, a file each.
    Seeds {
        #[arg(value_parser = named)]
        target: &'static Target,
        folder: PathBuf,
    },
}

fn named(name: &str) -> Result<&'static Target, String> {
    fuzz::target(name).ok_or_else(|| format!("{name} is no target"))
}

fn main() -> std::io::Result<()> {
    match Arguments::parse().command {
        Command::Targets => TARGETS.iter().for_each(|target| println!("{}", target.name)),
        Command::Drive { target, seed, seconds, kept } => {
            println!("{}", drive::drive(target, seed, Duration::from_secs_f64(seconds), &kept)?);
        }
        Command::Once { target, input } => drive::once(target, &fs::read(input)?),
        Command::Seeds { target, folder } => {
            for (number, input) in seeds(target.name).iter().enumerate() {
                fs::write(folder.join(format!("committed-{number}")), input)?;
            }
        }
    }
    Ok(())
}
