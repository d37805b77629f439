//! `oracle [--explanations N] [--known FILE] FOLDER…`: asks random questions of recordings, as tests/oracle/run.mjs makes them, and
//! compares the answers; and checks what `why` tells, of N random places or exceptions of each program. `--known`: what is known to be
//! wrong, as it is printed.

use std::path::Path;
use std::process::ExitCode;

use trials::oracle::{Tally, check};

fn main() -> ExitCode {
    let mut tally = Tally::default();
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let n_explanations = option(&mut arguments, "--explanations").and_then(|n| n.parse().ok()).unwrap_or(0);
    let known = match option(&mut arguments, "--known").map(std::fs::read_to_string).transpose() {
        Ok(known) => known.unwrap_or_default(),
        Err(error) => {
            eprintln!("the file of --known cannot be read: {error}");
            return ExitCode::FAILURE;
        }
    };
    for folder in arguments {
        if let Err(why) = check(Path::new(&folder), n_explanations, &mut tally) {
            tally.add("recordings", Some((why, folder)));
        } else {
            tally.add("recordings", None);
        }
    }
    tally.print();
    let unknown = tally.unknown(&known);
    unknown.iter().for_each(|line| println!("not as known: {line}"));
    if unknown.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The value of an option, which is taken out.
fn option(arguments: &mut Vec<String>, name: &str) -> Option<String> {
    let at = arguments.iter().position(|argument| argument == name)?;
    let value = arguments.get(at + 1)?.clone();
    arguments.drain(at..at + 2);
    Some(value)
}
