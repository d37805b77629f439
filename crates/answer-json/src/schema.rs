//! What the documents look like, for programs that read them.

use ts_rs::{Config, TS};

use crate::answers;
use crate::{AskedJson, Document, EventJson, JudgeStateJson, TryJson};

/// The JSON Schema of the document of a question.
pub fn schema() -> schemars::Schema {
    generator().into_root_schema_for::<Document>()
}

/// The JSON Schema of what answers one kind of question, by the name that the kind has on the command line, where there is an
/// answer at all.
pub fn answer_schema(kind: &str) -> Option<schemars::Schema> {
    answers::schema_of(kind)
}

/// The JSON Schema of how far a dialogue of the judge is.
pub fn judge_schema() -> schemars::Schema {
    generator().into_root_schema_for::<JudgeStateJson>()
}

pub(crate) fn generator() -> schemars::SchemaGenerator {
    schemars::generate::SchemaSettings::default().for_serialize().into_generator()
}

/// The types of all documents, as TypeScript.
pub fn typescript() -> String {
    let config = Config::new();
    let mut types = Types { config: &config, declared: Vec::new() };
    types.add::<AskedJson>();
    types.add::<Document>();
    types.add::<TryJson>();
    types.add::<EventJson>();
    types.add::<JudgeStateJson>();
    types.declared.sort();
    types.declared.dedup();
    let declared: String = types.declared.into_iter().map(|(_, text)| format!("export {text}\n")).collect();
    format!("// Made from crates/answer-json: `UPDATE_EXPECT=1 cargo test -p answer-json`.\n\n{declared}")
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
    use expect_test::expect_file;

    use super::*;

    #[test]
    fn the_types_are_those_of_the_docs() {
        expect_file!["../../../docs/answers.d.ts"].assert_eq(&typescript());
    }

    #[test]
    fn the_schema_is_that_of_the_docs() {
        let schema = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
        expect_file!["../../../docs/answers.schema.json"].assert_eq(&schema);
    }
}
