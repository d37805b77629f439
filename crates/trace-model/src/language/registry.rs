use std::fmt;
use std::ops::Deref;

use crate::Language;

/// A language that somebody holds on to.
#[derive(Clone, Copy)]
pub struct LanguageRef(pub &'static dyn Language);

impl Deref for LanguageRef {
    type Target = dyn Language;

    fn deref(&self) -> &(dyn Language + 'static) {
        self.0
    }
}

impl fmt::Debug for LanguageRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// The languages that a process knows: whoever builds it says which.
#[derive(Clone, Debug, Default)]
pub struct Languages(Vec<LanguageRef>);

impl Languages {
    pub fn of(languages: &[&'static dyn Language]) -> Languages {
        Languages(languages.iter().copied().map(LanguageRef).collect())
    }

    /// One of the same name is replaced.
    pub fn add(&mut self, language: &'static dyn Language) {
        self.0.retain(|known| known.name() != language.name());
        self.0.push(LanguageRef(language));
    }

    pub fn find(&self, name: &str) -> Option<LanguageRef> {
        self.0.iter().find(|language| language.name() == name).copied()
    }

    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|language| language.0.name()).collect()
    }
}
