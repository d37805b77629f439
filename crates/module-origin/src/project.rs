//! What a project is, from its files: where it begins, and which packages its sources name.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::paths::{is_configuration, package_of_specifier};
use crate::rule::Project;
use crate::specifiers::specifiers;

/// The project around the folder in which a command starts, with the scripts that the command names.
pub fn project_of(folder: &Path, command: &[String]) -> Project {
    let scripts: Vec<PathBuf> = command
        .iter()
        .filter(|word| !word.starts_with('-'))
        .filter_map(|word| fs::canonicalize(folder.join(word)).ok())
        .filter(|path| path.is_file() && is_source(path))
        .collect();
    let mut roots: Vec<PathBuf> = vec![root_around(folder)];
    for script in &scripts {
        // A script of another project, `node ../tool/run.js`, is meant with all that is around it.
        let is_installed = script.components().any(|part| part.as_os_str() == "node_modules");
        if !is_installed && !roots.iter().any(|root| script.starts_with(root)) {
            roots.extend(script.parent().map(nearest_package));
        }
    }
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    Project { roots: roots.into_iter().map(text).collect(), scripts: scripts.into_iter().map(text).collect() }
}

/// The root of the workspace that the folder belongs to, or of its repository, or its nearest package, or the folder itself.
fn root_around(folder: &Path) -> PathBuf {
    let package = nearest_package(folder);
    let home = std::env::home_dir();
    // Whole home folders are kept in repositories, and machines have everything below `/`.
    let may_be_root = |folder: &&Path| folder.parent().is_some() && Some(*folder) != home.as_deref();
    let is_root = |folder: &&Path| folder.join(".git").exists() || lists_packages(folder);
    let outer = package.ancestors().skip(1).filter(may_be_root).filter(is_root).last();
    let is_own_repository = package.join(".git").exists();
    match outer {
        // A repository in a folder of another one is a project of its own, unless that one lists it.
        Some(outer) if !is_own_repository || lists_packages(outer) => outer.to_owned(),
        _ => package,
    }
}

fn nearest_package(folder: &Path) -> PathBuf {
    folder.ancestors().find(|folder| folder.join("package.json").exists()).unwrap_or(folder).to_owned()
}

/// Whether the folder is the root of a workspace.
fn lists_packages(folder: &Path) -> bool {
    folder.join("pnpm-workspace.yaml").exists()
        || folder.join("lerna.json").exists()
        || fs::read_to_string(folder.join("package.json")).is_ok_and(|text| text.contains("\"workspaces\""))
}

/// Folders of the packages that sources of the project import, and their dependencies: what the program and a tool may share. Large
/// packages are left out, as they are compilers. It ends after `limit`, with what was found until then.
pub fn expected_packages(project: &Project, limit: Duration) -> BTreeSet<String> {
    let until = Instant::now() + limit;
    let mut found = BTreeSet::new();
    for root in &project.roots {
        let mut sources = Sources::below(Path::new(root));
        let mut seen = BTreeSet::new();
        while let Some(file) = sources.next().filter(|_| Instant::now() < until) {
            if file.file_name().is_some_and(|name| name == "package.json") {
                let names = json_keys(&fs::read_to_string(&file).unwrap_or_default(), "dependencies");
                let folder = file.parent().unwrap_or(Path::new(root));
                let packages = names.iter().filter_map(|name| installed(folder, name));
                found.extend(
                    packages.filter(|package| !has_command(package)).filter_map(|package| small(&package, until)),
                );
                continue;
            }
            if is_configuration(&file.to_string_lossy()) {
                continue;
            }
            let Ok(text) = fs::read_to_string(&file) else { continue };
            let folder = file.parent().unwrap_or(Path::new(root)).to_owned();
            for name in specifiers(&text).into_iter().filter_map(package_of_specifier) {
                let is_bare = !name.is_empty() && !name.starts_with(['.', '/']) && !name.contains(':');
                if is_bare
                    && let Some(package) = installed(&folder, name)
                    && seen.insert(package.clone())
                {
                    found.extend(small(&package, until));
                }
            }
        }
    }
    found
}

/// The folder of an installed package, as seen from another folder.
fn installed(from: &Path, name: &str) -> Option<PathBuf> {
    let folder =
        from.ancestors().map(|folder| folder.join("node_modules").join(name)).find(|folder| folder.is_dir())?;
    // What is linked from elsewhere in a workspace is the project itself.
    let real = fs::canonicalize(folder).ok()?;
    real.components().any(|part| part.as_os_str() == "node_modules").then_some(real)
}

fn has_command(package: &Path) -> bool {
    fs::read_to_string(package.join("package.json")).is_ok_and(|text| text.contains("\"bin\""))
}

