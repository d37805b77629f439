//! Questions and answers as JSON, for the command line, the page and agents alike. `docs/json.md` describes the documents; their
//! JSON Schema and their TypeScript types are made from the types here, so that the three cannot disagree.
//!
//! Nothing here decides anything: a document is what the façade answered, field by field.

mod answers;
mod asked;
mod document;
mod experiments;
mod judge;
mod parts;
mod question;
mod redactions;
mod schema;

pub use answers::{AnswerJson, EventJson, WhyJson};
pub use asked::{AskedJson, AskedKindJson, FindJson, StrideJson};
pub use document::{Document, NoneJson, RunsJson, document, none};
pub use experiments::{ExperimentsJson, TryAnswerJson, TryJson, experiments, try_document};
pub use judge::{
    CallChangeJson, CallRefJson, ConflictJson, JudgeQuestionJson, JudgeStateJson, JudgedCallJson, ObjectJson,
    OutcomeJson, StepJson, VerdictJson, judge_state,
};
pub use parts::{PointJson, SourceLineJson, ValueJson};
pub use question::QuestionJson;
pub use redactions::with_redactions_shown;
pub use schema::{answer_schema, judge_schema, schema, typescript};

/// One line of JSON. What was taken out of a text before it was shared reads as that.
pub fn line(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_string(value).expect("plain data can be written");
    with_redactions_shown(&json)
}
