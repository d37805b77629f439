//! The rule itself: one decision for each text, from who asked for it.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use trace_model::Origin;

use crate::paths::{
    below, inside, is_configuration, is_hidden, is_in_hidden_folder, named_file, package_folder, package_name,
    package_of_specifier, without_ending,
};
use crate::{loader_change, specifiers};

/// What is known before the command starts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Project {
    /// The folders whose files are the program.
    pub roots: Vec<String>,
    /// Scripts that the command names by their paths: they are meant, wherever they lie.
    pub scripts: Vec<String>,
}

/// What all processes of a run know together.
pub trait Shared {
    /// Whether a process of the run was started with this package: `jest`, `vitest`, `npm`.
    fn is_start(&self, package: &str) -> bool;
    fn add_start(&self, package: &str);
    /// Whether this package changes the module loader.
    fn changes_loader(&self, package: &str) -> bool;
    fn add_loader_change(&self, package: &str);
    /// Whether sources of the project name this package, or its dependencies do.
    fn is_expected(&self, package: &str) -> bool;
}

/// A text that is about to run.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// Its absolute path.
    pub path: &'a str,
    pub text: &'a Text<'a>,
    pub asker: Asker<'a>,
    /// Whether it was asked for by its path, and not by the name of its package.
    pub by_path: bool,
    /// The package that loads modules by itself, with `node:vm`; empty where Node loads them.
    pub registry: &'a str,
}

/// A text that is fetched only if somebody looks at it: those of tools can be very long.
pub struct Text<'a> {
    length: usize,
    fetch: &'a dyn Fn() -> String,
    fetched: OnceCell<String>,
}

impl<'a> Text<'a> {
    pub fn new(length: usize, fetch: &'a dyn Fn() -> String) -> Text<'a> {
        Text { length, fetch, fetched: OnceCell::new() }
    }

    /// In UTF-16 units.
    pub fn length(&self) -> usize {
        self.length
    }

    pub fn get(&self) -> &str {
        self.fetched.get_or_init(|| (self.fetch)())
    }
}

/// Who asked for a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asker<'a> {
    /// Nobody: it is what the process or the thread was started with.
    Start,
    /// Code at this path.
    Code(&'a str),
    Unknown,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Program,
    /// Configuration of a tool, written by the people of the project. Recorded, but what it asks for is no library.
    Configuration,
    Library,
    Tool,
}

/// Which part of the rule decided; kept with the run, for whoever wonders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    InProject,
    HiddenInProject,
    ChangesLoader,
    Started,
    OfStart,
    AskedByRecorded,
    NamedByRecorded,
    Expected,
    AskedByTool,
}

impl Step {
    pub fn name(self) -> &'static str {
        match self {
            Step::InProject => "in the project",
            Step::HiddenInProject => "hidden in the project",
            Step::ChangesLoader => "changes the module loader",
            Step::Started => "started",
            Step::OfStart => "of what was started",
            Step::AskedByRecorded => "asked for by the program or a library",
            Step::NamedByRecorded => "named by the program or a library",
            Step::Expected => "named in sources of the project",
            Step::AskedByTool => "asked for by a tool",
        }
    }
}

/// What one thread has loaded: a package that is a tool of one thread can be a library of another.
#[derive(Default, Debug)]
pub struct Thread {
    /// By registry and path.
    classes: HashMap<(String, String), (Class, Step)>,
    /// Folders of packages of which a file is a library, with the registry.
    libraries: HashSet<(String, String)>,
}

/// What the recorded texts of a process ask for. Its threads share it, as one of them may load modules for another.
#[derive(Default, Debug)]
pub struct Names {
    packages: HashSet<String>,
    /// Without their endings.
    files: HashSet<String>,
}

impl Names {
    fn learn(&mut self, asked: &Asked) {
        for specifier in specifiers::specifiers(asked.text.get()) {
            if let Some(file) = named_file(specifier, asked.path) {
                if file.contains("/node_modules/") {
                    self.packages.insert(package_name(&file).to_owned());
                }
                self.files.insert(file);
            } else if let Some(package) = package_of_specifier(specifier).filter(|name| !name.contains(':')) {
                self.packages.insert(package.to_owned());
            }
        }
    }
}

