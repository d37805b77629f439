//! To whom each text belongs that is about to run, and so whether it is recorded: the rule of the crate `module-origin`, with what
//! the processes of a run know together, and with V8's own word for who is calling.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use module_origin::{Asked, Asker, Class, Names, Shared, Text, Thread, paths};
use trace_format::{LoadedFile, private};
use trace_model::Origin;

use crate::js::Js;
use crate::settings::Settings;
use crate::v8;
use source_map::url::{has_scheme, plain_path};

/// Who asked for a text, as the hooks of the preload tell it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// The process or the thread was started with it.
    Start,
    /// Code of this file asked for a package or for a file of its own.
    ByName(String),
    /// Code of this file asked for an absolute path.
    ByPath(String),
    /// It is compiled by code that runs now.
    Compiled,
    Unknown,
}

impl Request {
    /// A letter, and perhaps a path.
    pub fn parse(text: Option<&str>) -> Request {
        let Some(text) = text else { return Request::Unknown };
        let path = || text[1..].to_owned();
        match text.as_bytes().first() {
            Some(b'S') => Request::Start,
            Some(b'N') => Request::ByName(path()),
            Some(b'P') => Request::ByPath(path()),
            Some(b'C') => Request::Compiled,
            _ => Request::Unknown,
        }
    }
}

/// Decides, and tells the run of it once for each file.
pub fn origin_of(js: Js, settings: &Settings, name: &str, request: &Request, text: &Text) -> Origin {
    let Some(run) = &settings.folder else { return by_path(name) };
    let path = match sourced_path(name, text) {
        Some(path) => path,
        None if *request == Request::Start => return Origin::Own,
        None => return origin_of_caller(js, settings),
    };
    let callers = if *request == Request::Compiled { Some(Callers::now(js)) } else { None };
    let (asker, by_path, registry) = match (request, &callers) {
        (Request::Start, _) => (Asker::Start, false, ""),
        (Request::ByName(asker), _) => (Asker::Code(asker), false, ""),
        (Request::ByPath(asker), _) => (Asker::Code(asker), true, ""),
        (Request::Compiled, Some(callers)) => {
            let asker = callers.outside.as_deref().map_or(Asker::Unknown, Asker::Code);
            (asker, false, callers.registry.as_str())
        }
        (Request::Compiled, None) | (Request::Unknown, _) => (Asker::Unknown, false, ""),
    };
    let asked = Asked { path: &path, text, asker, by_path, registry };
    let shared = RunFiles { run, roots: &settings.project.roots };
    let is_known = THREAD.with_borrow(|thread| thread.knows(registry, &path));
    let (class, step) =
        THREAD.with_borrow_mut(|thread| thread.class(&asked, &settings.project, &mut locked(names()), &shared));
    let origin = class.origin(&path);
    if !is_known {
        tell(run, &LoadedFile { origin: origin.clone(), why: step.name().to_owned(), path });
    }
    origin
}

/// What was asked to be recorded.
pub fn is_recorded(settings: &Settings, path: &str, origin: &Origin) -> bool {
    if !settings.filter.wants(path) {
        return false;
    }
    settings.filter.names_files()
        || settings.has_tools
        || !origin.is_tool()
        || settings.names(path)
        || origin.package().is_some_and(|package| settings.packages.iter().any(|name| name == package))
}

thread_local! {
    static THREAD: RefCell<Thread> = RefCell::default();
}

fn names() -> &'static Mutex<Names> {
    static NAMES: OnceLock<Mutex<Names>> = OnceLock::new();
    NAMES.get_or_init(Mutex::default)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// In production nobody decides: what is installed is a library.
pub fn by_path(name: &str) -> Origin {
    let path = plain_path(name);
    match path.contains("/node_modules/") {
        true => Origin::Library(paths::package_name(&path).to_owned()),
        false => Origin::Own,
    }
}

/// The file that a text is from: by its name, or by what it says itself where tools compile what others wrote.
fn sourced_path(name: &str, text: &Text) -> Option<String> {
    if let Some(path) = absolute(name) {
        return Some(path);
    }
    if has_scheme(name) || text.length() > LONGEST_EVALUATED {
        return None;
    }
    let (_, named) = text.get().rsplit_once("//# sourceURL=")?;
    absolute(named.lines().next()?.trim())
}

const LONGEST_EVALUATED: usize = 10_000_000;

fn absolute(name: &str) -> Option<String> {
    let path = plain_path(name);
    let path = path.split('?').next().unwrap_or(&path);
    path.starts_with('/').then(|| path.to_owned())
}

/// A text without a file belongs to the code that makes it.
fn origin_of_caller(js: Js, settings: &Settings) -> Origin {
    let callers = Callers::now(js);
    let Some(path) = callers.nearest.as_deref() else { return Origin::Own };
    let class = THREAD.with_borrow(|thread| thread.class_of_running(path, &callers.registry, &settings.project));
    class.origin(path)
}

/// The code that is running.
#[derive(Default, Debug)]
struct Callers {
    /// The file that calls us, or `node:vm`.
    nearest: Option<String>,
    /// Its package; empty if it is installed nowhere.
    registry: String,
    /// The first file outside of that package.
    outside: Option<String>,
}

