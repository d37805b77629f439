//! Which files are recorded: `--include` and `--exclude`.

/// Globs over absolute paths: `*` within a name, `**` over folders, `?` for one character. A glob that does not start with
/// `/` may start at any folder, and one that names a folder means all in it.
pub struct Filter {
    include: Vec<String>,
    exclude: Vec<String>,
}

impl Filter {
    pub fn new(include: &[String], exclude: &[String]) -> Filter {
        let plain = |globs: &[String]| globs.iter().map(|glob| glob.trim_end_matches('/').to_owned()).collect();
        Filter { include: plain(include), exclude: plain(exclude) }
    }

    pub fn wants(&self, path: &str) -> bool {
        let path = path.strip_prefix("file://").unwrap_or(path);
        (self.include.is_empty() || self.include.iter().any(|glob| names(glob, path)))
            && !self.exclude.iter().any(|glob| names(glob, path))
    }
}

/// Whether the glob matches the path or a folder above it.
fn names(glob: &str, path: &str) -> bool {
    let glob = glob.strip_prefix("./").unwrap_or(glob);
    let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]).filter(|end| *end > 0);
    let starts: Vec<usize> = if glob.starts_with('/') {
        vec![0]
    } else {
        [0].into_iter().chain(path.match_indices('/').map(|(slash, _)| slash + 1)).collect()
    };
    let ends: Vec<usize> = ends.collect();
    starts
        .iter()
        .any(|start| ends.iter().any(|end| start < end && matches(glob.as_bytes(), &path.as_bytes()[*start..*end])))
}

fn matches(glob: &[u8], text: &[u8]) -> bool {
    match glob {
        [] => text.is_empty(),
        [b'*', b'*', rest @ ..] => {
            let rest = rest.strip_prefix(b"/").unwrap_or(rest);
            (0..=text.len()).any(|skipped| matches(rest, &text[skipped..]))
        }
        [b'*', rest @ ..] => (0..=text.len())
            .take_while(|skipped| !text[..*skipped].contains(&b'/'))
            .any(|skipped| matches(rest, &text[skipped..])),
        [b'?', rest @ ..] => text.first().is_some_and(|c| *c != b'/') && matches(rest, &text[1..]),
        [c, rest @ ..] => text.first() == Some(c) && matches(rest, &text[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        let wants = |include: &[&str], exclude: &[&str], path: &str| {
            let own = |globs: &[&str]| globs.iter().map(|glob| glob.to_string()).collect::<Vec<_>>();
            Filter::new(&own(include), &own(exclude)).wants(path)
        };
        assert!(wants(&[], &[], "/a/b.js"));
        assert!(!wants(&[], &["node_modules"], "/a/node_modules/x/y.js"));
        assert!(wants(&[], &["node_modules"], "/a/my_node_modules/y.js"));
        assert!(wants(&["src/**/*.js"], &[], "/p/src/a/b/c.js"));
        assert!(!wants(&["src/*.js"], &[], "/p/src/a/c.js"));
        assert!(wants(&["/p/src"], &[], "file:///p/src/a.mjs"));
        assert!(!wants(&[], &["*.min.js"], "/p/dist/x.min.js"));
    }
}