impl Thread {
    pub fn class(&mut self, asked: &Asked, project: &Project, names: &mut Names, shared: &dyn Shared) -> (Class, Step) {
        let key = (asked.registry.to_owned(), asked.path.to_owned());
        if let Some(known) = self.classes.get(&key) {
            return *known;
        }
        let decided = self.decide(asked, project, names, shared);
        if decided.0 == Class::Library {
            self.libraries.insert((key.0.clone(), package_folder(asked.path).to_owned()));
        }
        if matches!(decided.0, Class::Program | Class::Library) {
            names.learn(asked);
        }
        self.classes.insert(key, decided);
        decided
    }

    /// Whether it was decided before.
    pub fn knows(&self, registry: &str, path: &str) -> bool {
        self.classes.contains_key(&(registry.to_owned(), path.to_owned()))
    }

    /// Of code that runs already, by the path that V8 has for it.
    pub fn class_of_running(&self, path: &str, registry: &str, project: &Project) -> Class {
        let of = |registry: &str| self.classes.get(&(registry.to_owned(), path.to_owned()));
        match of(registry).or_else(|| of("")) {
            Some((class, _)) => *class,
            None if below(path, &project.roots).is_some() && !is_hidden(path) => Class::Program,
            None => Class::Tool,
        }
    }

    fn decide(&self, asked: &Asked, project: &Project, names: &Names, shared: &dyn Shared) -> (Class, Step) {
        let path = asked.path;
        let by = match asked.asker {
            Asker::Code(asker) => Some(self.class_of_running(asker, asked.registry, project)),
            Asker::Start | Asker::Unknown => None,
        };
        let is_asked_by_recorded = matches!(by, Some(Class::Program | Class::Library));
        if let Some(inner) = below(path, &project.roots) {
            return decide_in_project(asked, inner, by, project, names);
        }
        let package = package_folder(path);
        if shared.changes_loader(package) {
            return (Class::Tool, Step::ChangesLoader);
        }
        if asked.asker == Asker::Start {
            if project.scripts.iter().any(|script| script == path) && !path.contains("/node_modules/") {
                return (Class::Program, Step::Started);
            }
            shared.add_start(package);
            return (Class::Tool, Step::Started);
        }
        if shared.is_start(package) {
            return (Class::Tool, Step::OfStart);
        }
        let library = if is_asked_by_recorded {
            Some(Step::AskedByRecorded)
        } else if self.is_asked_on_behalf(asked, names) {
            Some(Step::NamedByRecorded)
        } else if asked.registry.is_empty() && asked.text.length <= LARGEST_SHARED && shared.is_expected(package) {
            Some(Step::Expected)
        } else {
            None
        };
        let Some(step) = library else { return (Class::Tool, Step::AskedByTool) };
        if loader_change::changes_loader(asked.text.get()) {
            shared.add_loader_change(package);
            return (Class::Tool, Step::ChangesLoader);
        }
        (Class::Library, step)
    }

    /// Whether whoever asked may do so for the program, which names this package.
    fn is_asked_on_behalf(&self, asked: &Asked, names: &Names) -> bool {
        let package = package_folder(asked.path);
        let is_unknown = asked.asker == Asker::Unknown;
        let comes_from_elsewhere = match asked.asker {
            Asker::Code(asker) => asked.by_path && inside(asker, package).is_none(),
            Asker::Start => false,
            Asker::Unknown => true,
        };
        if !comes_from_elsewhere {
            return false;
        }
        names.packages.contains(package_name(asked.path))
            || names.files.contains(without_ending(asked.path))
            || (is_unknown && self.libraries.contains(&(asked.registry.to_owned(), package.to_owned())))
    }
}

