//! The code that this process has compiled: its site numbers, its original text. Shared by all threads.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use instrument::{Dialect, Instrumented, NotInstrumented, Renamed, SourceKind, Text};
use napi_sys::napi_value;
use trace_format::{
    CodeHash, CodeKind, CodeRecord, SiteShape, private, read_code_records, write_origins, write_site_table,
};
use trace_model::contract::header::TAG_BITS;
use trace_model::{
    NameIndex, Origin, Policy, Position, Selectable, Selection, SiteId, SiteKind, SiteTable, Span, ends_with_path,
};

use crate::agent;
use crate::cache;
use crate::guard;
use crate::js::{Beginning, Js};
use crate::offsets::OriginalOffsets;
use crate::origins::{self, Request};
use crate::settings::{self, Settings};
use crate::stop;
use crate::tsconfig;
use crate::v8::rules_of_names;
use source_map::SourceMap;
use source_map::url::plain_path;

/// The new text of `source`, at its own site numbers; `None` if it is to run as it is. `kind` as in `load/kinds.cjs`;
/// `written` is what the run keeps instead of the source, where all is at the same place in both.
pub fn instrument(
    js: Js,
    source: napi_value,
    filename: &str,
    kind: u32,
    written: Option<String>,
    request: &Request,
) -> Option<String> {
    let plain = js.beginning(source)?;
    // The text of a tool is not even copied.
    let fetch = || js.exact_text(source).unwrap_or_default();
    let text = module_origin::Text::new(plain.length(), &fetch);
    let origin = match settings::get() {
        Some(settings) if kind == CodeKind::Eval as u32 => origins::origin_of_running(js, settings),
        Some(settings) => origins::origin_of(js, settings, filename, request, &text),
        None => return None,
    };
    let is_recorded = settings::get().is_some_and(|it| origins::is_recorded(it, &plain_path(filename), &origin));
    let made = match is_recorded || kind & CodeKind::TYPESCRIPT != 0 {
        true => js.exact_text(source).and_then(|source| made_of(source, filename, kind, written, origin)),
        false => None,
    };
    code().passed.insert(made.as_deref().map_or(plain, Beginning::of));
    made
}

/// Whether a text is one that [`instrument`] made, or left as it is.
pub fn has_passed(text: &Beginning) -> bool {
    code().passed.contains(text)
}

/// The text is no code of the program.
pub fn let_pass(text: &str) {
    code().passed.insert(Beginning::of(text));
}

/// Code that runs although nobody could instrument it: the run knows it, and that none of it is recorded.
pub fn keep_unrecorded(js: Js, source: String, filename: &str, kind: SourceKind) {
    let Some(settings) = settings::get().filter(|_| !guard::has_failed()) else { return };
    let Some(run) = &settings.folder else { return };
    code().passed.insert(Beginning::of(&source));
    let fetch = || source.clone();
    let text = module_origin::Text::new(source.len(), &fetch);
    let origin = origins::origin_of(js, settings, filename, &Request::Compiled, &text);
    if !origins::is_recorded(settings, &plain_path(filename), &origin) {
        return;
    }
    let Ok(made) = instrument::instrument_fully(Text::new(&source, kind)) else { return };
    let mut table = made.sites;
    for function in &mut table.functions {
        function.exact_exit = false;
        function.recorded = false;
    }
    let why = NameIndex(table.names.len() as u32);
    table.names.push("it reached V8 in a way that is not recorded".to_owned());
    table.not_captured = vec![(Span { start: 0, end: source.len() as u32 }, why)];
    let n_sites = table.sites.len() as u32;
    let hash = cache::hash(&[&source], kind, "unrecorded");
    let unrecorded = Instrumented { sites: table, ..made };
    let told = write_code_files(run, hash, &source, None, &unrecorded);
    match told {
        Ok(()) => drop(register_plain(run, (hash, filename.to_owned()), kind, n_sites, origin)),
        Err(error) => settings.problem(&format!("{filename} is not captured: {error}")),
    }
}

