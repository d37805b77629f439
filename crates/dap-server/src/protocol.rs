//! The messages of the Debug Adapter Protocol that are used, with the fields of them that are. What is optional is left out where it is
//! missing: the protocol knows no null there.

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Deserialize)]
pub struct Request {
    #[serde(default)]
    pub seq: i64,
    pub command: String,
    #[serde(default)]
    pub arguments: Value,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InitializeArguments {
    #[serde(default = "yes", rename = "linesStartAt1")]
    pub lines_start_at_1: bool,
    #[serde(default = "yes", rename = "columnsStartAt1")]
    pub columns_start_at_1: bool,
    #[serde(default)]
    pub supports_progress_reporting: bool,
}

fn yes() -> bool {
    true
}

#[derive(Clone, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub struct LaunchArguments {
    /// As a shell would read it, or word by word.
    pub command: Option<Words>,
    /// A file for Node, where no command is given.
    pub program: Option<String>,
    #[serde(default)]
    pub args: Vec<String>,
    pub cwd: Option<String>,
    /// Values for variables; null takes one away.
    #[serde(default)]
    pub env: std::collections::BTreeMap<String, Option<String>>,
    #[serde(default)]
    pub stop_on_entry: bool,
    /// Only these files are recorded.
    #[serde(default)]
    pub include: Vec<String>,
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Packages that are recorded although they are tools.
    #[serde(default)]
    pub include_packages: Vec<String>,
    #[serde(default)]
    pub include_tools: bool,
}

#[derive(Clone, Deserialize)]
#[serde(untagged, expecting = "a command is a line, or a list of words")]
pub enum Words {
    Line(String),
    Each(Vec<String>),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttachArguments {
    /// A number, perhaps as a text; nothing: the latest run.
    pub run: Option<RunName>,
    pub cwd: Option<String>,
    #[serde(default)]
    pub stop_on_entry: bool,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub struct DisconnectArguments {
    pub terminate_debuggee: Option<bool>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a run is a number")]
pub enum RunName {
    Number(u32),
    Text(String),
}

#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct Source {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_reference: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<String>,
}

#[derive(Deserialize)]
pub struct SetBreakpointsArguments {
    pub source: Source,
    #[serde(default)]
    pub breakpoints: Vec<SourceBreakpoint>,
}

#[derive(Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceBreakpoint {
    pub line: u32,
    pub condition: Option<String>,
    pub hit_condition: Option<String>,
    pub log_message: Option<String>,
}

#[derive(Deserialize)]
pub struct SetFunctionBreakpointsArguments {
    pub breakpoints: Vec<FunctionBreakpoint>,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FunctionBreakpoint {
    pub name: String,
    pub condition: Option<String>,
    pub hit_condition: Option<String>,
}

#[derive(Deserialize)]
pub struct SetExceptionBreakpointsArguments {
    #[serde(default)]
    pub filters: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DataBreakpointInfoArguments {
    pub variables_reference: Option<i64>,
    pub name: String,
    pub frame_id: Option<i64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DataBreakpointInfo {
    /// Null: there can be none.
    pub data_id: Option<String>,
    pub description: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub access_types: Vec<&'static str>,
}

#[derive(Deserialize)]
pub struct SetDataBreakpointsArguments {
    pub breakpoints: Vec<DataBreakpoint>,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DataBreakpoint {
    pub data_id: String,
    pub condition: Option<String>,
    pub hit_condition: Option<String>,
}

#[derive(Clone, Serialize, Debug, Default)]
pub struct BreakpointShown {
    pub id: i64,
    pub verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfThread {
    pub thread_id: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StackTraceArguments {
    pub thread_id: usize,
    #[serde(default)]
    pub start_frame: usize,
    #[serde(default)]
    pub levels: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StackFrame {
    pub id: i64,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    pub line: u32,
    pub column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<&'static str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfFrame {
    pub frame_id: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<&'static str>,
    pub variables_reference: i64,
    pub named_variables: usize,
    pub expensive: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VariablesArguments {
    pub variables_reference: i64,
    pub filter: Option<String>,
    #[serde(default)]
    pub start: u64,
    #[serde(default)]
    pub count: usize,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Variable {
    pub name: String,
    pub value: String,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub variables_reference: i64,
    #[serde(flatten)]
    pub numbers: NumbersInside,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluate_name: Option<String>,
    /// By which it is asked where the value came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_location_reference: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<PresentationHint>,
}

/// How much there is inside of a value, for a client that asks for it part by part.
#[derive(Clone, Copy, Default, Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct NumbersInside {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_variables: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_variables: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LocationsArguments {
    pub location_reference: i64,
}

#[derive(Serialize)]
pub struct Location {
    pub source: Source,
    pub line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

#[derive(Serialize, Debug)]
pub struct PresentationHint {
    pub kind: &'static str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EvaluateArguments {
    pub expression: String,
    pub frame_id: Option<i64>,
    pub context: Option<String>,
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub struct Evaluated {
    pub result: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    pub variables_reference: i64,
    #[serde(flatten)]
    pub numbers: NumbersInside,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_location_reference: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceArguments {
    pub source: Option<Source>,
    pub source_reference: Option<i64>,
}

#[derive(Deserialize)]
pub struct GotoTargetsArguments {
    pub source: Source,
    pub line: u32,
}

#[derive(Serialize)]
pub struct GotoTarget {
    pub id: i64,
    pub label: String,
    pub line: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GotoArguments {
    pub target_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CancelArguments {
    pub request_id: Option<i64>,
    pub progress_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletionsArguments {
    pub text: String,
    pub column: usize,
    pub frame_id: Option<i64>,
}

/// Why control stands where it stands.
#[derive(Clone, Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Stopped {
    pub reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    pub thread_id: usize,
    pub all_threads_stopped: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hit_breakpoint_ids: Vec<i64>,
}

/// Text for the console of the client.
#[derive(Serialize, Default)]
pub struct OutputEvent<'a> {
    pub category: &'static str,
    pub output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'a Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProgressStart<'a> {
    pub progress_id: &'a str,
    pub title: &'a str,
    pub message: &'a str,
    pub cancellable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percentage: Option<u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProgressUpdate<'a> {
    pub progress_id: &'a str,
    pub message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percentage: Option<u64>,
}
