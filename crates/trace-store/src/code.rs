use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use event_encoding::{
    EventStart, EventView, Shapes, SiteShape, StoredEvent, ValueView, event_start, record_view, site_view,
};
use trace_format::{
    CodeHash, CodeRecord, OriginSource, Origins, next_code_record, read_code_records, read_origins, read_site_table,
};
use trace_model::{
    CodeFacts, Event, Function, LanguageRef, LocalSite, NameIndex, Origin, Position, Site, SiteId, SiteTable,
    SourceCode, Value, waiting,
};

use crate::brief::{Briefs, SiteBrief, briefs_of};
use crate::literal::Literal;

/// The code that one process compiled, by site number. Site tables are read when the first of their sites is asked for.
#[derive(Debug)]
pub struct ProcessCode {
    language: LanguageRef,
    /// By base.
    units: Vec<CodeUnit>,
    /// By path, once somebody asks.
    origins: OnceLock<HashMap<String, Origin>>,
}

/// One piece of code in one process.
#[derive(Debug)]
pub struct CodeUnit {
    pub record: CodeRecord,
    file: OnceLock<Result<Arc<CodeFile>, String>>,
    folder: Arc<CodeFolder>,
    facts: OnceLock<Option<Arc<CodeFacts>>>,
}

/// A source and its site table; shared by all processes that compiled it.
#[derive(Debug)]
pub struct CodeFile {
    pub sites: SiteTable,
    briefs: Vec<SiteBrief>,
    /// For each site the value of its events that have none of their own.
    literals: Vec<Option<Literal>>,
    source: OnceLock<Result<Source, String>>,
    source_path: PathBuf,
    /// Nothing in it for code that is as it was written.
    origins: OnceLock<Result<Option<Origins>, String>>,
    origins_path: PathBuf,
}

/// Where something is in what the person wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceLocation<'a> {
    pub path: &'a str,
    pub position: Position,
    /// The text of the whole file, if the run has it.
    pub source: Option<&'a str>,
}

/// A site with everything that is known about it.
#[derive(Clone, Copy, Debug)]
pub struct SiteRef<'a> {
    pub id: SiteId,
    pub site: &'a Site,
    pub unit: &'a CodeUnit,
    pub code: &'a CodeFile,
}

impl ProcessCode {
    /// Reads `<pid>.code`. Records that were cut or damaged are left out; the notes say what that means.
    pub(crate) fn open(
        run: &Path,
        pid: u32,
        language: LanguageRef,
        folder: Arc<CodeFolder>,
    ) -> (ProcessCode, Vec<String>) {
        let name = format!("{pid}.code");
        let mut notes = Vec::new();
        let bytes = fs::read(run.join(&name)).unwrap_or_else(|error| {
            // A process that loaded nothing of the program's has no such file.
            if error.kind() != std::io::ErrorKind::NotFound {
                notes.push(format!("{name}: {error}; events of this process cannot be read"));
            }
            Vec::new()
        });
        let (mut records, mut at) = read_code_records(&bytes);
        while at < bytes.len() {
            let next = next_code_record(&bytes, at).unwrap_or(bytes.len());
            notes.push(format!("{name} is damaged from byte {at} to {next}; events of the code in it cannot be read"));
            let (more, length) = read_code_records(&bytes[next..]);
            records.extend(more);
            at = next + length;
        }
        let unit = |record| CodeUnit { record, file: OnceLock::new(), folder: folder.clone(), facts: OnceLock::new() };
        let mut units: Vec<CodeUnit> = records.into_iter().map(unit).collect();
        units.sort_by_key(|unit| unit.record.base);
        (ProcessCode { language, units, origins: OnceLock::new() }, notes)
    }

    pub fn language(&self) -> LanguageRef {
        self.language
    }

    /// Code that lies in no folder: of each piece its record, its sites and its text.
    pub(crate) fn in_memory(language: LanguageRef, pieces: Vec<(CodeRecord, SiteTable, String)>) -> ProcessCode {
        let folder = Arc::new(CodeFolder::new(PathBuf::new(), language));
        let unit = |(record, sites, text): (CodeRecord, SiteTable, String)| {
            let source = OnceLock::from(Ok(Source::new(text)));
            let file = CodeFile {
                source,
                origins: OnceLock::from(Ok(None)),
                ..CodeFile::new(language, sites, Path::new(""), "")
            };
            CodeUnit {
                record,
                file: OnceLock::from(Ok(Arc::new(file))),
                folder: folder.clone(),
                facts: OnceLock::new(),
            }
        };
        let mut units: Vec<CodeUnit> = pieces.into_iter().map(unit).collect();
        units.sort_by_key(|unit| unit.record.base);
        ProcessCode { language, units, origins: OnceLock::new() }
    }

