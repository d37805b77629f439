//! An answer without what it says twice, or what only a program that draws it would use.

use serde_json::{Map, Value, json};

/// What is required by the schema of the answer stays.
pub fn lean(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(lean),
        Value::Object(fields) => {
            if is_point(fields) {
                lean_point(fields);
            } else {
                lean_telling(fields);
            }
            fields.values_mut().for_each(lean);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Leaves the message of a failure in the failure alone: it can be long, and the test, the value that was thrown and the first of the
/// chain have it as well.
pub fn once(answer: &mut Value) {
    let Some(failure) = answer.get_mut("failure") else { return };
    let Some(message) = failure.get("message").and_then(Value::as_str) else { return };
    // By its beginning: elsewhere it may be cut.
    let said: String = message.lines().next().unwrap_or_default().chars().take(TELLING).collect();
    if said.is_empty() {
        return;
    }
    without_message(failure.get_mut("value"), &said);
    if let Some(test) = failure.get_mut("test").and_then(Value::as_object_mut) {
        test.retain(|name, told| name != "error" || !told.as_str().is_some_and(|told| told.starts_with(&said)));
    }
    let first = answer.get_mut("chain").and_then(|chain| chain.get_mut(0)).filter(|hop| hop["kind"] == "failure");
    if let Some(hop) = first {
        without_message(hop.get_mut("value"), &said);
        if hop["text"].as_str().is_some_and(|told| told.starts_with(&said)) {
            hop["text"] = json!("");
        }
    }
}

/// Letters by which a message is known.
const TELLING: usize = 40;

/// `#36 Error: it is wrong` is `#36` then.
fn without_message(value: Option<&mut Value>, said: &str) {
    if let Some(Value::String(text)) = value.and_then(|value| value.get_mut("text"))
        && let Some(at) = text.find(said)
    {
        text.truncate(text[..at].trim_end().len());
    }
}

fn is_point(fields: &Map<String, Value>) -> bool {
    fields.contains_key("event") && fields.contains_key("thread")
}

/// A line that was executed once needs no number.
fn lean_point(point: &mut Map<String, Value>) {
    point.remove("column");
    if point.get("hits").and_then(Value::as_u64).is_some_and(|hits| hits <= 1) {
        point.remove("hit");
        point.remove("hits");
    }
}

/// Something that happened at a point.
fn lean_telling(telling: &mut Map<String, Value>) {
    let text = |of: &Map<String, Value>| of.get("text").and_then(Value::as_str).map(str::to_owned);
    // `total became 41.4` has the value.
    let said = text(telling).filter(|_| telling.contains_key("point"));
    let value = telling.get("value").and_then(|value| value.get("text")?.as_str());
    if let (Some(said), Some(value)) = (said, value)
        && said.contains(value)
    {
        telling.remove("value");
    }
    let source = telling.get("point").and_then(Value::as_object).and_then(text);
    if let Some(reason) = telling.get_mut("because").and_then(|reason| reason.get_mut("point")?.as_object_mut())
        && text(reason) == source
    {
        reason.remove("text");
    }
    if let Some(others) = telling.get_mut("rounds").and_then(|rounds| rounds.get_mut("others")) {
        *others = json!([]);
    }
    // Of a judged call, what it holds is also in its arguments and changes.
    if let Some(objects) = telling.get_mut("objects").filter(|objects| objects.is_object()) {
        *objects = json!({});
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_a_failure_stands_there_once() {
        let message = "Error: 3 is not 4\n\n3 !== 4";
        let value = |text: &str| json!({ "type": "object", "text": text, "object": 7 });
        let mut why = json!({
            "failure": { "message": message, "value": value("#7 Error: 3 is not 4\n\n3…"), "test": { "title": "adds", "error": message } },
            "chain": [
                { "kind": "failure", "text": message, "value": value("#7 Error: 3 is not 4\n\n3…") },
                { "kind": "write", "text": "message became Error: 3 is not 4" },
            ],
        });
        once(&mut why);
        let leaner = json!({
            "failure": { "message": message, "value": value("#7"), "test": { "title": "adds" } },
            "chain": [
                { "kind": "failure", "text": "", "value": value("#7") },
                { "kind": "write", "text": "message became Error: 3 is not 4" },
            ],
        });
        assert_eq!(why, leaner);
    }

    #[test]
    fn what_is_said_twice_is_said_once() {
        let point =
            |hits: u32| json!({ "event": 3, "thread": 1, "column": 4, "hit": 1, "hits": hits, "text": "x = 1;" });
        let mut hop = json!({
            "kind": "write", "point": point(1), "text": "x became 1", "value": { "type": "number", "text": "1" },
            "because": { "text": "y was true", "point": point(2) },
            "reads": [{ "text": "x1", "value": { "type": "number", "text": "1" } }],
        });
        lean(&mut hop);
        let leaner = json!({
            "kind": "write", "point": { "event": 3, "thread": 1, "text": "x = 1;" }, "text": "x became 1",
            "because": { "text": "y was true", "point": { "event": 3, "thread": 1, "hit": 1, "hits": 2 } },
            "reads": [{ "text": "x1", "value": { "type": "number", "text": "1" } }],
        });
        assert_eq!(hop, leaner);
    }
}