impl Callers {
    fn now(js: Js) -> Callers {
        let Some(v8) = v8::v8() else { return Callers::default() };
        let names = v8.callers(js, MOST_FRAMES);
        let mut files = names.iter().filter_map(|name| absolute(name)).filter(|path| !crate::compiling::is_ours(path));
        let Some(nearest) = files.next() else { return Callers::default() };
        let is_installed = nearest.contains("/node_modules/");
        let package = paths::package_folder(&nearest).to_owned();
        let outside = if is_installed { files.find(|path| paths::inside(path, &package).is_none()) } else { None };
        Callers {
            registry: if is_installed { package } else { String::new() },
            outside: outside.or_else(|| (!is_installed).then(|| nearest.clone())),
            nearest: Some(nearest),
        }
    }
}

/// A test runner has a dozen of its own between a file and what that file asks for.
const MOST_FRAMES: i32 = 100;

/// What the processes of a run tell each other by files in its folder.
struct RunFiles<'s> {
    run: &'s Path,
    roots: &'s [String],
}

impl Shared for RunFiles<'_> {
    fn is_start(&self, package: &str) -> bool {
        locked(starts(self.run)).has(package)
    }

    fn add_start(&self, package: &str) {
        locked(starts(self.run)).add(package);
    }

    fn changes_loader(&self, package: &str) -> bool {
        locked(loaders(self.run)).has(package)
    }

    fn add_loader_change(&self, package: &str) {
        locked(loaders(self.run)).add(package);
    }

    fn is_expected(&self, package: &str) -> bool {
        // What is installed elsewhere, as npm itself is, no source of the project can name.
        let base = package.split("/node_modules/").next().unwrap_or(package);
        let is_near =
            |root: &String| root == base || paths::inside(root, base).is_some() || paths::inside(base, root).is_some();
        self.roots.iter().any(is_near) && expected(self.run).contains(package)
    }
}

/// Lines that any process of the run may add to a file.
struct SharedLines {
    path: PathBuf,
    length: u64,
    lines: HashSet<String>,
}

impl SharedLines {
    fn at(path: PathBuf) -> Mutex<SharedLines> {
        Mutex::new(SharedLines { path, length: 0, lines: HashSet::new() })
    }

    fn has(&mut self, line: &str) -> bool {
        if self.lines.contains(line) {
            return true;
        }
        let length = fs::metadata(&self.path).map_or(0, |data| data.len());
        if length != self.length {
            self.length = length;
            let text = fs::read_to_string(&self.path).unwrap_or_default();
            self.lines.extend(text.lines().map(str::to_owned));
        }
        self.lines.contains(line)
    }

    fn add(&mut self, line: &str) {
        if !self.has(line) {
            self.lines.insert(line.to_owned());
            let _ = private::append(&self.path).and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        }
    }
}

fn starts(run: &Path) -> &'static Mutex<SharedLines> {
    static STARTS: OnceLock<Mutex<SharedLines>> = OnceLock::new();
    STARTS.get_or_init(|| SharedLines::at(run.join("starts.txt")))
}

fn loaders(run: &Path) -> &'static Mutex<SharedLines> {
    static LOADERS: OnceLock<Mutex<SharedLines>> = OnceLock::new();
    LOADERS.get_or_init(|| SharedLines::at(run.join("loaders.txt")))
}

/// The parent finds them while the command starts.
fn expected(run: &Path) -> &'static HashSet<String> {
    static EXPECTED: OnceLock<HashSet<String>> = OnceLock::new();
    EXPECTED.get_or_init(|| {
        let until = Instant::now() + LONGEST_WAIT;
        loop {
            if let Ok(text) = fs::read_to_string(run.join(trace_format::EXPECTED_FILE)) {
                return text.lines().map(str::to_owned).collect();
            }
            if Instant::now() > until {
                return HashSet::new();
            }
            sleep(Duration::from_millis(2));
        }
    })
}

const LONGEST_WAIT: Duration = Duration::from_millis(400);

/// If it cannot be told, the run cannot say later why a file was not recorded.
fn tell(run: &Path, loaded: &LoadedFile) {
    static FILE: Mutex<Option<File>> = Mutex::new(None);
    let mut file = locked(&FILE);
    if file.is_none() {
        *file = private::append(&run.join(format!("{}.{}", std::process::id(), LoadedFile::ENDING))).ok();
    }
    if let Some(file) = file.as_mut() {
        let _ = file.write_all(loaded.to_line().as_bytes());
    }
}

/// Of an evaluated text that recorded code hands to `eval`: it belongs to that code.
pub fn origin_of_running(js: Js, settings: &Settings) -> Origin {
    match origin_of_caller(js, settings) {
        // It runs instrumented, so somebody wanted it.
        Origin::Tool(name) if !settings.has_tools => Origin::Library(name),
        origin => origin,
    }
}

/// The file that is calling, if it is of the program or a library.
pub fn caller_if_recorded(js: Js, settings: &Settings) -> Option<String> {
    let Callers { nearest, registry, .. } = Callers::now(js);
    let path = nearest?;
    let class = THREAD.with_borrow(|thread| thread.class_of_running(&path, &registry, &settings.project));
    matches!(class, Class::Program | Class::Library).then_some(path)
}