    pub fn units(&self) -> &[CodeUnit] {
        &self.units
    }

    /// The code that a site belongs to.
    /// To whom the code at a path belongs; `None` if none of it was recorded.
    pub fn origin_of(&self, path: &str) -> Option<&Origin> {
        let origins = self.origins.get_or_init(|| {
            self.units.iter().map(|unit| (unit.record.path.clone(), unit.record.origin.clone())).collect()
        });
        origins.get(path)
    }

    pub fn unit(&self, site: SiteId) -> Option<&CodeUnit> {
        let after = self.units.partition_point(|unit| unit.record.base <= site);
        self.units[..after].last().filter(|unit| unit.record.holds(site))
    }

    pub fn site(&self, id: SiteId) -> Option<SiteRef<'_>> {
        let unit = self.unit(id)?;
        let code = unit.code().ok()?;
        let site = code.sites.sites.get(unit.local(id).0 as usize)?;
        Some(SiteRef { id, site, unit, code })
    }

    /// The text of the literal of a site.
    pub(crate) fn literal_text(&self, site: SiteId) -> Option<&str> {
        let unit = self.unit(site)?;
        match unit.code().ok()?.literals.get(unit.local(site).0 as usize)? {
            Some(Literal::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// For decoding events: fast when one site follows another of the same file.
    pub(crate) fn briefs(&self) -> BriefLookup<'_> {
        BriefLookup { code: self, base: 0, current: &[], literals: &[] }
    }
}

impl CodeUnit {
    /// The site table and source; an error says which file is missing or damaged.
    pub fn code(&self) -> Result<&CodeFile, &str> {
        let file = self.file.get_or_init(|| self.folder.load(self.record.hash));
        file.as_ref().map(Arc::as_ref).map_err(String::as_str)
    }

    /// Why it cannot be read in full: its site table or its source is missing or damaged.
    pub fn unreadable(&self) -> Option<&str> {
        match self.code() {
            Ok(code) => code.source().err(),
            Err(why) => Some(why),
        }
    }

    /// Where a byte offset of the recorded text is in what the person wrote; `None` if the source is not there.
    pub fn place(&self, offset: u32) -> Option<SourceLocation<'_>> {
        self.original_place(offset).or_else(|| {
            let code = self.code().ok()?;
            Some(SourceLocation {
                path: &self.record.path,
                position: code.position(offset)?,
                source: code.source().ok(),
            })
        })
    }

    /// The same, in a file that it was compiled from; `None` where a compiler put it, or none did anything.
    pub fn original_place(&self, offset: u32) -> Option<SourceLocation<'_>> {
        let (source, position) = self.code().ok()?.original(offset)?;
        Some(SourceLocation { path: &source.path, position, source: source.content.as_deref() })
    }

    /// The texts of the files that it was compiled from.
    pub fn original_sources(&self) -> impl Iterator<Item = &str> {
        let origins = self.code().ok().and_then(|code| code.origins());
        origins.map_or(&[][..], |origins| &origins.sources).iter().filter_map(|source| source.content.as_deref())
    }

    /// What must be known to read it again; `None` if its source is not there.
    pub fn source_code(&self) -> Option<SourceCode<'_>> {
        let code = self.code().ok()?;
        let CodeRecord { kind, path, .. } = &self.record;
        Some(SourceCode { source: code.source().ok()?, kind: *kind, path, made: code.sites.made.as_ref() })
    }

    /// What the front end of its language says of it, found once: that takes long for a large file. `None` if it cannot read it.
    pub fn facts(&self, find: impl FnOnce() -> Option<CodeFacts>) -> Option<Arc<CodeFacts>> {
        self.facts.get_or_init(|| find().map(Arc::new)).clone()
    }

    pub fn local(&self, site: SiteId) -> LocalSite {
        LocalSite(site.0 - self.record.base.0)
    }

    pub fn site(&self, local: LocalSite) -> SiteId {
        SiteId(self.record.base.0 + local.0)
    }
}

impl CodeFile {
    /// What else is known of it lies in a folder under this name.
    fn new(language: LanguageRef, sites: SiteTable, folder: &Path, name: &str) -> CodeFile {
        let briefs = briefs_of(&sites);
        let literal = |site: &Site| Some(Literal::new(language.literal(sites.name(site.literal()?))?));
        let literals = sites.sites.iter().map(literal).collect();
        CodeFile {
            sites,
            briefs,
            literals,
            source: OnceLock::new(),
            source_path: folder.join(format!("{name}.src")),
            origins: OnceLock::new(),
            origins_path: folder.join(format!("{name}.origins")),
        }
    }

