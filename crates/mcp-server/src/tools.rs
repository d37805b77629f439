//! The tools, each with what it takes and gives.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};

use crate::answer::{Answered, Refusal};
use crate::server::Work;
use crate::{Shared, judge, questions, record, runs};

/// A tool before it is listed.
pub struct Spec {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    /// Whether it runs a program.
    pub runs: bool,
    pub input: fn() -> JsonObject,
    pub output: fn() -> JsonObject,
    pub call: fn(&Shared, JsonObject, &Work) -> Result<Answered, Refusal>,
}

/// As they are listed to an agent; those that run a program only where it may.
pub fn tools(may_run: bool) -> Vec<Tool> {
    all().filter(|spec| may_run || !spec.runs).map(listed).collect()
}

pub fn find(name: &str) -> Option<&'static Spec> {
    all().find(|spec| spec.name == name)
}

pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|spec| spec.name)
}

fn all() -> impl Iterator<Item = &'static Spec> {
    [&record::RECORD, &runs::RUNS].into_iter().chain(questions::QUESTIONS).chain([&judge::JUDGE])
}

fn listed(spec: &Spec) -> Tool {
    let annotations = ToolAnnotations::with_title(spec.title)
        .read_only(!spec.runs)
        .destructive(spec.runs)
        .idempotent(!spec.runs)
        .open_world(spec.runs);
    Tool::new(spec.name, spec.description, Arc::new((spec.input)()))
        .with_title(spec.title)
        .with_raw_output_schema(Arc::new((spec.output)()))
        .with_annotations(annotations)
}

impl Spec {
    /// Refuses arguments that it does not have, and does what it is for.
    pub fn call(&self, shared: &Shared, arguments: JsonObject, work: &Work) -> Result<Answered, Refusal> {
        let input = (self.input)();
        let known: Vec<&str> = match input.get("properties").and_then(|properties| properties.as_object()) {
            Some(properties) => properties.keys().map(String::as_str).collect(),
            None => Vec::new(),
        };
        if let Some(other) = arguments.keys().find(|name| !known.contains(&name.as_str())) {
            let near = debugger::did_you_mean(other, known.iter().copied());
            let known = known.join(", ");
            return Err(Refusal(format!("{} has no argument {other}{near}; it has {known}", self.name)));
        }
        (self.call)(shared, arguments, work)
    }
}

/// The arguments of a tool, or what is wrong with them.
pub fn arguments<T: serde::de::DeserializeOwned>(tool: &str, given: &JsonObject) -> Result<T, Refusal> {
    let given = serde_json::Value::Object(given.clone());
    serde_json::from_value(given)
        .map_err(|error| Refusal(format!("the arguments of {tool} are not as they should be: {error}")))
}
