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
