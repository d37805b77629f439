//! `why_candidates RUN`   what `why` could tell of the failure of a run, with what the ranking knows of it
//!
//! Prints a line for each hop: file, line, and its features, with tabs between; for `cargo xtask train why`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use js_syntax::JavaScript;
use query::{Coverage, Failure, Limits, Trace, candidates, failures};
use std::sync::OnceLock;
use trace_store::{Run, Thread};

fn main() -> ExitCode {
    let Some(run) = std::env::args().nth(1) else {
        eprintln!("usage: why_candidates RUN");
        return ExitCode::FAILURE;
    };
    match print(Path::new(&run)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn print(folder: &Path) -> Result<(), String> {
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
    for candidate in candidates(&trace, &failure, Limits::ranked()) {
        let unit = thread.code().unit(candidate.at.unit);
        let Some(place) = unit.and_then(|unit| unit.place(candidate.at.offset)) else { continue };
        let features: Vec<String> = candidate.features.iter().map(|feature| format!("{feature:.4}")).collect();
        let hidden = u8::from(candidate.is_hidden);
        println!("{}\t{}\t{hidden}\t{}", place.path, place.position.line, features.join("\t"));
    }
    Ok(())
}
