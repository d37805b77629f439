//! The stack of an error, as functions of the program.

use std::collections::HashMap;
use std::fs;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Instant;

use crash_dump::CrashDump;
use crash_path::{FunctionRef, SiteRef};
use instrument::{SourceKind, Text};
use trace_model::{FunctionIndex, Identities, Position, SiteTable, installed_name};

/// The frames that are in the program's own code or in its packages, innermost first, as far as they can be told in time.
pub fn resolve(dump: &CrashDump, root: &str, deadline: Instant) -> Vec<SiteRef> {
    let frames = if dump.is_formatted { frames_of_text(&dump.stack) } else { frames_of_sites(&dump.stack) };
    let units = dump.recording.iter().flat_map(|recording| &recording.units);
    let compiled: Originals = units.map(|unit| (unit.record.path.clone(), unit.source.clone())).collect();
    let found = Arc::new(Mutex::new(Vec::new()));
    let (done, is_done) = mpsc::channel();
    let (root, into) = (root.to_owned(), found.clone());
    // A file of megabytes may take longer than there is time: nobody waits for its end.
    let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        let mut files = HashMap::new();
        for frame in frames.into_iter().take(MOST_FRAMES) {
            let load = || KnownFile::load(&frame.name, &root, &compiled);
            let file = files.entry(frame.name.clone()).or_insert_with(load);
            if let Some(site) = file.as_ref().and_then(|file| file.site(frame.at)) {
                into.lock().unwrap_or_else(PoisonError::into_inner).push(site);
            }
        }
        let _ = done.send(());
    });
    if worker.is_ok() {
        let _ = is_done.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    }
    found.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// What was compiled under a path, where it was recorded: the file may be another by now.
type Originals = HashMap<String, String>;

const MOST_FRAMES: usize = 64;
/// The parser goes down as deep as the source nests.
const STACK_BYTES: usize = 16 << 20;
const LARGEST_FILE: u64 = 16 << 20;

#[derive(PartialEq, Eq, Debug)]
struct Frame {
    name: String,
    at: Position,
}

fn frames_of_sites(text: &str) -> Vec<Frame> {
    let parts: Vec<&str> = text.split('\0').collect();
    let frame = |parts: &[&str]| {
        let at = Position { line: parts[1].parse().ok()?, column: parts[2].parse().ok()? };
        Some(Frame { name: parts[0].to_owned(), at })
    };
    parts.chunks_exact(3).filter_map(frame).collect()
}

/// Lines such as `    at f (/a.js:1:2)` and `    at async file:///a.mjs:1:2`. A message may have such lines too; they count only if a
/// file of the program has that place.
fn frames_of_text(text: &str) -> Vec<Frame> {
    let frame = |line: &str| {
        let frame = line.strip_prefix("    at ")?;
        let place = match frame.strip_suffix(')') {
            Some(frame) => frame.rsplit_once('(')?.1,
            None => frame.strip_prefix("async ").unwrap_or(frame),
        };
        let (rest, column) = place.rsplit_once(':')?;
        let (name, line) = rest.rsplit_once(':')?;
        Some(Frame { name: name.to_owned(), at: Position { line: line.parse().ok()?, column: column.parse().ok()? } })
    };
    text.lines().filter_map(frame).collect()
}

/// A file, and what can be named in it.
struct KnownFile {
    name: String,
    source: String,
    table: SiteTable,
    identities: Identities,
}

impl KnownFile {
    fn load(name: &str, root: &str, compiled: &Originals) -> Option<KnownFile> {
        let path = plain_path(name);
        let installed = installed_name(&path, root)?;
        let source = match compiled.get(&path) {
            Some(source) => source.clone(),
            None => read(&path)?,
        };
        let is_module = path != name || path.ends_with(".mjs");
        let kinds = [SourceKind::CommonJs, SourceKind::Module];
        let mut kinds = kinds.into_iter().filter(|kind| *kind == SourceKind::Module || !is_module);
        let table = kinds.find_map(|kind| instrument::instrument_fully(Text::new(&source, kind)).ok())?.sites;
        let identities = Identities::of(&table, &installed, &source);
        Some(KnownFile { name: installed, source, table, identities })
    }

    fn site(&self, at: Position) -> Option<SiteRef> {
        let offset = offset_of(&self.source, at)?;
        let function = innermost(&self.table, offset)?;
        let start = self.table.function(function).span.start;
        let Position { line, column } = position_of(&self.source, start as usize);
        let function = FunctionRef { file: self.name.clone(), key: self.identities.function(function), line, column };
        Some(SiteRef { function, within: None, line: at.line, column: at.column })
    }
}