fn decide_in_project(asked: &Asked, inner: &str, by: Option<Class>, project: &Project, names: &Names) -> (Class, Step) {
    let path = asked.path;
    let is_named = project.scripts.iter().any(|script| script == path);
    let is_hidden_start = asked.asker == Asker::Start && is_in_hidden_folder(inner) && !is_named;
    if is_hidden_start || (is_hidden(path) && !is_configuration(path) && !is_named) {
        return (Class::Tool, Step::HiddenInProject);
    }
    let is_configuration = match by {
        Some(Class::Configuration) => true,
        Some(Class::Tool) => is_configuration(path),
        Some(Class::Program | Class::Library) => false,
        None => asked.asker == Asker::Unknown && is_configuration(path) && !names.files.contains(without_ending(path)),
    };
    (if is_configuration { Class::Configuration } else { Class::Program }, Step::InProject)
}

/// Of a file that a tool loads first and the program uses as well. Larger ones are compilers.
const LARGEST_SHARED: usize = 1_000_000;

impl Class {
    pub fn origin(self, path: &str) -> Origin {
        match self {
            Class::Program | Class::Configuration => Origin::Own,
            Class::Library => Origin::Library(package_name(path).to_owned()),
            Class::Tool => Origin::Tool(package_name(path).to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[derive(Default)]
    struct Known {
        starts: RefCell<HashSet<String>>,
        changes: RefCell<HashSet<String>>,
        expected: HashSet<String>,
    }

    impl Shared for Known {
        fn is_start(&self, package: &str) -> bool {
            self.starts.borrow().contains(package)
        }
        fn add_start(&self, package: &str) {
            self.starts.borrow_mut().insert(package.to_owned());
        }
        fn changes_loader(&self, package: &str) -> bool {
            self.changes.borrow().contains(package)
        }
        fn add_loader_change(&self, package: &str) {
            self.changes.borrow_mut().insert(package.to_owned());
        }
        fn is_expected(&self, package: &str) -> bool {
            self.expected.contains(package)
        }
    }

    #[derive(Default)]
    struct Case {
        thread: Thread,
        names: Names,
        known: Known,
    }

    impl Case {
        fn load(&mut self, path: &str, asker: Asker, text: &str) -> Class {
            self.load_in("", path, asker, text, false)
        }

        fn load_in(&mut self, registry: &str, path: &str, asker: Asker, text: &str, by_path: bool) -> Class {
            let project = Project { roots: vec!["/p".into()], scripts: Vec::new() };
            let fetch = || text.to_owned();
            let text = &Text::new(text.len(), &fetch);
            let asked = Asked { path, text, asker, by_path, registry };
            self.thread.class(&asked, &project, &mut self.names, &self.known).0
        }
    }

    use Asker::{Code, Start, Unknown};
    use Class::{Configuration, Library, Program, Tool};

    const MOCHA: &str = "/p/node_modules/mocha/bin/mocha.js";

    #[test]
    fn a_runner_is_a_tool_and_what_tests_ask_for_is_a_library() {
        let mut case = Case::default();
        assert_eq!(case.load(MOCHA, Start, ""), Tool);
        assert_eq!(case.load("/p/node_modules/yargs/index.js", Code(MOCHA), ""), Tool);
        assert_eq!(case.load("/p/.mocharc.js", Code(MOCHA), "require('ts-node/register')"), Configuration);
        assert_eq!(case.load("/p/node_modules/ts-node/register/index.js", Code("/p/.mocharc.js"), ""), Tool);
        assert_eq!(case.load("/p/test/a.js", Code(MOCHA), ""), Program);
        let chai = "/p/node_modules/chai/index.js";
        assert_eq!(case.load(chai, Code("/p/test/a.js"), ""), Library);
        assert_eq!(case.load("/p/node_modules/pathval/index.js", Code(chai), ""), Library);
        // Test files ask for it, and it stays what it is.
        assert_eq!(case.load("/p/node_modules/mocha/lib/mocha.js", Code("/p/test/a.js"), ""), Tool);
    }

    #[test]
    fn jest_loads_a_package_for_itself_and_another_for_the_program() {
        let mut case = Case::default();
        assert_eq!(case.load("/p/node_modules/jest/bin/jest.js", Start, ""), Tool);
        let typescript = "/p/node_modules/typescript/lib/typescript.js";
        assert_eq!(case.load(typescript, Code("/p/node_modules/ts-jest/dist/index.js"), ""), Tool);
        assert_eq!(
            case.load_in("jest-runtime", "/p/a.ts", Code("/p/node_modules/jest-circus/x.js"), "", true),
            Program
        );
        assert_eq!(case.load_in("jest-runtime", typescript, Code("/p/a.ts"), "", false), Library);
        let matchers = "/p/node_modules/expect/build/index.js";
        assert_eq!(case.load_in("jest-runtime", matchers, Code("/p/node_modules/jest-circus/x.js"), "", false), Tool);
    }

    #[test]
    fn es_modules_are_known_by_the_texts_that_name_them() {
        let mut case = Case::default();
        assert_eq!(case.load("/p/node_modules/vitest/dist/worker.js", Start, ""), Tool);
        assert_eq!(case.load("/p/node_modules/debug/a.js", Unknown, ""), Tool);
        assert_eq!(case.load("/p/vite.config.ts", Unknown, "import x from 'plugin'"), Configuration);
        assert_eq!(case.load("/p/node_modules/plugin/a.js", Unknown, ""), Tool);
        assert_eq!(case.load("/p/a.ts", Unknown, "await __vi_import__('nanoid'); import './b.config.js'"), Program);
        assert_eq!(case.load("/p/b.config.js", Unknown, ""), Program);
        assert_eq!(case.load("/p/node_modules/nanoid/i.js", Unknown, "import './u.js'; import 'inner'"), Library);
        assert_eq!(case.load("/p/node_modules/nanoid/u.js", Unknown, ""), Library);
        assert_eq!(case.load("/p/node_modules/inner/u.js", Unknown, ""), Library);
        assert_eq!(case.load("/p/node_modules/vitest/dist/index.js", Unknown, ""), Tool);
    }

    #[test]
    fn a_package_that_changes_the_loader_is_a_tool() {
        let mut case = Case::default();
        assert_eq!(case.load("/p/app.js", Start, "require('reg/register')"), Program);
        let node = "/p/node_modules/reg/node.js";
        assert_eq!(case.load(node, Code("/p/app.js"), "Module._extensions['.ts'] = f"), Tool);
        assert_eq!(case.load("/p/node_modules/compiler/i.js", Code(node), ""), Tool);
        assert_eq!(case.load("/p/node_modules/reg/other.js", Code("/p/app.js"), ""), Tool);
    }

    #[test]
    fn a_copy_that_a_tool_loads_first_is_a_library_if_the_project_names_it() {
        let mut case = Case::default();
        case.known.expected.insert("/p/node_modules/semver".into());
        let npm = "/usr/lib/node_modules/npm/cli.js";
        assert_eq!(case.load(npm, Start, ""), Tool);
        assert_eq!(case.load("/usr/lib/node_modules/npm/node_modules/semver/i.js", Code(npm), ""), Tool);
        assert_eq!(case.load("/p/node_modules/semver/i.js", Code("/p/node_modules/eslint/x.js"), ""), Library);
        let large = "x".repeat(LARGEST_SHARED + 1);
        assert_eq!(case.load("/p/node_modules/semver/l.js", Code("/p/node_modules/eslint/x.js"), &large), Tool);
    }

    #[test]
    fn hidden_files_of_a_project() {
        let mut case = Case::default();
        assert_eq!(case.load("/p/.yarn/releases/yarn.cjs", Start, ""), Tool);
        assert_eq!(case.load("/p/.pnp.cjs", Start, ""), Tool);
        assert_eq!(case.load("/p/.next/server/page.js", Code("/p/node_modules/next/x.js"), ""), Program);
    }
}
