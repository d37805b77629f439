//! Runs and points as resources: `wherefore://runs/3`, `wherefore://runs/3/points/P2`; and what a tool answers, as a schema:
//! `wherefore://schemas/why`.

use percent_encoding::percent_decode_str;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Value, json};

use crate::answer::Refusal;
use crate::server::Work;
use crate::{Shared, runs, tools};

/// The runs, newest first.
pub fn list(shared: &Shared) -> Vec<Resource> {
    let runs = runs::list(shared).into_iter().take(MOST_LISTED);
    runs.map(|run| {
        Resource::new(format!("{RUNS}{}", run.run), format!("run {}", run.run))
            .with_description(format!("{} ({})", run.command, run.outcome))
            .with_mime_type("text/plain")
    })
    .collect()
}

const MOST_LISTED: usize = 100;
const RUNS: &str = "wherefore://runs/";
const SCHEMAS: &str = "wherefore://schemas/";

pub fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{RUNS}{{run}}"), "run")
            .with_description("A run: its command, how it ended, and why it failed"),
        ResourceTemplate::new(format!("{RUNS}{{run}}/points/{{point}}"), "point")
            .with_description("A point of a run, P2 or app.js:22: the stack and the variables there"),
        ResourceTemplate::new(format!("{SCHEMAS}{{tool}}"), "schema")
            .with_description("JSON Schema of the structured answers of a tool")
            .with_mime_type("application/schema+json"),
    ]
}

pub fn read(shared: &Shared, uri: &str, work: &Work) -> Result<ReadResourceResult, Refusal> {
    let unknown = || Refusal(format!("there is no {uri}: resources are {RUNS}3, {RUNS}3/points/P2 and {SCHEMAS}why"));
    if let Some(tool) = uri.strip_prefix(SCHEMAS) {
        let schema = Value::Object((tools::find(tool).ok_or_else(unknown)?.output)());
        let contents = ResourceContents::text(schema.to_string(), uri).with_mime_type("application/schema+json");
        return Ok(ReadResourceResult::new(vec![contents]));
    }
    let path = uri.strip_prefix(RUNS).ok_or_else(unknown)?;
    let (run, point) = match path.split_once("/points/") {
        Some((run, point)) => (run, Some(percent_decode_str(point).decode_utf8_lossy().into_owned())),
        None => (path, None),
    };
    let run: u32 = run.parse().map_err(|_| unknown())?;
    let text = match point {
        Some(point) => told(shared, "state", json!({ "run": run, "at": point }), work)?,
        None => {
            let known = runs::list(shared).into_iter().find(|known| known.run == run).ok_or_else(unknown)?;
            let head = format!("run {run}: {}; {}; {} events\n", known.command, known.outcome, known.events);
            // One that cannot be explained is still a run.
            head + &told(shared, "why", json!({ "run": run }), work).unwrap_or_else(|Refusal(sentence)| sentence)
        }
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri)]))
}

/// What a tool says.
fn told(shared: &Shared, tool: &str, arguments: Value, work: &Work) -> Result<String, Refusal> {
    let Value::Object(arguments) = arguments else { return Err(Refusal("arguments are an object".into())) };
    let tool = tools::find(tool).ok_or_else(|| Refusal(format!("there is no tool {tool}")))?;
    Ok(tool.call(shared, arguments, work)?.text)
}
