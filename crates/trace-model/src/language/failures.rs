//! Failures: what errors look like, and what the messages of the one that runs the program say.

pub trait Failures {
    /// What a message tells of the expression that failed.
    fn message_hint(&self, message: &str) -> MessageHint;

    fn error_keys(&self) -> ErrorKeys;

    /// The name of an error as it was before the one that runs the program added something to it for printing.
    fn plain_error_name(&self, name: &str, _code: Option<&str>) -> String {
        name.to_owned()
    }

    /// The type of the exception that a message begins with, if it does.
    fn exception_type<'m>(&self, _message: &'m str) -> Option<&'m str> {
        None
    }

    /// Whether an error of this name may be anything that a program or library says, and not what the one that runs it says.
    fn is_general_error(&self, _name: &str) -> bool {
        false
    }

    /// The members of an error of the system that say what was asked of it.
    fn system_error_keys(&self) -> &'static [&'static str] {
        &[]
    }

    /// The member that a program writes to say how it will end.
    fn exit_code_key(&self) -> Option<&'static str> {
        None
    }
}

/// Under which keys an error has what it says.
#[derive(Clone, Copy, Debug)]
pub struct ErrorKeys {
    pub message: &'static str,
    pub name: Option<&'static str>,
    pub code: Option<&'static str>,
    /// What an assertion found, and what it wanted.
    pub compared: Option<(&'static str, &'static str)>,
}

/// What a message says of the failing expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MessageHint {
    /// The member that was read or set.
    Property(String),
    /// The text of the callee; `is_described`: not as the source has it.
    NotCallable {
        callee: String,
        is_described: bool,
    },
    /// The text of the callee whose value could not be iterated.
    Given(String),
    NotDefined(String),
    /// It was done to an object that passes on what is done to it, and does so no more.
    Revoked,
    /// The text of what was iterated or taken apart.
    Text(String),
    Operator(&'static str),
    /// A constant was assigned to.
    Constant,
    None,
}
