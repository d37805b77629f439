use debugger::{Page, TaskShown, TaskStart};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, each, next, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct TasksJson {
    #[schemars(extend("const" = "tasks"))]
    #[ts(type = "\"tasks\"")]
    pub kind: &'static str,
    pub tasks: Vec<TaskJson>,
    /// Where the list goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct TaskJson {
    pub point: PointJson,
    /// `file`: it was loaded; `callback`: a function was called that had been handed out; `resumed`: one went on that had waited.
    pub start: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// Where a callback was handed out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registered: Option<PointJson>,
    /// Where what was resumed had waited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited: Option<PointJson>,
}

impl From<&Page<TaskShown>> for TasksJson {
    fn from(page: &Page<TaskShown>) -> TasksJson {
        TasksJson { kind: "tasks", tasks: each(&page.items), next: next(page) }
    }
}

impl From<&TaskShown> for TaskJson {
    fn from(task: &TaskShown) -> TaskJson {
        let (start, registered, waited) = match &task.start {
            TaskStart::File => ("file", None, None),
            TaskStart::Callback { registered } => ("callback", some(registered), None),
            TaskStart::Resumed { waited } => ("resumed", None, some(waited)),
        };
        TaskJson { point: (&task.point).into(), start, function: task.function.clone(), registered, waited }
    }
}