fn made_of(source: String, filename: &str, kind: u32, written: Option<String>, origin: Origin) -> Option<String> {
    let is_typescript = kind & CodeKind::TYPESCRIPT != 0;
    let kind = source_kind(*CodeKind::ALL.get((kind & !CodeKind::TYPESCRIPT) as usize)?);
    if !is_typescript {
        return instrument_wanted(source, filename, kind, None, written, origin);
    }
    // TypeScript that Node cannot run by itself must become JavaScript in any case.
    let dialect = tsconfig::dialect_of(filename);
    let plain = source.clone();
    instrument_wanted(source, filename, kind, Some(&dialect), written, origin).or_else(|| {
        let stripped = instrument::strip_types(&plain, kind == SourceKind::Module, &dialect).ok()?;
        Some(stripped.code)
    })
}

/// Whether TypeScript or JSX is an ES module by what is in it.
pub fn has_module_syntax(source: &str, filename: &str) -> bool {
    instrument::has_module_syntax(source, &tsconfig::dialect_of(filename))
}

pub fn has_decorators(source: &str, filename: &str) -> bool {
    instrument::has_decorators(source, &tsconfig::dialect_of(filename))
}

/// A text with a dialect is not yet JavaScript.
fn instrument_wanted(
    source: String,
    filename: &str,
    kind: SourceKind,
    dialect: Option<&Dialect>,
    written: Option<String>,
    origin: Origin,
) -> Option<String> {
    let settings = settings::get()?;
    if guard::has_failed() || !origins::is_recorded(settings, &plain_path(filename), &origin) {
        return None;
    }
    let Some(run) = &settings.folder else {
        return instrument_in_memory(settings, source, filename, kind, dialect, origin);
    };
    let written = written.filter(|text| text.len() == source.len());
    let language = dialect.map(|dialect| format!("{dialect:?}")).unwrap_or_default();
    let source_map = SourceMap::of(&source, filename);
    let map_identity = source_map.as_ref().map(SourceMap::identity).unwrap_or_default();
    let texts = [&source, written.as_deref().unwrap_or(""), &language, &map_identity];
    let path = plain_path(filename);
    // What of a code is recorded may depend on its path.
    let mut policy = if settings.policy.is_full() { String::new() } else { format!("{path} {}", settings.policy_text) };
    let intervention = settings.intervention.as_ref().filter(|intervention| intervention.path == path);
    if let Some(intervention) = intervention {
        policy.push_str(&format!(" {intervention:?}"));
    }
    let hash = cache::hash(&texts, kind, &policy);
    let key = (hash, filename.to_owned());
    if let Some(known) = code().by_key.get(&key) {
        return known.as_ref().map(|piece| piece.instrumented.rebased(piece.base));
    }
    let any_policy = cache::hash(&texts, kind, "");
    if dialect.is_none()
        && !settings.policy.is_full()
        && let Some(n_sites) = cache::load_plain(hash)
        && cache::link_code_files(any_policy, &run.join("code"), hash)
    {
        return register_plain(run, key, kind, n_sites, origin);
    }
    let made = cache::load(hash).or_else(|| {
        let text = Text { dialect, intervention, ..Text::new(&source, kind) };
        let make = |text: Text| match settings.policy.is_full() {
            true => instrument::instrument_fully(text),
            false => instrument_selected(text, &path, any_policy, settings),
        };
        // Another text under the same path has nothing there, and is as it is.
        let made = make(text).or_else(|_| make(Text { intervention: None, ..text }));
        let mut made = match made {
            Ok(made) => made,
            // Of JavaScript, the engine says what is wrong.
            Err(NotInstrumented::SyntaxError(_)) if dialect.is_none() => return None,
            Err(NotInstrumented::SyntaxError(why) | NotInstrumented::Unfaithful(why)) => {
                settings.problem(&format!("{filename} is not captured: {why}"));
                return None;
            }
        };
        // What the run keeps is read as Node read it.
        if let (true, Some(made)) = (written.is_some(), &mut made.sites.made) {
            made.dialect = Dialect::of_node().to_text();
        }
        if dialect.is_some() || !made.insertions.is_empty() {
            cache::store(hash, &made);
        }
        Some(made)
    });
    let Some(instrumented) = made else {
        code().by_key.insert(key, None);
        return None;
    };
    if dialect.is_none() && instrumented.insertions.is_empty() {
        let folder = run.join("code");
        let kept = written.as_deref().unwrap_or(&source);
        let n_sites = instrumented.sites.sites.len() as u32;
        if let Err(error) = write_code_files(run, hash, kept, source_map, &instrumented) {
            settings.problem(&format!("{path} is not captured: {error}"));
            return None;
        }
        cache::store_plain(hash, n_sites, any_policy, &folder);
        return register_plain(run, key, kind, n_sites, origin);
    }
    let texts = Texts { source, written, source_map };
    register(settings, key, kind, texts, instrumented, origin)
}

