//! Schemas of what tools take and give, in the form that clients read: one object, definitions at its top.

use answer_json::NoneJson;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde_json::{Value, json};

/// What a tool takes: its own arguments, and those that several have.
pub fn input(of: &[schemars::Schema]) -> JsonObject {
    let mut whole = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    for schema in of {
        let schema = plain(schema);
        for part in ["properties", "$defs"] {
            for (name, value) in schema.get(part).and_then(Value::as_object).into_iter().flatten() {
                whole[part][name] = value.clone();
            }
        }
        for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
            match whole["required"].as_array_mut() {
                Some(required) => required.push(name.clone()),
                None => whole["required"] = json!([name]),
            }
        }
    }
    object(whole)
}

/// What a tool gives: an answer of this schema or that there is none, with what every answer has.
pub fn output(answer: &schemars::Schema) -> JsonObject {
    let mut answer = bare(answer);
    let definitions = answer.as_object_mut().and_then(|answer| answer.remove("$defs"));
    let none = bare(&of::<NoneJson>());
    let suggestion = json!({
        "type": "object",
        "properties": { "tool": { "type": "string" }, "arguments": { "type": "object" }, "why": { "type": "string" } },
        "required": ["tool", "arguments", "why"],
    });
    let mut whole = json!({
        "type": "object",
        "properties": {
            "run": { "type": "integer" },
            "answer": { "anyOf": [answer, none] },
            "notes": { "type": "array", "items": { "type": "string" } },
            "cut": { "type": "string", "description": "Set if something was shortened" },
            "cursor": { "type": "string", "description": "Asks the same tool for what was left out" },
            "next": { "type": "array", "items": suggestion, "description": "Sensible next calls" },
        },
        "required": ["answer", "notes", "next"],
    });
    if let Some(definitions) = definitions {
        whole["$defs"] = definitions;
    }
    object(whole)
}

pub fn of<T: JsonSchema>() -> schemars::Schema {
    schemars::generate::SchemaSettings::default().into_generator().into_root_schema_for::<T>()
}

/// Without what only some validators know, and without what an agent has no use for.
fn plain(schema: &schemars::Schema) -> Value {
    without(schema, &["$schema", "title", "format", "default"])
}

/// Also without what each field means: that is in docs/json.md, and a client that lists the tools would read it once for each of them.
fn bare(schema: &schemars::Schema) -> Value {
    without(schema, &["$schema", "title", "format", "default", "description"])
}

fn without(schema: &schemars::Schema, words: &[&str]) -> Value {
    let mut value = schema.as_value().clone();
    strip(&mut value, words, true);
    value
}

fn strip(value: &mut Value, words: &[&str], is_schema: bool) {
    match value {
        Value::Object(fields) => {
            if is_schema {
                words.iter().for_each(|word| drop(fields.remove(*word)));
            }
            // The names of properties are no words of a schema.
            for (name, field) in fields.iter_mut() {
                strip(field, words, !is_schema || !matches!(name.as_str(), "properties" | "$defs"));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| strip(item, words, true)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(fields) => fields,
        _ => JsonObject::new(),
    }
}
