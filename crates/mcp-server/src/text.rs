//! A document as text, for models: what JSON says of points and values, without its words for them.

use serde_json::{Map, Value};

use crate::next::Suggestion;

/// The whole of an answer, with what to ask next.
pub fn text(whole: &Map<String, Value>, next: &[Suggestion]) -> String {
    let mut out = String::new();
    if let Some(answer) = whole.get("answer") {
        let (line, below) = split(answer);
        push(&mut out, 0, &line);
        below.iter().for_each(|(name, value)| nested(&mut out, 0, name, value));
    }
    for note in whole.get("notes").and_then(Value::as_array).into_iter().flatten() {
        push(&mut out, 0, &format!("note: {}", note.as_str().unwrap_or_default()));
    }
    if let Some(cut) = whole.get("cut").and_then(Value::as_str) {
        push(&mut out, 0, cut);
    }
    for Suggestion { tool, arguments, why } in next {
        push(&mut out, 0, &format!("next: {tool} {} ({why})", Value::Object(arguments.clone())));
    }
    out
}

/// What of an object can stand on one line, and what has to stand below.
fn split(value: &Value) -> (String, Vec<(&str, &Value)>) {
    if let Some(line) = inline(value) {
        return (line, Vec::new());
    }
    let Value::Object(fields) = value else { return (String::new(), vec![("", value)]) };
    let mut words = Vec::new();
    let mut below = Vec::new();
    let is_first = |name: &&String| NAMELESS.contains(&name.as_str());
    let (first, others): (Vec<&String>, Vec<&String>) = fields.keys().partition(is_first);
    for name in first.into_iter().chain(others) {
        let field = &fields[name];
        match inline(field) {
            Some(text) if text.is_empty() => {}
            Some(text) if text.contains('\n') => below.push((name.as_str(), field)),
            Some(text) if NAMELESS.contains(&name.as_str()) => words.push(text),
            Some(text) => words.push(format!("{name}: {text}")),
            None => below.push((name.as_str(), field)),
        }
    }
    (words.join("; "), below)
}

/// They say what something is and where, in this order, and come first.
const NAMELESS: [&str; 4] = ["kind", "label", "point", "text"];

fn nested(out: &mut String, depth: usize, name: &str, value: &Value) {
    if !name.is_empty() {
        push(out, depth, &format!("{name}:"));
    }
    match value {
        Value::Array(items) => {
            for item in items {
                let (line, below) = split(item);
                push(out, depth, &format!("- {line}"));
                below.iter().for_each(|(name, value)| nested(out, depth + 1, name, value));
            }
        }
        other => {
            let (lines, below) = split(other);
            lines.lines().for_each(|line| push(out, depth + 1, line));
            below.iter().for_each(|(name, value)| nested(out, depth + 1, name, value));
        }
    }
}

/// A scalar, a value, a point, or a list of scalars.
fn inline(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => {
            let items: Option<Vec<String>> =
                items.iter().map(|item| inline(item).filter(|_| !item.is_object() && !item.is_array())).collect();
            items.map(|items| items.join(", "))
        }
        Value::Object(fields) => point(fields).or_else(|| plain_value(fields)),
    }
}

/// `P3 cart.js:14 in total, hit 2 of 2 │ total += line.price`
fn point(fields: &Map<String, Value>) -> Option<String> {
    let event = fields.get("event").filter(|_| fields.contains_key("thread"))?;
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let number = |name: &str| fields.get(name).and_then(Value::as_u64);
    let mut words: Vec<String> = vec![text("point").map_or_else(|| format!("@{event}"), str::to_owned)];
    if let (Some(file), Some(line)) = (text("file"), number("line")) {
        words.push(format!("{file}:{line}"));
    }
    words.extend(text("function").map(|function| format!("in {function}")));
    if let (Some(hit), Some(hits)) = (number("hit"), number("hits").filter(|hits| *hits > 1)) {
        words.push(format!("hit {hit} of {hits}"));
    }
    words.extend(text("text").map(|source| format!("│ {}", source.trim())));
    Some(words.join(" "))
}

fn plain_value(fields: &Map<String, Value>) -> Option<String> {
    let is_value =
        fields.contains_key("type") && fields.keys().all(|name| ["type", "text", "object"].contains(&&**name));
    fields.get("text").and_then(Value::as_str).filter(|_| is_value).map(str::to_owned)
}

fn push(out: &mut String, depth: usize, line: &str) {
    out.push_str(format!("{}{line}", "  ".repeat(depth)).trim_end());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use super::*;

    #[test]
    fn points_and_values_are_said_in_a_line() {
        let answer = json!({
            "kind": "written",
            "point": { "point": "P2", "event": 7, "thread": 1, "file": "a.js", "line": 3, "hit": 1, "hits": 2, "text": "  x = 1;" },
            "new": { "type": "number", "text": "1" },
            "message": "not equal:\n\n3 !== 4",
            "changes": [{ "text": "once", "names": ["a", "b"], "inside": [{ "name": "c", "deep": [{ "d": 1 }] }] }],
        });
        let whole = [("answer".to_owned(), answer), ("notes".to_owned(), json!(["so it is"]))].into_iter().collect();
        expect![[r#"
            written; P2 a.js:3 hit 1 of 2 │ x = 1;; new: 1
            changes:
            - once; names: a, b
              inside:
              - name: c
                deep:
                - d: 1
            message:
              not equal:
  
              3 !== 4
            note: so it is
        "#]]
        .assert_eq(&text(&whole, &[]));
    }
}
