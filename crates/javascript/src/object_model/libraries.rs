//! Where npm and its like put libraries, and which files `import` may name.

use trace_model::{Libraries, ModulePaths};

use crate::JavaScript;

impl Libraries for JavaScript {
    fn is_library(&self, path: &str) -> bool {
        path.contains(INSTALLED)
    }

    fn library_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        let (_, behind) = path.rsplit_once(INSTALLED)?;
        let length = match behind.strip_prefix('@') {
            Some(scoped) => 1 + scoped.match_indices('/').nth(1).map_or(scoped.len(), |(at, _)| at),
            None => behind.find('/').unwrap_or(behind.len()),
        };
        behind.get(..length)
    }

    fn is_printed_library(&self, path: &str) -> bool {
        path.contains("node_modules/") || path.starts_with("node:")
    }

    fn module_paths(&self, importer: &str, specifier: &str) -> ModulePaths {
        match joined(importer, specifier) {
            Some(path) => ModulePaths::Files(candidates(&path)),
            None => ModulePaths::Within(format!("{INSTALLED}{specifier}/")),
        }
    }

    fn hands_on(&self, name: &str) -> bool {
        name != "default"
    }
}

const INSTALLED: &str = "/node_modules/";

/// The path that a relative or absolute specifier names.
fn joined(importer: &str, specifier: &str) -> Option<String> {
    let specifier = specifier.strip_prefix("file://").unwrap_or(specifier);
    if specifier.starts_with('/') {
        return Some(specifier.to_owned());
    }
    if !specifier.starts_with("./") && !specifier.starts_with("../") {
        return None;
    }
    let mut parts: Vec<&str> = importer.split('/').collect();
    parts.pop();
    for part in specifier.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The files that a path may mean: itself, the TypeScript it was written for, one without its extension, a folder.
fn candidates(path: &str) -> Vec<String> {
    let mut paths = vec![path.to_owned()];
    for (compiled, sources) in [(".js", &[".ts", ".tsx"][..]), (".mjs", &[".mts"]), (".jsx", &[".tsx"])] {
        if let Some(stem) = path.strip_suffix(compiled) {
            paths.extend(sources.iter().map(|source| format!("{stem}{source}")));
        }
    }
    for ending in [".js", ".mjs", ".ts", ".mts", ".tsx", ".jsx", "/index.js", "/index.mjs", "/index.ts", "/index.tsx"] {
        paths.push(format!("{path}{ending}"));
    }
    paths
}