/// In production only the files that the policy names are looked at, and nothing is kept outside of this process.
fn instrument_in_memory(
    settings: &Settings,
    source: String,
    filename: &str,
    kind: SourceKind,
    dialect: Option<&Dialect>,
    origin: Origin,
) -> Option<String> {
    let path = plain_path(filename);
    let Policy::Needed(need) = &settings.policy else { return None };
    let length = source.len();
    let mut made = None;
    let mut named = need.functions.keys().chain(need.flow.keys());
    if named.any(|file| ends_with_path(&path, file)) && !agent::is_spent() {
        let hash = cache::hash(&[&source], kind, "");
        let key = (hash, filename.to_owned());
        if let Some(Some(piece)) = code().by_key.get(&key) {
            return Some(piece.instrumented.rebased(piece.base));
        }
        let text = Text { dialect, ..Text::new(&source, kind) };
        let instrumented = instrument::instrument(text, &path, &settings.policy).ok()?;
        if dialect.is_some() || !instrumented.insertions.is_empty() {
            let texts = Texts { source, written: None, source_map: None };
            made = register(settings, key, kind, texts, instrumented, origin);
        }
    }
    let mut code = code();
    if made.is_none() && code.unrecorded.len() < MOST_UNRECORDED {
        code.unrecorded.push(Unrecorded { path, kind, length });
    }
    made
}

/// Programs that load more files than this load them again and again.
const MOST_UNRECORDED: usize = 20_000;

/// Code that runs as it is. In production its text is not kept; it can be read again if it is still the same.
#[derive(Clone)]
pub struct Unrecorded {
    pub path: String,
    pub kind: SourceKind,
    /// Of its text, in bytes.
    pub length: usize,
}

/// All code that is recorded, as a reader of events wants it, and the code that is not, in the order in which it was loaded. In
/// production only.
pub fn in_memory() -> (Vec<(CodeRecord, SiteTable, String)>, Vec<Unrecorded>) {
    let code = code();
    let unit = |piece: &Arc<Piece>| {
        let (sites, source) = (piece.instrumented.sites.clone(), piece.source.clone());
        (piece.record.clone(), sites, source)
    };
    (code.pieces.iter().map(unit).collect(), code.unrecorded.clone())
}

/// Which sites there are does not depend on the policy: they are remembered apart from the text.
fn instrument_selected(
    text: Text,
    path: &str,
    any_policy: CodeHash,
    settings: &Settings,
) -> Result<Instrumented, NotInstrumented> {
    let table = match cache::load_table(any_policy) {
        Some(table) => table,
        None => {
            let table = instrument::instrument_fully(text)?.sites;
            cache::store_table(any_policy, &table);
            table
        }
    };
    let selection = Selection::of(&settings.policy, Selectable { path, source: text.source, table: &table });
    instrument::instrument_selected(text, table, &selection)
}