/// The path behind a file URL, which is how ES modules are named; any other name as it is.
fn plain_path(name: &str) -> String {
    let Some(escaped) = name.strip_prefix("file://") else { return name.to_owned() };
    let escaped = escaped.split(['?', '#']).next().unwrap_or(escaped);
    percent_encoding::percent_decode_str(escaped).decode_utf8_lossy().into_owned()
}

/// As Node reads it.
fn read(path: &str) -> Option<String> {
    let size = fs::metadata(path).ok()?.len();
    let text = (size <= LARGEST_FILE).then(|| fs::read_to_string(path).ok()).flatten()?;
    Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

fn innermost(table: &SiteTable, offset: u32) -> Option<FunctionIndex> {
    let functions = table.functions.iter().enumerate();
    functions
        .filter(|(_, function)| function.span.start <= offset && offset <= function.span.end)
        .max_by_key(|(_, function)| (function.span.start, std::cmp::Reverse(function.span.end)))
        .map(|(index, _)| FunctionIndex(index as u32))
}

/// The byte at a position; `None` if the text has no such place.
fn offset_of(source: &str, at: Position) -> Option<u32> {
    let start = *line_starts(source).get(at.line.checked_sub(1)? as usize)?;
    let mut units = 0;
    for (offset, c) in source[start..].char_indices() {
        if units + 1 >= at.column {
            return Some((start + offset) as u32);
        }
        units += c.len_utf16() as u32;
    }
    (units + 1 >= at.column).then_some(source.len() as u32)
}

fn position_of(source: &str, offset: usize) -> Position {
    let starts = line_starts(source);
    let line = starts.partition_point(|start| *start <= offset).max(1);
    let column = source[starts[line - 1]..offset.min(source.len())].encode_utf16().count();
    Position { line: line as u32, column: column as u32 + 1 }
}

/// Lines as JavaScript counts them.
fn line_starts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    for (at, c) in text.char_indices() {
        let ends_line = match c {
            '\n' | '\u{2028}' | '\u{2029}' => true,
            '\r' => !text[at + 1..].starts_with('\n'),
            _ => false,
        };
        if ends_line {
            starts.push(at + c.len_utf8());
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn of_sites(stack: String) -> CrashDump {
        let settings = Vec::new();
        CrashDump { settings, classes: String::new(), stack, is_formatted: false, message: None, recording: None }
    }

    #[test]
    fn frames_are_read_in_both_forms() {
        let at = |line, column| Position { line, column };
        let sites = frames_of_sites("/a.js\x003\x004\0file:///b.mjs\x001\x002\0/c.js\0null\x001\0");
        assert_eq!(
            sites,
            [Frame { name: "/a.js".into(), at: at(3, 4) }, Frame { name: "file:///b.mjs".into(), at: at(1, 2) }]
        );
        let text =
            "Error: a\n    at b\n    at f (/a (x).js:3:4)\n    at async /b.js:5:6\n    at Array.map (<anonymous>)";
        let frames = frames_of_text(text);
        assert_eq!(frames[0], Frame { name: "x).js".into(), at: at(3, 4) });
        assert_eq!(frames[1], Frame { name: "/b.js".into(), at: at(5, 6) });
        assert_eq!(frames.len(), 2);
    }

    #[test]
    fn a_frame_is_in_its_innermost_function() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_string_lossy().into_owned();
        let file = folder.path().join("a.js");
        fs::write(&file, "function f() {\n  return () => { g(); };\n}\nf()();\n").unwrap();
        let path = file.to_string_lossy().into_owned();
        let text = format!("{path}\x002\x0020\0{path}\x004\x004\0/etc/hosts\x001\x001\0");
        let sites = resolve(&of_sites(text), &root, Instant::now() + Duration::from_secs(20));
        assert_eq!(sites.len(), 2);
        assert!(sites.iter().all(|site| site.function.file == "a.js"));
        let functions = sites.iter().map(|site| (site.function.line, site.function.column));
        assert_eq!(functions.collect::<Vec<_>>(), [(2, 10), (1, 1)]);
        assert_ne!(sites[0].function, sites[1].function);
    }

    #[test]
    fn what_takes_too_long_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.js");
        fs::write(&file, "f(1);\n".repeat(2_000_000)).unwrap();
        let text = format!("{}\x001\x001\0", file.display());
        let started = Instant::now();
        let sites = resolve(&of_sites(text), &folder.path().to_string_lossy(), started + Duration::from_millis(5));
        assert!(sites.is_empty() && started.elapsed() < Duration::from_secs(2));
    }
}
