//! What the documents look like, for programs that read them.

use ts_rs::{Config, TS};

use crate::{Document, EventJson, TryJson};

/// The JSON Schema of the document of a question.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(Document)
}

/// The types of all documents, as TypeScript.
pub fn typescript() -> String {
    let config = Config::new();
    let mut types = Types { config: &config, declared: Vec::new() };
    types.add::<Document>();
    types.add::<TryJson>();
    types.add::<EventJson>();
    types.declared.sort();
    types.declared.dedup();
    let declared: String = types.declared.into_iter().map(|(_, text)| format!("export {text}\n")).collect();
    format!("// Made by `cargo xtask types` from crates/answer-json.\n\n{declared}")
}

struct Types<'a> {
    config: &'a Config,
    declared: Vec<(String, String)>,
}

impl Types<'_> {
    fn add<T: TS + 'static + ?Sized>(&mut self) {
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(self.config);
        if self.declared.iter().any(|(known, _)| *known == name) {
            return;
        }
        self.declared.push((name, T::decl(self.config)));
        T::visit_dependencies(self);
    }
}

impl ts_rs::TypeVisitor for Types<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.add::<T>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_that_is_named_is_declared() {
        let text = typescript();
        for name in ["Document", "AnswerJson", "PointJson", "ValueJson", "HopJson", "FrameJson", "TriedJson"] {
            assert!(text.contains(&format!("export type {name} = ")), "{name} is not in\n{text}");
        }
    }

    #[test]
    fn the_schema_has_the_parts_of_a_document() {
        let schema = serde_json::to_string(&schema()).unwrap();
        for part in ["\"question\"", "\"answer\"", "\"notes\"", "PointJson"] {
            assert!(schema.contains(part), "{part} is not in {schema}");
        }
    }
}