pub fn original_text(number: u32, length: u32) -> Option<String> {
    let piece = code().piece_with(number)?;
    piece.instrumented.original_text(&piece.source, number - piece.base, length).map(str::to_owned)
}

/// The original text of the function or class with that mark, and how long its text is now.
pub fn original_text_of(number: u32) -> Option<(String, u32)> {
    let piece = code().piece_with(number)?;
    let local = number - piece.base;
    let (_, length) = *piece.instrumented.marked.iter().find(|(site, _)| *site == local)?;
    let text = piece.instrumented.original_text(&piece.source, local, length)?;
    Some((text.to_owned(), length))
}

pub fn is_instrumented(filename: &str) -> bool {
    code().piece_named(filename).is_some()
}

/// Code of this name starts at another place than the first line and column, as `node:vm` lets programs say.
pub fn set_start(filename: &str, start: Start) {
    let mut code = code();
    if start == Start::default() {
        code.starts.remove(filename);
    } else {
        code.starts.insert(filename.to_owned(), start);
    }
}

pub fn original_column(filename: &str, line: u32, column: u32) -> Option<u32> {
    let (piece, start) = code().piece_and_start(filename)?;
    let Some(line) = start.own_line(line) else { return Some(column) };
    let shift = if line == 1 { start.columns } else { 0 };
    let Ok(own) = u32::try_from(i64::from(column) - shift) else { return Some(column) };
    u32::try_from(i64::from(piece.original_column(line, own)) + shift).ok()
}

pub fn original_column_at(site: SiteId, line: u32, column: u32) -> Option<u32> {
    let piece = code().piece_with(site.0)?;
    Some(piece.original_column(line, column))
}

/// How many UTF-16 units there are in the original before a position in it.
pub fn original_offset(filename: &str, line: u32, column: u32) -> Option<u32> {
    let (piece, start) = code().piece_and_start(filename)?;
    let line = start.own_line(line)?;
    let shift = if line == 1 { start.columns } else { 0 };
    units_before(&piece.source, line, u32::try_from(i64::from(column) - shift).ok()?)
}

pub fn original_offset_at(site: SiteId, line: u32, column: u32) -> Option<u32> {
    units_before(&code().piece_with(site.0)?.source, line, column)
}

/// What V8 calls a function that has no name of its own, and what it would call it in the original; `None` if it has one, or if it is
/// the same.
pub fn renamed(filename: &str, line: u32, column: u32) -> Option<Renamed> {
    let (piece, start) = code().piece_and_start(filename)?;
    piece.renamed(start.own_position(line, column)?)
}

pub fn renamed_at(site: SiteId, line: u32, column: u32) -> Option<Renamed> {
    // Two parses, for which nobody who waits for the code should wait.
    let piece = code().piece_with(site.0)?;
    piece.renamed(Position { line, column })
}

/// The same of the function that is being executed at this place.
pub fn renamed_around(filename: &str, line: u32, column: u32) -> Option<Renamed> {
    let (piece, start) = code().piece_and_start(filename)?;
    let at = start.own_position(line, column)?;
    let function = piece.instrumented.unnamed_around(&piece.source, at)?;
    piece.all_renamed().iter().find(|it| it.original == function).cloned()
}

/// All of them, by the UTF-16 units of the instrumented text that are before each; ascending.
pub fn renamed_by_offset(filename: &str) -> Vec<(usize, Renamed)> {
    let Some(piece) = code().piece_named(filename) else { return Vec::new() };
    let (mut bytes, mut units) = (0, 0);
    let with_offset = |renamed: &Renamed| {
        let between = &piece.instrumented.code[bytes..renamed.start as usize];
        bytes += between.len();
        units += between.encode_utf16().count();
        (units, renamed.clone())
    };
    piece.all_renamed().iter().map(with_offset).collect()
}

