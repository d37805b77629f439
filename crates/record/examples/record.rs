//! `record RUNTIME [OPTION VALUE]… -- COMMAND…`: records a command without the rest of Wherefore.

use std::path::PathBuf;
use std::time::Duration;

use record::{Ending, Input, RunSpec, SignalsOf, end_like, run};

fn main() {
    let mut args = std::env::args().skip(1);
    let runtime = PathBuf::from(args.next().expect("the folder of the runtime"));
    let runtime = std::fs::canonicalize(runtime).expect("the runtime");
    let mut spec = RunSpec::new(Vec::new(), ".".into(), runtime);
    let mut report = None;
    while let Some(option) = args.next().filter(|option| option != "--") {
        let value = args.next().expect("a value");
        match option.as_str() {
            "--keep" => spec.input = Input::Keep(value.into()),
            "--from" => spec.input = Input::From(value.into()),
            "--timeout-ms" => spec.timeout = Some(Duration::from_millis(value.parse().expect("a number"))),
            "--drive" => spec.drive = Some(value),
            "--report" => report = Some(value),
            other => panic!("there is no option {other}"),
        }
    }
    spec.command = args.collect();
    spec.signals = SignalsOf::TheProgram;
    match run(&spec) {
        Ok(recorded) => {
            if let Some(path) = report {
                let ending = match recorded.ending {
                    Ending::Driven { outcome } => format!("Driven ({outcome:?})"),
                    other => format!("{other:?}"),
                };
                let lines = [format!("{ending} {:?}", recorded.kept_input)];
                let lines: Vec<String> = lines.into_iter().chain(recorded.problems).chain(recorded.notes).collect();
                std::fs::write(path, lines.join("\n")).expect("the report");
            }
            end_like(recorded.outcome)
        }
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(3);
        }
    }
}
