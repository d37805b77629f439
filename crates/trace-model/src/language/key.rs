use crate::SymbolId;

/// What an object has something under. A whole number and its digits are one key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PropertyKey {
    Name(String),
    Symbol(SymbolId),
}

impl PropertyKey {
    pub fn name(&self) -> Option<&str> {
        match self {
            PropertyKey::Name(name) => Some(name),
            PropertyKey::Symbol(_) => None,
        }
    }

    pub fn is_name(&self, name: &str) -> bool {
        self.name() == Some(name)
    }
}