pub fn original_line(filename: &str, line: u32) -> Option<String> {
    let (piece, start) = code().piece_and_start(filename)?;
    let line = start.own_line(line)?;
    piece.source.split('\n').nth(line as usize - 1).map(|text| text.trim_end_matches('\r').to_owned())
}

/// Where the offsets of the code of this name were in the original; `None` if it is not instrumented.
pub fn original_offsets(filename: &str) -> Option<OriginalOffsets> {
    let piece = code().piece_named(filename)?;
    let insertions =
        piece.instrumented.insertions.iter().map(|insertion| (insertion.at as usize, insertion.units as usize));
    Some(OriginalOffsets::new(&piece.source, insertions))
}

/// Whether `text` is that line of what was compiled under this name.
pub fn is_instrumented_line(filename: &str, line: u32, text: &str) -> bool {
    let Some((piece, start)) = code().piece_and_start(filename) else { return false };
    let Some(line) = start.own_line(line) else { return false };
    let code = piece.instrumented.rebased(piece.base);
    code.split('\n').nth(line as usize - 1).is_some_and(|line| line.trim_end_matches('\r') == text)
}

/// What a reader of events must know of a site.
pub fn shape(site: SiteId) -> Option<SiteShape> {
    let piece = code().piece_with(site.0)?;
    piece.instrumented.sites.sites.get((site.0 - piece.base) as usize).map(SiteShape::of)
}

/// Whether the site records an assignment to a property. Private names are none.
pub fn is_assignment(site: SiteId) -> bool {
    use SiteKind::{Put, PutComputed, PutComputedDecrement, PutComputedIncrement, PutDecrement, PutIncrement};
    let is = || {
        let piece = code().piece_with(site.0)?;
        let table = &piece.instrumented.sites;
        let site = table.sites.get((site.0 - piece.base) as usize)?;
        Some(match site.kind {
            Put | PutIncrement | PutDecrement => !table.name(*site.names.first()?).starts_with('#'),
            kind => matches!(kind, PutComputed | PutComputedIncrement | PutComputedDecrement),
        })
    };
    is().unwrap_or(false)
}

/// The names that a site concerns.
pub fn site_names(site: SiteId) -> Option<Vec<String>> {
    let piece = code().piece_with(site.0)?;
    let table = &piece.instrumented.sites;
    let site = table.sites.get((site.0 - piece.base) as usize)?;
    Some(site.names.iter().map(|name| table.name(*name).to_owned()).collect())
}

/// How many lines code is said to have in front of it, and columns in front of its first line.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Start {
    pub lines: i64,
    pub columns: i64,
}

impl Start {
    /// The line counted from 1 in the code itself.
    fn own_line(self, line: u32) -> Option<u32> {
        u32::try_from(i64::from(line) - self.lines).ok().filter(|line| *line > 0)
    }

    fn own_position(self, line: u32, column: u32) -> Option<Position> {
        let line = self.own_line(line)?;
        let shift = if line == 1 { self.columns } else { 0 };
        Some(Position { line, column: u32::try_from(i64::from(column) - shift).ok()? })
    }
}

struct Piece {
    base: u32,
    record: CodeRecord,
    source: String,
    instrumented: Instrumented,
    /// Filled when a stack trace is formatted.
    renamed: OnceLock<Vec<Renamed>>,
}

impl Piece {
    fn renamed(&self, at: Position) -> Option<Renamed> {
        // Most functions have a name, and to infer those of the others takes two parses of the text.
        if self.instrumented.has_name_at(at) {
            return None;
        }
        self.instrumented.renamed_at(self.all_renamed(), at).cloned()
    }

    fn all_renamed(&self) -> &[Renamed] {
        let kind = source_kind(self.record.kind);
        let make = || self.instrumented.renamed(&self.source, kind, rules_of_names()).unwrap_or_default();
        self.renamed.get_or_init(make)
    }

    fn original_column(&self, line: u32, column: u32) -> u32 {
        self.instrumented.original_position(&self.source, Position { line, column }).column
    }
}

