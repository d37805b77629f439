//! Names of files that do not depend on where a program is installed.

/// The name of a file's package and the path inside it, or its path from the root of the program. What is neither in a package nor in the
/// program has no such name. Paths are absolute, with slashes; the root is that of the program.
pub fn installed_name(path: &str, root: &str) -> Option<String> {
    let inside = match path.rsplit_once(PACKAGES) {
        Some((_, inside)) => inside,
        None => path.strip_prefix(root.trim_end_matches('/'))?.strip_prefix('/')?,
    };
    is_installed_name(inside).then(|| inside.to_owned())
}

/// Whether a text can be such a name.
pub fn is_installed_name(name: &str) -> bool {
    let is_part =
        |part: &str| !matches!(part, "" | "." | "..") && !part.contains(|c: char| c.is_control() || c == '\\');
    name.len() <= LONGEST && name.split('/').all(is_part)
}

const PACKAGES: &str = "/node_modules/";
const LONGEST: usize = 400;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_name_wherever_it_is_installed() {
        let named = |path| installed_name(path, "/srv/shop/");
        assert_eq!(named("/srv/shop/src/cart.js").as_deref(), Some("src/cart.js"));
        assert_eq!(named("/srv/shop/node_modules/lokijs/src/loki.js").as_deref(), Some("lokijs/src/loki.js"));
        assert_eq!(named("/usr/lib/node_modules/@a/b/c.js").as_deref(), Some("@a/b/c.js"));
        let nested = "/srv/shop/node_modules/.pnpm/lokijs@1.5.1/node_modules/lokijs/src/loki.js";
        assert_eq!(named(nested).as_deref(), Some("lokijs/src/loki.js"));
        for elsewhere in ["/srv/shopping/a.js", "/srv/shop", "/srv/shop/", "/etc/passwd", "node:fs", "[eval]"] {
            assert_eq!(named(elsewhere), None, "{elsewhere}");
        }
        assert_eq!(installed_name("/a.js", "/").as_deref(), Some("a.js"));
    }

    #[test]
    fn no_name_leads_elsewhere() {
        for name in ["", "/a", "a//b", "a/", "../a", "a/../b", "./a", "a\\b", "a\nb", "a\0"] {
            assert!(!is_installed_name(name), "{name:?}");
        }
        assert!(!is_installed_name(&"a".repeat(LONGEST + 1)));
    }
}
