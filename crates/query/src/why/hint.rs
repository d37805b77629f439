//! What a message of the engine tells of the expression that failed.

/// What V8's message says of the failing expression.
pub(super) enum Hint {
    /// The property that was read or set.
    Property(String),
    /// The text of the callee.
    NotCallable(String),
    /// The text of the callee whose value could not be iterated.
    Given(String),
    NotDefined(String),
    /// Something that the engine would have done to a proxy that does nothing more.
    Revoked,
    /// The text of what was iterated or taken apart.
    Text(String),
    Operator(&'static str),
    /// A constant was assigned to.
    Constant,
    None,
}

impl Hint {
    pub(super) fn of(message: &str) -> Hint {
        let between = |start: &str, end: &str| {
            let from = message.find(start)? + start.len();
            let rest = &message[from..];
            Some(rest[..rest.find(end)?].to_owned())
        };
        if let Some(key) = between("(reading '", "')").or_else(|| between("(setting '", "')")) {
            return Hint::Property(key);
        }
        let text = message.split_once(": ").map_or(message, |(_, text)| text);
        if let Some(at) = text.find(" is not a function or its return value is not iterable") {
            return Hint::Given(text[..at].to_owned());
        }
        if text.ends_with("on a proxy that has been revoked") {
            return Hint::Revoked;
        }
        for end in [" is not a function", " is not a constructor"] {
            if let Some(at) = text.find(end) {
                return Hint::NotCallable(text[..at].to_owned());
            }
        }
        if let Some(at) = text.find(" is not iterable") {
            let iterated = text[..at].rsplit(' ').next().unwrap_or_default();
            return Hint::Text(iterated.to_owned());
        }
        if let Some(taken_apart) = between(" of '", "' as it is ").filter(|_| text.starts_with("Cannot destructure")) {
            return Hint::Text(taken_apart);
        }
        if let Some(taken_apart) = between("Cannot destructure '", "' as it is ") {
            return Hint::Text(taken_apart);
        }
        if let Some(name) = between("Cannot access '", "' before initialization") {
            return Hint::NotDefined(name);
        }
        for (start, operator) in [("Cannot use 'in' operator", "in"), ("Right-hand side of 'instanceof'", "instanceof")]
        {
            if text.starts_with(start) {
                return Hint::Operator(operator);
            }
        }
        if text.starts_with("Assignment to constant variable") {
            return Hint::Constant;
        }
        match text.strip_suffix(" is not defined") {
            Some(name) => Hint::NotDefined(name.to_owned()),
            None => Hint::None,
        }
    }
}
