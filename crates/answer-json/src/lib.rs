//! Questions and answers as JSON, for the command line, the page and agents alike. `docs/json.md` describes the documents; their
//! JSON Schema and their TypeScript types are made from the types here, so that the three cannot disagree.
//!
//! Nothing here decides anything: a document is what the façade answered, field by field.

mod asked;
mod calls;
mod change;
mod condition;
mod document;
mod events;
mod experiments;
mod find;
mod history;
mod moving;
mod omissions;
mod parts;
mod question;
mod redactions;
mod schema;
mod state;
mod why;

pub use asked::{AskedJson, AskedKindJson, FindJson, StrideJson};
pub use document::{AnswerJson, Document, NoneJson, RunsJson, document, none};
pub use events::EventJson;
pub use experiments::{ExperimentsJson, TryJson, experiments, try_document};
pub use parts::{PointJson, SourceLineJson, ValueJson};
pub use question::QuestionJson;
pub use redactions::with_redactions_shown;
pub use schema::{schema, typescript};
pub use why::WhyJson;

/// One line of JSON. What was taken out of a text before it was shared reads as that.
pub fn line(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_string(value).expect("plain data can be written");
    with_redactions_shown(&json)
}
