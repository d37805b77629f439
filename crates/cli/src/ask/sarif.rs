//! Explanations as SARIF 2.1.0: a result with one threadFlow for each, which editors and code hosts can step through.

use debugger::{Chain, ChainHop, FailureShown, Point};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

/// `others` are failures that were not explained.
pub fn sarif(chains: &[&Chain], others: &[&FailureShown], notes: &[String]) -> Value {
    let unexplained = others.iter().map(|failure| result_of(failure));
    let results: Vec<Value> = chains.iter().map(|chain| result(chain)).chain(unexplained).collect();
    let notifications: Vec<Value> =
        notes.iter().map(|note| json!({ "level": "note", "message": { "text": note } })).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "wherefore",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": [{ "id": "why", "shortDescription": { "text": "Why the program failed" } }],
            } },
            "columnKind": "utf16CodeUnits",
            "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": notifications }],
            "results": results,
        }],
    })
}

fn result(chain: &Chain) -> Value {
    // A threadFlow goes forward in time.
    let steps: Vec<Value> = chain.hops.iter().rev().enumerate().map(|(order, hop)| step(order, hop)).collect();
    let mut result = result_of(&chain.failure);
    result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    result
}

fn result_of(failure: &FailureShown) -> Value {
    json!({
        "ruleId": "why",
        "level": "error",
        "message": { "text": failure.words() },
        "locations": [location(&failure.point, None)],
    })
}

fn step(order: usize, hop: &ChainHop) -> Value {
    json!({
        "location": location(&hop.point, Some(&hop.words_with_parts())),
        "executionOrder": order + 1,
        "kinds": [hop.kind],
        "importance": "essential",
    })
}

fn location(point: &Point, text: Option<&str>) -> Value {
    let mut location = json!({});
    if let (Some(file), Some(line)) = (&point.file, point.line) {
        let mut region = json!({ "startLine": line });
        if let Some(column) = point.column {
            region["startColumn"] = json!(column);
        }
        if let Some(excerpt) = &point.excerpt {
            region["snippet"] = json!({ "text": excerpt.text });
        }
        location["physicalLocation"] = json!({ "artifactLocation": { "uri": uri(file) }, "region": region });
    }
    if let Some(function) = &point.function {
        location["logicalLocations"] = json!([{ "name": function, "kind": "function" }]);
    }
    if let Some(text) = text {
        location["message"] = json!({ "text": text });
    }
    location
}

/// A path as a relative reference, or as one of its own.
fn uri(path: &str) -> String {
    let encoded = utf8_percent_encode(path, OF_PATH);
    if path.starts_with('/') { format!("file://{encoded}") } else { encoded.to_string() }
}

/// What stands for something else in the path of a reference (RFC 3986).
const OF_PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b'@');
