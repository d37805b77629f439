//! The OpenAPI document: schemas from the types of the wire, operations by hand. Schemathesis holds the server to it.

use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use crate::wire;

/// The document, as it is served.
pub fn text() -> &'static str {
    static TEXT: LazyLock<String> =
        LazyLock::new(|| serde_json::to_string_pretty(&document()).expect("a document of ours has no odd keys"));
    &TEXT
}

fn document() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    let mut schemas = settings.into_generator();
    let paths = json!({
        "/v1/reports": { "post": reports(&mut schemas) },
        "/v1/policy": { "get": policy(&mut schemas) },
        "/v1/releases/{release}/maps/{file}": { "put": maps(&mut schemas) },
        "/v1/bugs": { "get": bugs(&mut schemas) },
        "/v1/bugs/{bug}": { "get": bug(&mut schemas), "patch": change(&mut schemas), "delete": remove(&mut schemas) },
        "/health": { "get": health(&mut schemas) },
    });
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "wherefore collect",
            "version": "1",
            "description": "Takes reports of crashes and hands out what to record, until the path of each crash is known.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": {
            "schemas": schemas.take_definitions(true),
            "securitySchemes": {
                "reports": { "type": "http", "scheme": "bearer", "description": "A key for reports: `wherefore collect key add PROJECT`." },
                "operators": { "type": "http", "scheme": "bearer", "description": "A key for operators: `wherefore collect key add PROJECT --operator`." },
            },
        },
    })
}

fn reports(schemas: &mut SchemaGenerator) -> Value {
    json!({
        "operationId": "addReport",
        "summary": "Report a crash",
        "description": "At most 256 KB. It is durable when it is answered. A report that is sent again changes nothing.",
        "security": [{ "reports": [] }],
        "requestBody": { "required": true, "content": json_content::<wire::Report>(schemas) },
        "responses": with_refusals(json!({
            "202": { "description": "It was stored.", "content": json_content::<wire::Taken>(schemas) },
            "200": { "description": "A report with this id was stored before.", "content": json_content::<wire::Taken>(schemas) },
        }), schemas, REFUSALS_OF_REPORT),
    })
}

fn policy(schemas: &mut SchemaGenerator) -> Value {
    let tag = json!({ "ETag": { "description": "The id of the policy, in quotes.", "schema": { "type": "string" } } });
    json!({
        "operationId": "getPolicy",
        "summary": "What to record",
        "security": [{ "reports": [] }],
        "parameters": [
            { "name": "release", "in": "query", "required": true, "schema": schemas.subschema_for::<wire::Release>() },
            { "name": "cohort", "in": "query", "required": true, "schema": { "type": "integer", "minimum": 0, "maximum": 999 } },
            { "name": "If-None-Match", "in": "header", "required": false, "schema": { "type": "string" } },
        ],
        "responses": with_refusals(json!({
            "200": { "description": "The policy.", "headers": tag, "content": json_content::<wire::Policy>(schemas) },
            "304": { "description": "It has not changed.", "headers": tag },
        }), schemas, &["401", "403", "408", "422", "429", "503"]),
    })
}

fn maps(schemas: &mut SchemaGenerator) -> Value {
    json!({
        "operationId": "putMap",
        "summary": "Upload a source map or an original source",
        "description": "Paths of crashes of this release are then shown in the original source. The name of the file may have slashes. At most 32 MB.",
        "security": [{ "operators": [] }],
        "parameters": [
            { "name": "release", "in": "path", "required": true, "schema": schemas.subschema_for::<wire::Release>() },
            { "name": "file", "in": "path", "required": true, "schema": schemas.subschema_for::<wire::FileName>() },
        ],
        "requestBody": {
            "required": true,
            "content": {
                "application/json": { "schema": schemas.subschema_for::<wire::SourceMap>() },
                "text/plain": {},
                "text/javascript": {},
            },
        },
        "responses": with_refusals(json!({
            "204": { "description": "It was stored." },
        }), schemas, &["400", "401", "403", "404", "408", "413", "415", "422", "503"]),
    })
}

