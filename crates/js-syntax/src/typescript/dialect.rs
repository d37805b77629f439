//! What of a text is more than JavaScript, and how the project wants it understood.

/// By the name of the file and by its tsconfig.json.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dialect {
    pub has_types: bool,
    /// `None` where `<` never starts an element.
    pub jsx: Option<Jsx>,
    pub decorators: Decorators,
    pub fields: Fields,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Jsx {
    /// Elements call a function that the file has in scope.
    Classic { factory: String, fragment: String },
    /// Elements call functions of `<source>/jsx-runtime`, which is imported for that.
    Automatic { source: String },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decorators {
    /// Of the language.
    Standard,
    /// Of TypeScript before there were standard ones (`experimentalDecorators`).
    Legacy,
}

/// What a class field without a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fields {
    /// A property that is undefined, as in JavaScript.
    Defined,
    /// Only a type (`useDefineForClassFields: false`).
    OnlyTypes,
}

impl Dialect {
    pub fn typescript() -> Dialect {
        Dialect { has_types: true, jsx: None, decorators: Decorators::Standard, fields: Fields::Defined }
    }

    /// Of a file in a project that says nothing; `None` for JavaScript.
    pub fn of_extension(extension: &str) -> Option<Dialect> {
        match extension {
            "ts" | "mts" | "cts" => Some(Dialect::typescript()),
            "tsx" | "jsx" => {
                let has_types = extension == "tsx";
                Some(Dialect { has_types, jsx: Some(Jsx::classic()), ..Dialect::typescript() })
            }
            _ => None,
        }
    }
}

impl Jsx {
    pub fn classic() -> Jsx {
        Jsx::Classic { factory: "React.createElement".into(), fragment: "React.Fragment".into() }
    }

    /// Comments such as `/** @jsx h */` overrule the project.
    pub fn with_pragmas<'c>(mut self, comments: impl Iterator<Item = &'c str>) -> Jsx {
        for comment in comments {
            let value = |name: &str| {
                let rest = comment.split_once(name)?.1;
                rest.starts_with(char::is_whitespace).then(|| rest.split_whitespace().next()).flatten()
            };
            match value("@jsxRuntime") {
                Some("automatic") if matches!(self, Jsx::Classic { .. }) => {
                    self = Jsx::Automatic { source: "react".into() };
                }
                Some("classic") if matches!(self, Jsx::Automatic { .. }) => self = Jsx::classic(),
                _ => {}
            }
            if let Some(name) = value("@jsxImportSource") {
                self = Jsx::Automatic { source: name.into() };
            }
            if let Some(name) = value("@jsx") {
                if !matches!(self, Jsx::Classic { .. }) {
                    self = Jsx::classic();
                }
                if let Jsx::Classic { factory, .. } = &mut self {
                    *factory = name.into();
                }
            }
            if let (Some(name), Jsx::Classic { fragment, .. }) = (value("@jsxFrag"), &mut self) {
                *fragment = name.into();
            }
        }
        self
    }

    /// Variables that elements use without naming them.
    pub fn roots(&self) -> impl Iterator<Item = &str> {
        let names = match self {
            Jsx::Classic { factory, fragment } => [Some(factory), Some(fragment)],
            Jsx::Automatic { .. } => [None, None],
        };
        names.into_iter().flatten().filter_map(|name| name.split('.').next())
    }
}
