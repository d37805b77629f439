//! What a path says about a module. Paths are absolute and have slashes.

/// The folder of the package that a file belongs to: the one after the last `node_modules/`, also inside a zip file of Yarn. A
/// file outside of `node_modules` belongs to the folder around its `dist`, `lib` or `bin`.
pub fn package_folder(path: &str) -> &str {
    match name_in_modules(path) {
        Some(name) => {
            let end = name.as_ptr() as usize - path.as_ptr() as usize + name.len();
            &path[..end]
        }
        None => {
            let mut folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            while let Some((outer, inner)) = folder.rsplit_once('/')
                && INNER_FOLDERS.contains(&inner)
            {
                folder = outer;
            }
            folder
        }
    }
}

/// The name of the package that a file belongs to, as people write it.
pub fn package_name(path: &str) -> &str {
    name_in_modules(path).unwrap_or_else(|| {
        let is_version = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
        let mut parts = package_folder(path).rsplit('/');
        parts.find(|part| !part.is_empty() && !is_version(part)).unwrap_or(path)
    })
}

/// `lodash`, `@scope/name`.
fn name_in_modules(path: &str) -> Option<&str> {
    let (_, behind) = path.rsplit_once(MODULES)?;
    let name = package_of_specifier(behind)?;
    (!name.is_empty()).then_some(name)
}

/// The package that a bare specifier asks for: `lodash` of `lodash/fp`, `@a/b` of `@a/b/c.js`.
pub fn package_of_specifier(specifier: &str) -> Option<&str> {
    let length = match specifier.strip_prefix('@') {
        Some(scoped) => {
            let slash = scoped.find('/')?;
            1 + scoped[slash + 1..].find('/').map_or(scoped.len(), |at| slash + 1 + at)
        }
        None => specifier.find('/').unwrap_or(specifier.len()),
    };
    specifier.get(..length)
}

/// What is left of a path inside one of these folders, if it is not installed there.
pub fn below<'p>(path: &'p str, roots: &[String]) -> Option<&'p str> {
    roots.iter().filter_map(|root| inside(path, root)).find(|inner| !format!("/{inner}").contains(MODULES))
}

/// What is left of a path inside a folder.
pub fn inside<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    path.strip_prefix(folder.trim_end_matches('/'))?.strip_prefix('/')
}

/// Whether a file of this name holds the configuration of a tool: `vite.config.ts`, `babel-config.js`, `karma.conf.js`, `.mocharc.cjs`.
pub fn is_configuration(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let has_part = |part: &str| name.contains(&format!(".{part}."));
    let stem = name.split('.').next().unwrap_or_default();
    let is_run_commands = name.starts_with('.') && name[1..].split('.').next().is_some_and(|stem| stem.ends_with("rc"));
    name.starts_with("config.")
        || has_part("config")
        || has_part("conf")
        || stem.ends_with("-config")
        || is_run_commands
}

/// Whether a path inside a project leads through a folder that is hidden.
pub fn is_in_hidden_folder(inner: &str) -> bool {
    inner.rsplit_once('/').is_some_and(|(folders, _)| folders.split('/').any(|part| part.starts_with('.')))
}

/// Whether the file itself is hidden.
pub fn is_hidden(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with('.'))
}

/// The path that a specifier names as seen from a file, without its ending; `None` if it names a package.
pub fn named_file(specifier: &str, from: &str) -> Option<String> {
    let plain = specifier.strip_prefix("file://").unwrap_or(specifier);
    let plain = plain.strip_prefix("/@fs").unwrap_or(plain);
    let plain = plain.split(['?', '#']).next().unwrap_or(plain);
    let is_relative = plain == "." || plain == ".." || plain.starts_with("./") || plain.starts_with("../");
    if !is_relative && !plain.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = if is_relative { from.split('/').collect() } else { Vec::new() };
    parts.pop();
    for part in plain.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    let absolute = if joined.starts_with('/') || joined.is_empty() { joined } else { format!("/{joined}") };
    Some(without_ending(&absolute).to_owned())
}

/// Without the last ending of the file's name.
pub fn without_ending(path: &str) -> &str {
    let start = path.rfind('/').map_or(0, |slash| slash + 1);
    path[start..].rfind('.').filter(|at| *at > 0).map_or(path, |at| &path[..start + at])
}

const MODULES: &str = "/node_modules/";
const INNER_FOLDERS: [&str; 8] = ["dist", "lib", "bin", "src", "build", "cjs", "esm", "out"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_files() {
        let of = |path| (package_folder(path), package_name(path));
        assert_eq!(of("/p/node_modules/lodash/fp.js"), ("/p/node_modules/lodash", "lodash"));
        assert_eq!(of("/p/node_modules/@a/b/c/d.js"), ("/p/node_modules/@a/b", "@a/b"));
        assert_eq!(
            of("/p/node_modules/.pnpm/x@1.0.0/node_modules/x/i.js"),
            ("/p/node_modules/.pnpm/x@1.0.0/node_modules/x", "x")
        );
        assert_eq!(
            of("/p/.yarn/cache/x-npm-1.zip/node_modules/x/i.js"),
            ("/p/.yarn/cache/x-npm-1.zip/node_modules/x", "x")
        );
        assert_eq!(of("/h/.cache/corepack/v1/pnpm/9.1.0/dist/pnpm.cjs"), ("/h/.cache/corepack/v1/pnpm/9.1.0", "pnpm"));
        assert_eq!(package_of_specifier("@a"), None);
    }

    #[test]
    fn what_is_installed_in_a_project_is_not_the_project() {
        let roots = ["/p".to_owned()];
        assert_eq!(below("/p/src/a.js", &roots), Some("src/a.js"));
        assert_eq!(below("/p/node_modules/a/b.js", &roots), None);
        assert_eq!(below("/pq/a.js", &roots), None);
        // A project may itself be installed somewhere.
        assert_eq!(below("/x/node_modules/p/a.js", &["/x/node_modules/p".to_owned()]), Some("a.js"));
    }

    #[test]
    fn configurations() {
        for name in ["vite.config.ts", "config.js", "babel-config.js", "karma.conf.js", ".mocharc.cjs", ".eslintrc"] {
            assert!(is_configuration(&format!("/p/{name}")), "{name}");
        }
        for name in ["configure.js", "myconfig.js", ".pnp.cjs", "source.js", "conf.js", ".hidden.js"] {
            assert!(!is_configuration(&format!("/p/{name}")), "{name}");
        }
    }

    #[test]
    fn files_that_are_named() {
        let named = |specifier| named_file(specifier, "/p/src/a.ts");
        assert_eq!(named("./b.js").as_deref(), Some("/p/src/b"));
        assert_eq!(named("../lib/c").as_deref(), Some("/p/lib/c"));
        assert_eq!(named("..").as_deref(), Some("/p"));
        assert_eq!(named("file:///q/d.mjs?x=1").as_deref(), Some("/q/d"));
        assert_eq!(named("/@fs/q/d.mjs").as_deref(), Some("/q/d"));
        assert_eq!(named("lodash"), None);
        assert_eq!(without_ending("/p/.hidden"), "/p/.hidden");
    }
}
