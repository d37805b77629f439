//! Errors of JavaScript, and what V8 says of them.

use trace_model::{ErrorKeys, Failures, MessageHint};

use crate::JavaScript;

impl Failures for JavaScript {
    fn message_hint(&self, message: &str) -> MessageHint {
        hint(message)
    }

    fn error_keys(&self) -> ErrorKeys {
        ErrorKeys { message: "message", name: Some("name"), code: Some("code"), compared: Some(("actual", "expected")) }
    }

    /// Node gives its errors such a name while their stack is written out.
    fn plain_error_name(&self, name: &str, code: Option<&str>) -> String {
        let short = code.and_then(|code| name.strip_suffix(&format!(" [{code}]")));
        short.unwrap_or(name).to_owned()
    }

    fn exception_type<'m>(&self, message: &'m str) -> Option<&'m str> {
        let name = message.split([':', ' ']).next()?;
        (name.ends_with("Error") || name.ends_with("Exception")).then_some(name)
    }

    fn is_general_error(&self, name: &str) -> bool {
        name == "Error"
    }

    fn system_error_keys(&self) -> &'static [&'static str] {
        &["path", "dest", "hostname", "address", "port", "file"]
    }

    fn exit_code_key(&self) -> Option<&'static str> {
        Some("exitCode")
    }
}

fn hint(message: &str) -> MessageHint {
    let between = |start: &str, end: &str| {
        let from = message.find(start)? + start.len();
        let rest = &message[from..];
        Some(rest[..rest.find(end)?].to_owned())
    };
    if let Some(key) = between("(reading '", "')").or_else(|| between("(setting '", "')")) {
        return MessageHint::Property(key);
    }
    let text = message.split_once(": ").map_or(message, |(_, text)| text);
    if let Some(at) = text.find(" is not a function or its return value is not iterable") {
        return MessageHint::Given(text[..at].to_owned());
    }
    if text.ends_with("on a proxy that has been revoked") {
        return MessageHint::Revoked;
    }
    for end in [" is not a function", " is not a constructor"] {
        if let Some(at) = text.find(end) {
            return not_callable(&text[..at]);
        }
    }
    if let Some(at) = text.find(" is not iterable") {
        let iterated = text[..at].rsplit(' ').next().unwrap_or_default();
        return MessageHint::Text(iterated.to_owned());
    }
    if let Some(taken_apart) = between(" of '", "' as it is ").filter(|_| text.starts_with("Cannot destructure")) {
        return MessageHint::Text(taken_apart);
    }
    if let Some(taken_apart) = between("Cannot destructure '", "' as it is ") {
        return MessageHint::Text(taken_apart);
    }
    if let Some(name) = between("Cannot access '", "' before initialization") {
        return MessageHint::NotDefined(name);
    }
    for (start, operator) in [("Cannot use 'in' operator", "in"), ("Right-hand side of 'instanceof'", "instanceof")] {
        if text.starts_with(start) {
            return MessageHint::Operator(operator);
        }
    }
    if text.starts_with("Assignment to constant variable") {
        return MessageHint::Constant;
    }
    match text.strip_suffix(" is not defined") {
        Some(name) => MessageHint::NotDefined(name.to_owned()),
        None => MessageHint::None,
    }
}

fn not_callable(callee: &str) -> MessageHint {
    let is_described = callee.split_whitespace().collect::<String>().contains("(intermediatevalue)");
    MessageHint::NotCallable { callee: callee.to_owned(), is_described }
}
