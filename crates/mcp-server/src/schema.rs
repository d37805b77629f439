//! Schemas of what tools take and give, in the form that clients read: one object, definitions at its top.
//!
//! Each conversation with a model begins with the list of all tools, so that list holds what is needed for a call and no more: of what
//! tools give, the [`outline`]. All of it is a resource for each tool (`resources.rs`).

use answer_json::NoneJson;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde_json::{Value, json};

/// What a tool takes: its own arguments, and those that several have.
pub fn input(of: &[schemars::Schema]) -> JsonObject {
    let mut whole = json!({ "type": "object", "properties": {} });
    for schema in of {
        let schema = plain(schema);
        for (name, value) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            whole["properties"][name] = value.clone();
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

/// What every tool gives.
pub fn outline() -> JsonObject {
    object(json!({ "type": "object", "required": ["answer", "notes", "next"] }))
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

/// Without what only some validators know, and without what an agent has no use for: an argument that may be left out is left out, and
/// is not null.
fn plain(schema: &schemars::Schema) -> Value {
    let mut schema = without(schema, &["$schema", "title", "format", "default", "minimum"]);
    let definitions = schema.as_object_mut().and_then(|schema| schema.remove("$defs")).unwrap_or_default();
    inline(&mut schema, &definitions);
    schema
}

/// Puts definitions in the place of references to them, and leaves null out of what can be given.
fn inline(value: &mut Value, definitions: &Value) {
    if let Some(types) = value.get_mut("type").and_then(Value::as_array_mut) {
        types.retain(|name| name != "null");
        if let [one] = types.as_slice() {
            value["type"] = one.clone();
        }
    }
    let named = |value: &Value| Some(value.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?.to_owned());
    let mut choices = value.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    let definition = named(value).or_else(|| choices.find_map(named)).and_then(|name| definitions.get(name).cloned());
    if let (Some(fields), Some(Value::Object(definition))) = (value.as_object_mut(), definition) {
        fields.remove("$ref");
        fields.remove("anyOf");
        for (name, part) in definition {
            fields.entry(name).or_insert(part);
        }
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|field| inline(field, definitions)),
        Value::Array(items) => items.iter_mut().for_each(|item| inline(item, definitions)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Also without what each field means: that is in docs/json.md.
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
