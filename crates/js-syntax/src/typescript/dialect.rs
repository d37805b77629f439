//! What of a text is more than JavaScript, and how the project wants it understood.

/// By the name of the file and by its tsconfig.json.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dialect {
    pub has_types: bool,
    /// `None` where `<` never starts an element.
    pub jsx: Option<Jsx>,
    pub decorators: Decorators,
    pub fields: Fields,
    pub imports: Imports,
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

/// What becomes of a name that is imported and only used as a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Imports {
    /// It is not imported.
    OfValues,
    /// Only what is marked as a type is not imported, as where Node takes the types away.
    OfAllUnmarked,
}

impl Dialect {
    pub fn typescript() -> Dialect {
        Dialect {
            has_types: true,
            jsx: None,
            decorators: Decorators::Standard,
            fields: Fields::Defined,
            imports: Imports::OfValues,
        }
    }

    /// Of what Node itself takes the types away.
    pub fn of_node() -> Dialect {
        Dialect { imports: Imports::OfAllUnmarked, ..Dialect::typescript() }
    }

    /// For a run, which keeps it: words, and behind some of them a tab and a name; one a line.
    pub fn to_text(&self) -> String {
        let jsx = match &self.jsx {
            None => Vec::new(),
            Some(Jsx::Classic { factory, fragment }) => {
                vec![format!("factory\t{factory}"), format!("fragment\t{fragment}")]
            }
            Some(Jsx::Automatic { source }) => vec![format!("jsx-runtime\t{source}")],
        };
        let words = [
            (self.has_types, TYPES),
            (self.decorators == Decorators::Legacy, LEGACY_DECORATORS),
            (self.fields == Fields::OnlyTypes, FIELDS_ARE_TYPES),
            (self.imports == Imports::OfAllUnmarked, ALL_IMPORTS),
        ];
        let words = words.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word.to_owned());
        words.chain(jsx).collect::<Vec<_>>().join("\n")
    }

    /// Reads what [`Dialect::to_text`] wrote; a later version may write what this one does not know.
    pub fn parse(text: &str) -> Option<Dialect> {
        let mut dialect = Dialect { has_types: false, ..Dialect::typescript() };
        for line in text.lines() {
            match line.split_once('\t') {
                None if line == TYPES => dialect.has_types = true,
                None if line == LEGACY_DECORATORS => dialect.decorators = Decorators::Legacy,
                None if line == FIELDS_ARE_TYPES => dialect.fields = Fields::OnlyTypes,
                None if line == ALL_IMPORTS => dialect.imports = Imports::OfAllUnmarked,
                Some(("factory", factory)) => {
                    dialect.jsx = Some(Jsx::Classic { factory: factory.into(), fragment: String::new() });
                }
                Some(("fragment", name)) => {
                    let Some(Jsx::Classic { fragment, .. }) = &mut dialect.jsx else { return None };
                    *fragment = name.into();
                }
                Some(("jsx-runtime", source)) => dialect.jsx = Some(Jsx::Automatic { source: source.into() }),
                _ => return None,
            }
        }
        Some(dialect)
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

const TYPES: &str = "types";
const LEGACY_DECORATORS: &str = "legacy-decorators";
const FIELDS_ARE_TYPES: &str = "fields-are-types";
const ALL_IMPORTS: &str = "all-imports";

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_back_from_its_text() {
        let jsx = [None, Some(Jsx::classic()), Some(Jsx::Automatic { source: "@emotion/react".into() })];
        for jsx in jsx {
            for decorators in [Decorators::Standard, Decorators::Legacy] {
                for fields in [Fields::Defined, Fields::OnlyTypes] {
                    for imports in [Imports::OfValues, Imports::OfAllUnmarked] {
                        for has_types in [true, false] {
                            let dialect = Dialect { has_types, jsx: jsx.clone(), decorators, fields, imports };
                            assert_eq!(Dialect::parse(&dialect.to_text()), Some(dialect));
                        }
                    }
                }
            }
        }
        assert_eq!(Dialect::parse("types\npatterns"), None);
    }
}
