//! Which files are recorded: the patterns of `--include` and `--exclude`. The command line reads them to refuse what cannot be
//! meant, the recorded processes to ask them.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Globs over absolute paths: `*` and `?` within a name, `**` over folders, `[ab]`, `{a,b}`; a backslash takes the next
/// character literally. A glob that does not start with `/` may start at any folder, and one that names a folder means all
/// in it.
#[derive(Clone, Debug)]
pub struct FileFilter {
    /// `None`: every file.
    include: Option<GlobSet>,
    exclude: GlobSet,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{pattern}` is not a pattern of paths: {why}")]
pub struct PatternError {
    pattern: String,
    why: String,
}

impl FileFilter {
    pub fn new(include: &[String], exclude: &[String]) -> Result<FileFilter, PatternError> {
        let include = if include.is_empty() { None } else { Some(glob_set(include)?) };
        Ok(FileFilter { include, exclude: glob_set(exclude)? })
    }

    /// Whether it says which files are recorded, and not only which are not.
    pub fn names_files(&self) -> bool {
        self.include.is_some()
    }

    pub fn wants(&self, path: &str) -> bool {
        self.include.as_ref().is_none_or(|globs| globs.is_match(path)) && !self.exclude.is_match(path)
    }
}

fn glob_set(patterns: &[String]) -> Result<GlobSet, PatternError> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let refused = |why: String| PatternError { pattern: pattern.clone(), why };
        let plain = pattern.strip_prefix("./").unwrap_or(pattern);
        if plain.is_empty() {
            return Err(refused("it is empty".into()));
        }
        let start = if plain.starts_with('/') { "" } else { "**/" };
        let plain = plain.trim_end_matches('/');
        for end in ["", "/**"] {
            let glob = GlobBuilder::new(&format!("{start}{plain}{end}")).literal_separator(true).build();
            set.add(glob.map_err(|error| refused(error.kind().to_string()))?);
        }
    }
    // Each pattern is fine by itself; together they can be too large.
    set.build().map_err(|error| PatternError { pattern: patterns.join("` and `"), why: error.kind().to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(patterns: &[&str]) -> Vec<String> {
        patterns.iter().map(|pattern| pattern.to_string()).collect()
    }

    #[test]
    fn what_is_wanted() {
        let wants = |include: &[&str], exclude: &[&str], path: &str| {
            FileFilter::new(&own(include), &own(exclude)).unwrap().wants(path)
        };
        assert!(wants(&[], &[], "/a/b.js"));
        assert!(!wants(&[], &["node_modules"], "/a/node_modules/x/y.js"));
        assert!(!wants(&[], &["node_modules/"], "/a/node_modules/x/y.js"));
        assert!(wants(&[], &["node_modules"], "/a/my_node_modules/y.js"));
        assert!(wants(&["src/**/*.js"], &[], "/p/src/a/b/c.js"));
        assert!(wants(&["src/**/*.js"], &[], "/p/src/c.js"));
        assert!(!wants(&["src/*.js"], &[], "/p/src/a/c.js"));
        assert!(wants(&["./src"], &[], "/p/src/a.mjs"));
        assert!(wants(&["/p/src"], &[], "/p/src/a.mjs"));
        assert!(!wants(&["/src"], &[], "/p/src/a.mjs"));
        assert!(wants(&["/"], &[], "/p/src/a.mjs"));
        assert!(!wants(&[], &["*.min.js"], "/p/dist/x.min.js"));
        assert!(wants(&["{src,lib}/*.[jt]s"], &[], "/p/lib/x.ts"));
        assert!(wants(&[r"\[id\].js"], &[], "/p/[id].js"));
    }

    #[test]
    fn what_cannot_be_meant() {
        let refused = |pattern: &str| FileFilter::new(&[], &own(&[pattern])).unwrap_err().to_string();
        assert_eq!(refused("src/[a"), "`src/[a` is not a pattern of paths: unclosed character class; missing ']'");
        assert_eq!(refused(""), "`` is not a pattern of paths: it is empty");
        assert!(refused("{a").contains("missing '}'"));
    }
}
