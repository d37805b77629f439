//! To whom code belongs.

/// Decided when code is loaded, and kept with it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Origin {
    /// The program that the person works on.
    #[default]
    Own,
    /// A package that the program uses.
    Library(String),
    /// A package that only runs beside the program: a test runner, a transpiler.
    Tool(String),
    /// What runs the program.
    Host,
}

impl Origin {
    pub fn is_own(&self) -> bool {
        *self == Origin::Own
    }

    pub fn is_tool(&self) -> bool {
        matches!(self, Origin::Tool(_))
    }

    /// The name of the package, if it is one.
    pub fn package(&self) -> Option<&str> {
        match self {
            Origin::Library(name) | Origin::Tool(name) => Some(name),
            Origin::Own | Origin::Host => None,
        }
    }

    /// As files of a run have it: `own`, `library NAME`, `tool NAME`, `host`.
    pub fn to_text(&self) -> String {
        match self {
            Origin::Own => "own".to_owned(),
            Origin::Library(name) => format!("library {name}"),
            Origin::Tool(name) => format!("tool {name}"),
            Origin::Host => "host".to_owned(),
        }
    }

    pub fn parse(text: &str) -> Option<Origin> {
        match text.split_once(' ') {
            None if text == "own" => Some(Origin::Own),
            None if text == "host" => Some(Origin::Host),
            Some(("library", name)) => Some(Origin::Library(name.to_owned())),
            Some(("tool", name)) => Some(Origin::Tool(name.to_owned())),
            _ => None,
        }
    }
}