    /// The text that was recorded; the compiled one if the code was compiled before.
    pub fn source(&self) -> Result<&str, &str> {
        self.loaded_source().map(|source| source.text.as_str())
    }

    /// Line and column of a byte offset in that text; `None` if the source is not there.
    pub fn position(&self, offset: u32) -> Option<Position> {
        self.loaded_source().ok().map(|source| source.position(offset as usize))
    }

    /// Whether the code was compiled from other files.
    pub fn has_origins(&self) -> bool {
        self.origins_path.exists()
    }

    /// The paths of the files that it was compiled from.
    pub fn original_paths(&self) -> impl Iterator<Item = &str> {
        let sources = self.origins().map_or(&[][..], |origins| &origins.sources);
        sources.iter().map(|source| source.path.as_str())
    }

    /// Where the code at a byte offset came from, if it was compiled.
    fn original(&self, offset: u32) -> Option<(&OriginSource, Position)> {
        self.origins()?.original(self.position(offset)?)
    }

    fn origins(&self) -> Option<&Origins> {
        self.origins.get_or_init(|| load_origins(&self.origins_path)).as_ref().ok()?.as_ref()
    }

    fn loaded_source(&self) -> Result<&Source, &str> {
        self.source.get_or_init(|| Source::load(&self.source_path)).as_ref().map_err(String::as_str)
    }
}

impl<'a> SiteRef<'a> {
    pub fn function(&self) -> &'a Function {
        self.code.sites.function(self.site.function)
    }

    pub fn name(&self, name: NameIndex) -> &'a str {
        self.code.sites.name(name)
    }

    /// Of the file that the person wrote.
    pub fn path(&self) -> &'a str {
        self.code.original(self.site.span.start).map_or(&self.unit.record.path, |(source, _)| &source.path)
    }

    /// In that file.
    pub fn position(&self) -> Option<Position> {
        self.place().map(|place| place.position)
    }

    /// Both, and the text of that file; `None` if the source is not there.
    pub fn place(&self) -> Option<SourceLocation<'a>> {
        self.unit.place(self.site.span.start)
    }

    /// The text of the site, as it was recorded.
    pub fn text(&self) -> Option<&'a str> {
        self.code.source().ok()?.get(self.site.span.start as usize..self.site.span.end as usize)
    }
}

/// `code/` of a run; every file is read once.
#[derive(Debug)]
pub(crate) struct CodeFolder {
    path: PathBuf,
    language: LanguageRef,
    loaded: Mutex<HashMap<CodeHash, Result<Arc<CodeFile>, String>>>,
}

impl CodeFolder {
    pub fn new(path: PathBuf, language: LanguageRef) -> CodeFolder {
        CodeFolder { path, language, loaded: Mutex::default() }
    }

    fn load(&self, hash: CodeHash) -> Result<Arc<CodeFile>, String> {
        if let Some(file) = waiting::lock(&self.loaded).get(&hash) {
            return file.clone();
        }
        // Not under the lock: others may read other files meanwhile.
        let file = self.read(hash).map(Arc::new);
        waiting::lock(&self.loaded).entry(hash).or_insert(file).clone()
    }

    fn read(&self, hash: CodeHash) -> Result<CodeFile, String> {
        let name = format!("{hash}.sites");
        let bytes = read_compressed(&self.path.join(&name))?;
        let sites = read_site_table(&bytes, &name).map_err(|error| error.to_string())?;
        Ok(CodeFile::new(self.language, sites, &self.path, &hash.to_string()))
    }
}

/// Finds what is known of sites, starting with the file of the site before.
pub(crate) struct BriefLookup<'a> {
    code: &'a ProcessCode,
    base: u32,
    current: &'a [SiteBrief],
    literals: &'a [Option<Literal>],
}

impl<'a> BriefLookup<'a> {
    /// As [`Briefs::brief`], where it lies.
    #[inline]
    pub fn find(&mut self, site: SiteId) -> Option<(SiteId, &'a SiteBrief)> {
        if let Some(brief) = self.current.get(site.0.wrapping_sub(self.base) as usize) {
            return Some((SiteId(self.base), brief));
        }
        self.find_unit(site)
    }