/// Lines and columns count from 1; line ends are those of JavaScript.
fn units_before(source: &str, line: u32, column: u32) -> Option<u32> {
    let mut chars = source.chars().peekable();
    let (mut units, mut at_line) = (0, 1);
    while at_line < line {
        let c = chars.next()?;
        units += c.len_utf16() as u32;
        let ends_line = match c {
            '\n' | '\u{2028}' | '\u{2029}' => true,
            '\r' => chars.peek() != Some(&'\n'),
            _ => false,
        };
        at_line += u32::from(ends_line);
    }
    (units + column).checked_sub(1)
}

#[derive(Default)]
struct Code {
    /// By base, ascending.
    pieces: Vec<Arc<Piece>>,
    /// The latest of each name.
    by_name: HashMap<String, Arc<Piece>>,
    /// Only of names whose code starts elsewhere than at the beginning.
    starts: HashMap<String, Start>,
    /// Also what was found not to be instrumentable.
    by_key: HashMap<(CodeHash, String), Option<Arc<Piece>>>,
    /// What [`instrument`] gave, or left as it is.
    passed: HashSet<Beginning>,
    unrecorded: Vec<Unrecorded>,
    next_base: u32,
}

impl Code {
    /// Node names some code by its path in one place and by its URL in another.
    fn piece_named(&self, name: &str) -> Option<Arc<Piece>> {
        self.by_name.get(name).or_else(|| self.by_name.get(&plain_path(name))).cloned()
    }

    fn piece_and_start(&self, name: &str) -> Option<(Arc<Piece>, Start)> {
        Some((self.piece_named(name)?, self.starts.get(name).copied().unwrap_or_default()))
    }

    fn piece_with(&self, number: u32) -> Option<Arc<Piece>> {
        let after = self.pieces.partition_point(|piece| piece.base <= number);
        self.pieces.get(after.checked_sub(1)?).cloned()
    }
}

static CODE: Mutex<Option<Code>> = Mutex::new(None);

