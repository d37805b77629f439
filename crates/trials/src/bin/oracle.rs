//! `oracle FOLDER…`: asks random questions of recordings, as tests/oracle/run.mjs makes them, and compares the answers.

use std::path::Path;
use std::process::ExitCode;

use trials::oracle::{Tally, check};

fn main() -> ExitCode {
    let mut tally = Tally::default();
    for folder in std::env::args().skip(1) {
        if let Err(why) = check(Path::new(&folder), &mut tally) {
            tally.add("recordings", Some((why, folder)));
        } else {
            tally.add("recordings", None);
        }
    }
    tally.print();
    if tally.n_wrong() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