    /// A stored event as it happened: what was not stored is filled in.
    #[inline]
    pub fn view<'w>(&mut self, stored: StoredEvent<'w>) -> Option<EventView<'w>> {
        let Some(site) = stored.site() else { return stored.record().map(EventView::Record) };
        let (_, brief) = self.find(site)?;
        let mut event = stored.view(brief.shape)?;
        self.fill_in_view(&mut event, site, brief);
        Some(event)
    }

    /// The same of the event at the start of `words`, and how many of them it takes.
    #[inline]
    pub fn first_view<'w>(&mut self, words: &'w [u32]) -> Option<(EventView<'w>, usize)> {
        let EventStart::Site(site) = event_start(words)? else {
            return record_view(words).ok().map(|(record, n_words)| (EventView::Record(record), n_words));
        };
        let (_, brief) = self.find(site)?;
        let (mut event, n_words) = site_view(words, brief.shape).ok()?;
        self.fill_in_view(&mut event, site, brief);
        Some((event, n_words))
    }

    #[inline]
    fn fill_in_view(&self, event: &mut EventView, site: SiteId, brief: &SiteBrief) {
        if let EventView::Site { value, .. } = event
            && value.is_missing()
            && brief.has_literal()
            && let Some(literal) = self.literal(site)
        {
            *value = ValueView::of(literal);
        }
    }

    /// The same of an event that was decoded just before.
    pub fn fill_in(&self, event: &mut Event) {
        if let Event::Site { site, value: value @ None, .. } = event {
            *value = self.literal(*site);
        }
    }

    /// The value of an event that has none of its own, of the file of the site that was asked for last.
    #[inline]
    fn literal(&self, site: SiteId) -> Option<Value> {
        let literal = self.literals.get(site.0.wrapping_sub(self.base) as usize)?;
        literal.as_ref().map(|literal| literal.value(site))
    }

    #[cold]
    fn find_unit(&mut self, site: SiteId) -> Option<(SiteId, &'a SiteBrief)> {
        let unit = self.code.unit(site)?;
        let code = unit.code().ok()?;
        self.base = unit.record.base.0;
        (self.current, self.literals) = (&code.briefs, &code.literals);
        self.current.get((site.0 - self.base) as usize).map(|brief| (SiteId(self.base), brief))
    }
}

impl Briefs for BriefLookup<'_> {
    #[inline]
    fn brief(&mut self, site: SiteId) -> Option<(SiteId, &SiteBrief)> {
        self.find(site)
    }
}

impl Shapes for BriefLookup<'_> {
    fn shape(&mut self, site: SiteId) -> Option<SiteShape> {
        self.find(site).map(|(_, brief)| brief.shape)
    }
}

#[derive(Debug)]
struct Source {
    text: String,
    /// Byte offset at which each line starts.
    lines: Vec<usize>,
    /// For each character of several bytes, where it ends, and how many more bytes than UTF-16 units the text has up to
    /// there. A bundle may be one line of megabytes, which nobody wants to count through for each position.
    wide: Vec<(usize, usize)>,
}

impl Source {
    fn load(path: &Path) -> Result<Source, String> {
        Ok(Source::new(String::from_utf8_lossy(&read_compressed(path)?).into_owned()))
    }

    fn new(text: String) -> Source {
        let mut n_more = 0;
        let mut wide = Vec::new();
        for (at, c) in text.char_indices().filter(|(_, c)| !c.is_ascii()) {
            n_more += c.len_utf8() - c.len_utf16();
            wide.push((at + c.len_utf8(), n_more));
        }
        Source { lines: line_starts(&text), text, wide }
    }

    fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.lines.partition_point(|start| *start <= offset).max(1);
        let column = self.units_before(offset) - self.units_before(self.lines[line - 1]);
        Position { line: line as u32, column: column as u32 + 1 }
    }

    fn units_before(&self, offset: usize) -> usize {
        let n_wide = self.wide.partition_point(|(end, _)| *end <= offset);
        offset - self.wide[..n_wide].last().map_or(0, |(_, n_more)| *n_more)
    }
}

/// A line ends where any of the ends of lines of Unicode is that editors know.
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

fn load_origins(path: &Path) -> Result<Option<Origins>, String> {
    if !path.exists() {
        return Ok(None);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    read_origins(&read_compressed(path)?, &name).map(Some).map_err(|error| error.to_string())
}

fn read_compressed(path: &Path) -> Result<Vec<u8>, String> {
    let name = format!("code/{}", path.file_name().unwrap_or_default().to_string_lossy());
    let bytes = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    zstd::decode_all(&bytes[..]).map_err(|_| format!("{name} is damaged"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_people() {
        let source = Source::new("a\r\n😀b\rc\u{2028}d".into());
        let at = |c: &str| {
            let Position { line, column } = source.position(source.text.find(c).unwrap());
            (line, column)
        };
        assert_eq!([at("a"), at("b"), at("c"), at("d")], [(1, 1), (2, 3), (3, 1), (4, 1)]);
    }
}