fn bugs(schemas: &mut SchemaGenerator) -> Value {
    json!({
        "operationId": "listBugs",
        "summary": "The bugs, those seen last first",
        "security": [{ "operators": [] }],
        "parameters": [
            { "name": "search", "in": "query", "required": false, "schema": schemas.subschema_for::<wire::Search>() },
            { "name": "state", "in": "query", "required": false, "schema": schemas.subschema_for::<wire::State>() },
            { "name": "limit", "in": "query", "required": false, "schema": { "type": "integer", "minimum": 1, "maximum": wire::MOST_BUGS } },
            { "name": "next", "in": "query", "required": false, "schema": schemas.subschema_for::<wire::BugCursor>() },
        ],
        "responses": with_refusals(json!({
            "200": { "description": "The bugs.", "content": json_content::<wire::BugList>(schemas) },
        }), schemas, &["401", "403", "408", "422", "503"]),
    })
}

fn bug(schemas: &mut SchemaGenerator) -> Value {
    json!({
        "operationId": "getBug",
        "summary": "A bug, with the path as far as it is known",
        "security": [{ "operators": [] }],
        "parameters": [bug_parameter(schemas)],
        "responses": with_refusals(json!({
            "200": { "description": "The bug.", "content": json_content::<wire::BugDetail>(schemas) },
        }), schemas, &["401", "403", "404", "408", "503"]),
    })
}

fn change(schemas: &mut SchemaGenerator) -> Value {
    json!({
        "operationId": "changeBug",
        "summary": "Switch recording for a bug off, or on again",
        "security": [{ "operators": [] }],
        "parameters": [bug_parameter(schemas)],
        "requestBody": { "required": true, "content": json_content::<wire::NewState>(schemas) },
        "responses": with_refusals(json!({
            "200": { "description": "The bug.", "content": json_content::<wire::BugSummary>(schemas) },
        }), schemas, &["400", "401", "403", "404", "408", "413", "415", "422", "503"]),
    })
}

fn remove(schemas: &mut SchemaGenerator) -> Value {
    json!({
        "operationId": "removeBug",
        "summary": "Remove a bug; if it is met again it is a new one",
        "security": [{ "operators": [] }],
        "parameters": [bug_parameter(schemas)],
        "responses": with_refusals(json!({
            "204": { "description": "It was removed." },
        }), schemas, &["401", "403", "404", "408", "503"]),
    })
}

fn health(schemas: &mut SchemaGenerator) -> Value {
    json!({
        "operationId": "health",
        "summary": "Whether the server and its database answer",
        "responses": with_refusals(json!({ "204": { "description": "They do." } }), schemas, &["408", "503"]),
    })
}

fn bug_parameter(schemas: &mut SchemaGenerator) -> Value {
    json!({ "name": "bug", "in": "path", "required": true, "schema": schemas.subschema_for::<wire::BugId>() })
}

fn json_content<T: JsonSchema>(schemas: &mut SchemaGenerator) -> Value {
    json!({ "application/json": { "schema": schemas.subschema_for::<T>() } })
}

const REFUSALS_OF_REPORT: &[&str] = &["400", "401", "403", "408", "413", "415", "422", "429", "503"];

const REFUSALS: &[(&str, &str)] = &[
    ("400", "The body is no JSON."),
    ("401", "There is no key, or a wrong one."),
    ("403", "The key is of another kind, or the policy is one of another project."),
    ("404", "There is no such thing."),
    ("408", "The request took too long."),
    ("413", "The body is too large."),
    ("415", "The content type is not taken here."),
    ("422", "Something is not what it should be."),
    ("429", "Too many requests with this key. `Retry-After` says when to come again."),
    ("503", "The database does not answer, or too much is under way. `Retry-After` says when to come again."),
];

fn with_refusals(mut responses: Value, schemas: &mut SchemaGenerator, statuses: &[&str]) -> Value {
    for (status, description) in REFUSALS.iter().filter(|(status, _)| statuses.contains(status)) {
        responses[*status] = match *status {
            "408" => json!({ "description": description }),
            _ => json!({ "description": description, "content": json_content::<wire::Refusal>(schemas) }),
        };
    }
    responses
}
