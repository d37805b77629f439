//! `why_candidates RUN [--alone]`   what `why` could tell of the failure of a run, with what the ranking knows of it; `--alone`: as if no
//! other tests had been recorded
//!
//! Prints a line for each hop: its places (`FILE:LINE`, with `|` between), and its features, with tabs between; for
//! `cargo xtask train why`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use javascript::JavaScript;
use query::{Coverage, Failure, Limits, SourceAt, Trace, candidates, failures};
use std::sync::OnceLock;
use trace_store::{Run, Thread};

fn main() -> ExitCode {
    let Some(run) = std::env::args().nth(1) else {
        eprintln!("usage: why_candidates RUN [--alone]");
        return ExitCode::FAILURE;
    };
    let alone = std::env::args().any(|argument| argument == "--alone");
    match print(Path::new(&run), alone) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn print(folder: &Path, alone: bool) -> Result<(), String> {
    let run = Run::open(folder).map_err(|error| error.to_string())?;
    let printed = OnceLock::new();
    let coverage = Arc::new(Coverage::of(&trace_model::Policy::full()));
    let trace_of = |thread| Trace::new(thread, &JavaScript, &coverage).of_run(&run, &printed);
    let is_own = |path: &str| !path.contains("/node_modules/") && !path.contains('<');
    let mut found: Vec<(&Thread, Failure)> = Vec::new();
    for thread in run.threads() {
        found.extend(failures(&trace_of(thread), &is_own).into_iter().map(|failure| (thread, failure)));
    }
    found.sort_by_key(|(_, failure)| failure.standing.key());
    let (thread, failure) = found.into_iter().next().ok_or("nothing failed")?;
    let trace = trace_of(thread);
    for candidate in candidates(&trace, &failure, Limits { alone, ..Limits::ranked() }) {
        let place = |at: &SourceAt| thread.code().unit(at.unit)?.place(at.offset);
        let places = candidate.places.iter().filter_map(place);
        let places: Vec<String> = places.map(|place| format!("{}:{}", place.path, place.position.line)).collect();
        let features: Vec<String> = candidate.features.iter().map(|feature| format!("{feature:.4}")).collect();
        println!("{}\t{}", places.join("|"), features.join("\t"));
    }
    Ok(())
}
