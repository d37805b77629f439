//! The tools, each with what it takes and gives.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};

use crate::answer::{Answered, Refusal};
use crate::server::Work;
use crate::{Shared, experiments, judge, questions, record, runs, schema};

/// A tool before it is listed.
pub struct Spec {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub effect: Effect,
    pub input: fn() -> JsonObject,
    /// All that its structured answer can hold: a resource, as it would be most of the list of tools.
    pub output: fn() -> JsonObject,
    pub call: fn(&Shared, JsonObject, &Work) -> Result<Answered, Refusal>,
}

/// What a call does beside answering.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    None,
    /// What the agent says is kept with the run.
    KeepsVerdicts,
    RunsProgram,
}

/// As they are listed to an agent; those that run a program only where it may.
pub fn tools(may_run: bool) -> Vec<Tool> {
    all().filter(|spec| may_run || spec.effect != Effect::RunsProgram).map(listed).collect()
}

pub fn find(name: &str) -> Option<&'static Spec> {
    all().find(|spec| spec.name == name)
}

pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|spec| spec.name)
}

fn all() -> impl Iterator<Item = &'static Spec> {
    let last = [&judge::JUDGE, &experiments::EXPERIMENT, &experiments::TRY];
    [&record::RECORD, &runs::RUNS].into_iter().chain(questions::QUESTIONS).chain(last)
}

fn listed(spec: &Spec) -> Tool {
    Tool::new(spec.name, spec.description, Arc::new((spec.input)()))
        .with_title(spec.title)
        .with_raw_output_schema(Arc::new(schema::outline()))
        .with_annotations(spec.effect.annotations())
}

impl Effect {
    fn annotations(self) -> ToolAnnotations {
        let is_read_only =
            ToolAnnotations::new().read_only(self == Effect::None).open_world(self == Effect::RunsProgram);
        match self {
            // Of a tool that only reads, the others say nothing.
            Effect::None => is_read_only,
            Effect::KeepsVerdicts => is_read_only.destructive(false).idempotent(false),
            Effect::RunsProgram => is_read_only.destructive(true).idempotent(false),
        }
    }
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
