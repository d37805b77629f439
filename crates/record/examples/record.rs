//! `record RUNTIME -- COMMAND…`: records a command without the rest of Wherefore.

use std::path::PathBuf;

use record::{RunSpec, end_like, run};
use trace_model::Policy;

fn main() {
    let mut args = std::env::args().skip(1);
    let runtime = PathBuf::from(args.next().expect("the folder of the runtime"));
    let command: Vec<String> = args.skip_while(|arg| arg == "--").collect();
    let spec = RunSpec {
        command,
        folder: ".".into(),
        run: None,
        runtime: std::fs::canonicalize(runtime).expect("the runtime"),
        policy: Policy::full(),
        include: Vec::new(),
        exclude: Vec::new(),
        keep_last: None,
        layout: record::USUAL_LAYOUT,
        output_to_stderr: false,
    };
    match run(&spec) {
        Ok(recorded) => end_like(recorded.outcome),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(3);
        }
    }
}