/// The folder, if its sources and those of its dependencies are few.
fn small(package: &Path, until: Instant) -> Option<String> {
    let mut left = LARGEST_PACKAGE;
    let mut seen = BTreeSet::from([package.to_owned()]);
    let mut waiting = VecDeque::from([package.to_owned()]);
    while let Some(folder) = waiting.pop_front() {
        let mut sources = Sources::below(&folder);
        while let Some(file) = sources.next() {
            if Instant::now() > until {
                return None;
            }
            left = left.checked_sub(file.metadata().map_or(0, |data| data.len()))?;
        }
        let own = fs::read_to_string(folder.join("package.json")).unwrap_or_default();
        for name in json_keys(&own, "dependencies") {
            if let Some(next) = installed(&folder, &name)
                && seen.insert(next.clone())
            {
                waiting.push_back(next);
            }
        }
    }
    Some(package.to_string_lossy().into_owned())
}

/// Bytes of JavaScript, with dependencies.
const LARGEST_PACKAGE: u64 = 1_500_000;

/// The source files below a folder, nearest first, without those of installed packages.
struct Sources {
    folders: VecDeque<PathBuf>,
    files: Vec<PathBuf>,
}

impl Sources {
    fn below(folder: &Path) -> Sources {
        Sources { folders: VecDeque::from([folder.to_owned()]), files: Vec::new() }
    }

    fn next(&mut self) -> Option<PathBuf> {
        while self.files.is_empty() {
            let folder = self.folders.pop_front()?;
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() && name != "node_modules" && !name.to_string_lossy().starts_with('.') {
                    self.folders.push_back(entry.path());
                } else if kind.is_file() && (is_source(Path::new(&name)) || name == "package.json") {
                    self.files.push(entry.path());
                }
            }
        }
        self.files.pop()
    }
}

fn is_source(path: &Path) -> bool {
    let endings = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte"];
    path.extension().is_some_and(|own| endings.iter().any(|ending| own == *ending))
}

/// The keys of an object in a package.json. A text that is not JSON has none that matter.
fn json_keys(text: &str, object: &str) -> Vec<String> {
    let Some(start) = text.find(&format!("\"{object}\"")) else { return Vec::new() };
    let Some(inside) = text[start..].split_once('{').and_then(|(_, rest)| rest.split_once('}')) else {
        return Vec::new();
    };
    let keys = inside.0.split(',').filter_map(|pair| pair.split('"').nth(1));
    keys.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        }
        folder
    }

    fn roots(folder: &tempfile::TempDir, at: &str, command: &[&str]) -> Vec<String> {
        let base = fs::canonicalize(folder.path()).expect("there");
        let command: Vec<String> = command.iter().map(|word| word.to_string()).collect();
        let project = project_of(&base.join(at), &command);
        let inner = |root: &String| Path::new(root).strip_prefix(&base).map(|root| root.display().to_string());
        project.roots.iter().map(|root| inner(root).unwrap_or_default()).collect()
    }

    #[test]
    fn where_a_project_begins() {
        let folder = tree(&[
            ("shop/package.json", "{}"),
            ("shop/src/a.js", ""),
            ("mono/package.json", r#"{"workspaces": ["packages/*"]}"#),
            ("mono/packages/a/package.json", "{}"),
            ("repo/.git/HEAD", ""),
            ("repo/server/package.json", "{}"),
            ("tool/package.json", "{}"),
            ("tool/bin/run.js", ""),
            ("shop/node_modules/jest/package.json", "{}"),
            ("shop/node_modules/jest/bin/jest.js", ""),
        ]);
        assert_eq!(roots(&folder, "shop/src", &["npm", "test"]), ["shop"]);
        assert_eq!(roots(&folder, "mono/packages/a", &["npm", "test"]), ["mono"]);
        assert_eq!(roots(&folder, "repo/server", &["npm", "test"]), ["repo"]);
        assert_eq!(roots(&folder, "shop", &["node", "../tool/bin/run.js"]), ["shop", "tool"]);
        assert_eq!(roots(&folder, "shop", &["node", "node_modules/jest/bin/jest.js"]), ["shop"]);
    }

    #[test]
    fn what_sources_name_is_expected_unless_it_is_large() {
        let large = "x".repeat(2_000_000);
        let folder = tree(&[
            ("package.json", r#"{"dependencies": {"direct": "1", "command": "1"}, "devDependencies": {"dev": "1"}}"#),
            ("src/a.js", "require('chai'); require('compiler'); require('heavy'); require('./b')"),
            ("vite.config.js", "import 'plugin'"),
            ("node_modules/chai/index.js", ""),
            ("node_modules/chai/package.json", "{}"),
            ("node_modules/compiler/index.js", &large),
            ("node_modules/heavy/index.js", ""),
            ("node_modules/heavy/package.json", r#"{"dependencies": {"compiler": "1"}}"#),
            ("node_modules/plugin/index.js", ""),
            ("node_modules/dev/index.js", ""),
            ("node_modules/direct/index.js", ""),
            ("node_modules/command/package.json", r#"{"bin": "x.js"}"#),
        ]);
        let base = fs::canonicalize(folder.path()).expect("there");
        let project = Project { roots: vec![base.to_string_lossy().into_owned()], scripts: Vec::new() };
        let found = expected_packages(&project, Duration::from_secs(10));
        let names: Vec<&str> = found.iter().filter_map(|folder| folder.rsplit('/').next()).collect();
        assert_eq!(names, ["chai", "direct"]);
    }
}
