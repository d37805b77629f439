use debugger::{
    CrashPathAnswer, FunctionsOfFile, GrownPath, GrowthEnd, GrowthStep, LinesOfFile, PathCallee, PathLabel, PathStep,
};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, ValueJson, each, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct CrashPathJson {
    #[schemars(extend("const" = "crash-path"))]
    #[ts(type = "\"crash-path\"")]
    pub kind: &'static str,
    /// `TypeError: …`, or what was asked about.
    pub message: String,
    /// The object of interest, as the source names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// The failure is about another object, named so, that was made from this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_into: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueJson>,
    /// Whether the path begins with the birth of the object and has no holes.
    pub complete: bool,
    /// Older labels were left out.
    pub cut: bool,
    /// Number of labels, repetitions counted as often as they happened.
    pub labels: usize,
    /// Number of functions on the path.
    pub functions: usize,
    /// Oldest first.
    pub path: Vec<PathStepJson>,
    /// The lines that control went over, also where nothing was decided or called.
    pub lines: Vec<LinesOfFileJson>,
    /// What the recording does not tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub lacks: Vec<String>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct LinesOfFileJson {
    pub file: String,
    /// First and last line of each stretch, in rising order.
    pub stretches: Vec<(u32, u32)>,
}

/// A label, or what was repeated: told apart by `times`.
#[derive(Serialize, JsonSchema, TS)]
#[serde(untagged)]
pub enum PathStepJson {
    Label(Box<PathLabelJson>),
    Repeated(RepeatedJson),
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct RepeatedJson {
    pub times: u32,
    pub body: Vec<PathStepJson>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct PathLabelJson {
    /// `start`, `branch`, `call`, `enter`, `exit`, `return`, `write`, `task` or `crash`.
    pub label: &'static str,
    pub point: PointJson,
    /// The last line of what the label is about, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    pub depth: usize,
    /// Of a branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<bool>,
    /// Of a call: `recorded`, `foreign`, `unknown`, or where the function is that was not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callee: Option<String>,
    /// Of a task: where its callback was registered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registered: Option<PointJson>,
}

/// How a path was found by running the program again and again.
#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct GrowthJson {
    /// `complete`, `exhausted`, `not-again` or `enough`.
    pub end: &'static str,
    pub runs: Vec<GrowthStepJson>,
    /// What is left to record at the end, for `record --policy`.
    pub policy: String,
    pub files: Vec<FunctionsOfFileJson>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct GrowthStepJson {
    /// From 1.
    pub run: usize,
    /// Crashes that were counted so far.
    pub crashes: usize,
    /// Functions that were recorded.
    pub functions: usize,
    pub labels: usize,
    /// Whether the birth of the object is known.
    pub birth: bool,
    /// Why this run does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_counted: Option<&'static str>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct FunctionsOfFileJson {
    pub file: String,
    pub functions: usize,
    pub recorded: usize,
    pub on_path: usize,
}

impl From<&CrashPathAnswer> for CrashPathJson {
    fn from(answer: &CrashPathAnswer) -> CrashPathJson {
        CrashPathJson {
            kind: "crash-path",
            message: answer.message.clone(),
            object: answer.object.clone(),
            made_into: answer.made_into.clone(),
            value: some(&answer.value),
            complete: answer.is_complete,
            cut: answer.is_cut,
            labels: answer.n_labels,
            functions: answer.n_functions,
            path: each(&answer.steps),
            lines: each(&answer.lines),
            lacks: answer.lacks.clone(),
        }
    }
}

impl From<&LinesOfFile> for LinesOfFileJson {
    fn from(lines: &LinesOfFile) -> LinesOfFileJson {
        LinesOfFileJson { file: lines.file.clone(), stretches: lines.stretches.clone() }
    }
}

impl From<&PathStep> for PathStepJson {
    fn from(step: &PathStep) -> PathStepJson {
        match step {
            PathStep::Label(label) => PathStepJson::Label(Box::new(label.as_ref().into())),
            PathStep::Repeated { times, body } => {
                PathStepJson::Repeated(RepeatedJson { times: *times, body: each(body) })
            }
        }
    }
}

impl From<&PathLabel> for PathLabelJson {
    fn from(label: &PathLabel) -> PathLabelJson {
        PathLabelJson {
            label: label.kind,
            point: (&label.point).into(),
            end_line: label.end_line.filter(|end| Some(*end) != label.point.line),
            depth: label.depth,
            taken: label.taken,
            callee: label.callee.as_ref().map(|callee| match callee {
                PathCallee::Recorded => "recorded".to_owned(),
                PathCallee::NotRecorded(place) => place.clone(),
                PathCallee::Foreign => "foreign".to_owned(),
                PathCallee::Unknown => "unknown".to_owned(),
            }),
            registered: some(&label.registered),
        }
    }
}

impl From<&GrownPath> for GrowthJson {
    fn from(grown: &GrownPath) -> GrowthJson {
        GrowthJson {
            end: match grown.end {
                GrowthEnd::Complete => "complete",
                GrowthEnd::Exhausted => "exhausted",
                GrowthEnd::NotAgain => "not-again",
                GrowthEnd::Enough => "enough",
            },
            runs: each(&grown.steps),
            policy: grown.policy.clone(),
            files: each(&grown.files),
        }
    }
}

impl From<&GrowthStep> for GrowthStepJson {
    fn from(step: &GrowthStep) -> GrowthStepJson {
        GrowthStepJson {
            run: step.run,
            crashes: step.n_crashes,
            functions: step.recorded.iter().map(|(_, n_functions)| n_functions).sum(),
            labels: step.n_labels,
            birth: step.has_birth,
            not_counted: step.not_counted,
        }
    }
}

impl From<&FunctionsOfFile> for FunctionsOfFileJson {
    fn from(file: &FunctionsOfFile) -> FunctionsOfFileJson {
        FunctionsOfFileJson {
            file: file.file.clone(),
            functions: file.n_functions,
            recorded: file.n_recorded,
            on_path: file.n_on_path,
        }
    }
}
