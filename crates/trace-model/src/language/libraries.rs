//! Whose code something is, and which file a module names.

pub trait Libraries {
    /// Whether a path is that of an installed library.
    fn is_library(&self, path: &str) -> bool {
        self.library_of(path).is_some()
    }

    /// The name of the installed library that a path is in.
    fn library_of<'p>(&self, _path: &'p str) -> Option<&'p str> {
        None
    }

    /// Whether a printed place is not of the project: of a library, or of the one that runs the program.
    fn is_printed_library(&self, path: &str) -> bool {
        self.is_library(path)
    }

    /// The files that a module may name, seen from another.
    fn module_paths(&self, _importer: &str, _specifier: &str) -> ModulePaths {
        ModulePaths::Files(Vec::new())
    }

    /// Whether a module hands on what another exports under a name when it hands on all of it.
    fn hands_on(&self, _name: &str) -> bool {
        true
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModulePaths {
    /// The likeliest first.
    Files(Vec<String>),
    /// Some file with this in its path.
    Within(String),
}
