use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use debugger::{CodeKind, InstrumentServer, Instrumented, PassedOver, SiteLine};
use serde::{Deserialize, Serialize};

use crate::ANSWERED;
use crate::args::InstrumentArgs;
use crate::failure::{Failure, unless_closed};

pub fn run(args: InstrumentArgs) -> Result<ExitCode, Failure> {
    if args.server {
        serve()?;
    } else if args.prelude {
        unless_closed(io::stdout().write_all(debugger::prelude()?.as_bytes()))?;
    } else if let Some(file) = &args.file {
        let instrumented =
            debugger::instrument_file(file, args.kind.map(CodeKind::from), &debugger::policy(&args.policy)?)?;
        unless_closed(match args.sites {
            true => print_sites(&instrumented),
            false => io::stdout().write_all(instrumented.code.as_bytes()),
        })?;
    }
    Ok(ANSWERED)
}

fn print_sites(instrumented: &Instrumented) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for site in &instrumented.sites {
        let names = site.names.join(",");
        let elements = site.n_elements.map(|n| format!("[{n}]")).unwrap_or_default();
        let function = if site.function.is_empty() { "<anonymous>" } else { &site.function };
        let SiteLine { number, line, kind, text, .. } = site;
        writeln!(out, "{number}\t{line}\t{function}\t{kind}{elements}\t{names}\t{text}")?;
    }
    for PassedOver { line, why, text } in &instrumented.passed_over {
        writeln!(out, "-\t{line}\t\tnot captured: {why}\t\t{text}")?;
    }
    Ok(())
}

#[derive(Deserialize)]
struct Request {
    id: serde_json::Value,
    source: String,
    kind: RequestKind,
    #[serde(default)]
    filename: String,
    policy: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum RequestKind {
    Script,
    Module,
    Cjs,
}

#[derive(Serialize)]
struct Response {
    id: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Reads requests until stdin ends; answers each with one line.
fn serve() -> Result<(), Failure> {
    let mut server = InstrumentServer::new();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::could_not_run(format!("stdin: {error}")))?;
        if line.trim().is_empty() {
            continue;
        }
        let json = serde_json::to_string(&respond(&mut server, &line)).expect("plain data can be written");
        // Line breaks to some readers (Node 24's readline), and not to JSON.
        let json = json.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
        let written = writeln!(out, "{json}").and_then(|()| out.flush());
        if written.is_err() {
            return unless_closed(written);
        }
    }
    Ok(())
}

fn respond(server: &mut InstrumentServer, line: &str) -> Response {
    let Request { id, source, kind, filename, policy } = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => return Response { id: serde_json::Value::Null, code: None, error: Some(error.to_string()) },
    };
    let kind = match kind {
        RequestKind::Script => CodeKind::Script,
        RequestKind::Module => CodeKind::Module,
        RequestKind::Cjs => CodeKind::CommonJs,
    };
    let policy = match debugger::policy(&Vec::from_iter(policy)) {
        Ok(policy) => policy,
        Err(error) => return Response { id, code: None, error: Some(error.to_string()) },
    };
    // A text that makes the instrumenter fail must not take the other requests with it.
    match catch_unwind(AssertUnwindSafe(|| server.instrument(&source, kind, &filename, &policy))) {
        Ok(Ok(code)) => Response { id, code: Some(code), error: None },
        Ok(Err(error)) => Response { id, code: None, error: Some(error) },
        Err(_) => Response { id, code: None, error: Some("the instrumenter failed".into()) },
    }
}
