//! Every heading of `specs/*/*.md` is a test. `UPDATE_SPECS=1` puts the answers into the files; a person reads the difference.
//!
//! Needs the addon (`cargo xtask build`). `WHEREFORE_NODE` names another Node than the one in the path.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use debugger::{RecordRequest, SignalsOf, end_like, record};
use libtest_mimic::{Arguments, Trial};
use spec_test::{Answer, RECORD, can_be_joined, check, check_joined, documents, folder};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, run, command @ ..] = &arguments[..]
        && first == RECORD
    {
        return record_command(run, command);
    }
    let documents = match documents(&folder()) {
        Ok(documents) => documents,
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::FAILURE;
        }
    };
    let rewrite = std::env::var_os("UPDATE_SPECS").is_some();
    let mut n_wrong = 0;
    let mut trials = Vec::new();
    for document in documents {
        for spec in document.specs {
            let is_wrong = |answer: &Answer| matches!(answer, Answer::Given { wrong: Some(_), .. });
            n_wrong += spec.exchanges.iter().filter(|exchange| is_wrong(&exchange.answer)).count();
            let path = document.path.clone();
            let name = format!("{}: {}", document.name, spec.heading);
            if can_be_joined(&spec) && !rewrite {
                let spec = spec.clone();
                trials.push(Trial::test(format!("{name} (on one line)"), move || {
                    check_joined(&spec).map_err(Into::into)
                }));
            }
            trials.push(Trial::test(name, move || check(&path, &spec, rewrite).map_err(Into::into)));
        }
    }
    let arguments = Arguments::from_args();
    let conclusion = libtest_mimic::run(&arguments, trials);
    if n_wrong > 0 && !arguments.list {
        println!("{n_wrong} answers are marked as wrong");
    }
    conclusion.exit_code()
}

/// Records in a process of its own, so that the output of the program can be taken.
fn record_command(run: &str, command: &[String]) -> ExitCode {
    let request = RecordRequest {
        run_folder: Some(PathBuf::from(run)),
        signals: SignalsOf::TheProgram,
        ..RecordRequest::of(command.to_vec())
    };
    match record(&request, Path::new(".")) {
        Ok(recorded) => end_like(recorded.outcome),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