struct Locked(MutexGuard<'static, Option<Code>>);

impl std::ops::Deref for Locked {
    type Target = Code;
    fn deref(&self) -> &Code {
        self.0.as_ref().expect("filled by `code`")
    }
}

impl std::ops::DerefMut for Locked {
    fn deref_mut(&mut self) -> &mut Code {
        self.0.as_mut().expect("filled by `code`")
    }
}

fn code() -> Locked {
    let mut guard = CODE.lock().unwrap_or_else(PoisonError::into_inner);
    guard.get_or_insert_with(|| Code { next_base: first_base(), ..Code::default() });
    Locked(guard)
}

/// 1, or what follows the numbers of an earlier process with this pid.
fn first_base() -> u32 {
    let run = settings::get().and_then(|settings| settings.folder.as_ref());
    let bytes = run.and_then(|run| fs::read(code_file(run)).ok()).unwrap_or_default();
    let (records, _) = read_code_records(&bytes);
    records.iter().map(|record| record.base.0 + record.n_sites).max().unwrap_or(1)
}

fn code_file(run: &Path) -> PathBuf {
    run.join(format!("{}.code", std::process::id()))
}

/// What code is made of.
struct Texts {
    source: String,
    /// What the run keeps instead.
    written: Option<String>,
    source_map: Option<SourceMap>,
}

/// Gives the piece its numbers and tells the run of it. Code of which the run knows nothing must not emit events.
fn register(
    settings: &Settings,
    key: (CodeHash, String),
    kind: SourceKind,
    texts: Texts,
    instrumented: Instrumented,
    origin: Origin,
) -> Option<String> {
    let Texts { source, written, source_map } = texts;
    let (hash, path) = key.clone();
    let mut code = code();
    let n_sites = instrumented.sites.sites.len() as u32;
    let base = code.next_base;
    if base.checked_add(n_sites)? >= MAX_SITES {
        settings.problem(&format!("{path} is not captured: this process has compiled too much code"));
        return None;
    }
    let record =
        CodeRecord { base: SiteId(base), n_sites, kind: code_kind(kind), hash, path: plain_path(&path), origin };
    let kept = written.as_deref().unwrap_or(&source);
    let tell = |run: &PathBuf| {
        write_code_files(run, hash, kept, source_map, &instrumented).and_then(|()| append_record(run, &record))
    };
    if let Some(Err(error)) = settings.folder.as_ref().map(tell) {
        settings.problem(&format!("{} is not captured: {error}", record.path));
        return None;
    }
    code.next_base = base + n_sites;
    let instrumented = stop::with_calls(settings, &record.path, base, instrumented);
    let text = instrumented.rebased(base);
    let piece = Arc::new(Piece { base, record, source, instrumented, renamed: OnceLock::new() });
    code.pieces.push(piece.clone());
    code.by_name.insert(path, piece.clone());
    code.by_key.insert(key, Some(piece));
    Some(text)
}

/// Code of which nothing is recorded runs as it is, but the run knows it, and its sites have numbers.
fn register_plain(
    run: &Path,
    key: (CodeHash, String),
    kind: SourceKind,
    n_sites: u32,
    origin: Origin,
) -> Option<String> {
    let mut code = code();
    let base = code.next_base;
    if base.checked_add(n_sites)? < MAX_SITES {
        let (hash, path) = (key.0, plain_path(&key.1));
        let record = CodeRecord { base: SiteId(base), n_sites, kind: code_kind(kind), hash, path, origin };
        if append_record(run, &record).is_ok() {
            code.next_base = base + n_sites;
        }
    }
    code.by_key.insert(key, None);
    None
}

/// As many as the header of an event can tell apart.
const MAX_SITES: u32 = 1 << (u32::BITS - TAG_BITS);

fn source_kind(kind: CodeKind) -> SourceKind {
    match kind {
        CodeKind::Script => SourceKind::Script,
        CodeKind::Module => SourceKind::Module,
        CodeKind::CommonJs => SourceKind::CommonJs,
        CodeKind::Eval => SourceKind::Eval,
        CodeKind::FunctionBody => SourceKind::FunctionBody,
    }
}

pub fn code_kind(kind: SourceKind) -> CodeKind {
    match kind {
        SourceKind::Script => CodeKind::Script,
        SourceKind::Module => CodeKind::Module,
        SourceKind::CommonJs => CodeKind::CommonJs,
        SourceKind::Eval => CodeKind::Eval,
        SourceKind::FunctionBody => CodeKind::FunctionBody,
    }
}

fn write_code_files(
    run: &Path,
    hash: CodeHash,
    source: &str,
    source_map: Option<SourceMap>,
    instrumented: &Instrumented,
) -> io::Result<()> {
    let folder = run.join("code");
    let sites = folder.join(format!("{hash}.sites"));
    if sites.exists() {
        return Ok(());
    }
    private::create_dir_all(&folder)?;
    let compressed = |bytes: &[u8]| zstd::bulk::compress(bytes, 1);
    cache::write_whole(&folder.join(format!("{hash}.src")), &compressed(source.as_bytes())?)?;
    if let Some(origins) = source_map.and_then(|map| map.decode()) {
        cache::write_whole(&folder.join(format!("{hash}.origins")), &compressed(&write_origins(&origins))?)?;
    }
    cache::write_whole(&sites, &compressed(&write_site_table(&instrumented.sites))?)
}

fn append_record(run: &Path, record: &CodeRecord) -> io::Result<()> {
    private::append(&code_file(run))?.write_all(&record.to_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_of_positions() {
        let source = "a\r\n😀b\rc\u{2028}d";
        let offset = |line, column| units_before(source, line, column);
        assert_eq!([offset(1, 1), offset(2, 3), offset(3, 1), offset(4, 1)], [Some(0), Some(5), Some(7), Some(9)]);
        assert_eq!([offset(5, 1), offset(1, 0)], [None, None]);
    }
}
