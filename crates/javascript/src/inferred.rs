//! Names that V8 infers for functions that have none: `proto.tz = function () {…}` is `proto.tz` in a stack trace. As V8's parser does it
//! (`func-name-inferrer.cc`): of the assignments that a function is the right side of, the names of variables and keys from left to right;
//! `prototype` is left out, and so is a variable that another one follows. A function whose name begins with a capital is taken for a
//! constructor, and stands before what is assigned in it. Read off the text before the function, as nobody waits for a bundle to be parsed
//! to see a name.

/// The name of a function without one, by the text before it and the name of the function that it is in.
pub fn inferred_name(before: &str, around: &str) -> Option<String> {
    let mut rest = before.trim_end();
    let mut parts: Vec<Part> = Vec::new();
    while let Some(target) = before_assignment(rest) {
        let Some((start, names)) = member_chain(target) else { break };
        parts.splice(0..0, names);
        rest = target[..start].trim_end();
    }
    if parts.is_empty() {
        return None;
    }
    if around.starts_with(char::is_uppercase) {
        parts.insert(0, Part::Key(around));
    }
    let mut name: Vec<&str> = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        match (part, parts.get(number + 1)) {
            (Part::Variable(_), Some(Part::Variable(_))) => {}
            (Part::Variable(text) | Part::Key(text), _) => name.push(text),
        }
    }
    (!name.is_empty()).then(|| name.join("."))
}

enum Part<'t> {
    Variable(&'t str),
    Key(&'t str),
}

/// What an assignment at the end of a text assigns to: the text before its `=`.
fn before_assignment(text: &str) -> Option<&str> {
    let target = text.strip_suffix('=')?;
    (!target.ends_with(['=', '!', '<', '>', '+', '-', '*', '/', '%', '&', '|', '^', '?'])).then(|| target.trim_end())
}

/// The names in `a.b['c']` at the end of a text, and where it starts. Keys that are computed are `<computed>`.
fn member_chain(text: &str) -> Option<(usize, Vec<Part<'_>>)> {
    let mut end = text.len();
    let mut parts = Vec::new();
    loop {
        let head = &text[..end];
        if let Some(inside) = head.strip_suffix(']') {
            let open = inside.rfind('[')?;
            let key = inside[open + 1..].trim();
            let quotes = ['\'', '"', '`'];
            let quoted = key.strip_prefix(quotes).and_then(|key| key.strip_suffix(quotes));
            parts.push(Part::Key(quoted.unwrap_or("<computed>")));
            end = open;
            continue;
        }
        let start = head.char_indices().rev().take_while(|(_, c)| is_of_name(*c)).last().map(|(at, _)| at)?;
        let name = &head[start..];
        if !is_name(name) {
            return None;
        }
        let before = head[..start].trim_end();
        if let Some(object) = before.strip_suffix('.') {
            if name != "prototype" {
                parts.push(Part::Key(name));
            }
            end = object.trim_end_matches('?').trim_end().len();
            continue;
        }
        if name != "this" {
            parts.push(Part::Variable(name));
        }
        parts.reverse();
        return Some((start, parts));
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_of_name) && !text.starts_with(|c: char| c.is_ascii_digit())
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_stack_traces_have_them() {
        let name = |before: &str| inferred_name(before, "").unwrap_or_default();
        assert_eq!(name("proto.tz = "), "proto.tz");
        assert_eq!(name("Foo.prototype.bar = "), "Foo.bar");
        assert_eq!(name("module.exports = api.verify = "), "module.exports.api.verify");
        assert_eq!(name("exports['a b'] ="), "exports.a b");
        assert_eq!(name("let f; f = g = "), "g");
        assert_eq!(name("this.go = "), "go");
        assert_eq!(name("list[i] = "), "list.<computed>");
        assert_eq!([name("a.b === "), name("call("), name("f().x = ")], ["", "", ""]);
        assert_eq!(inferred_name("this.go = ", "Foo").as_deref(), Some("Foo.go"));
    }
}
