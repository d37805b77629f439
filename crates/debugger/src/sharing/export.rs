//! A run, without what is secret, in one file.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind};
use std::path::{Path, PathBuf};

use trace_format::{
    ExportWriter, Origins, RunFile, RunSettings, private, read_code_records, read_origins, write_origins,
    write_site_table,
};
use trace_model::{
    Datum, Event, LanguageRef, Literal, ObjectClass, REDACTED_NUMBER, REDACTED_TEXT, Record, SiteId, SiteKind,
    SiteTable, SourceCode, StringId, Value,
};
use trace_store::{CodeFile, CodeUnit, PROBLEMS_FILE, Run, TestRecord, Thread};

use super::kept::Kept;
use super::naming::Naming;
use super::rules::{RedactRequest, Rules, Secrecy};
use super::secrets::{Secrets, Size, TextOf};
use crate::Error;
use crate::Session;
use crate::not_captured::units;

/// What became of it.
#[derive(Clone, Debug)]
pub struct Exported {
    /// Bytes of the file.
    pub size: u64,
    /// What was taken out.
    pub taken: Vec<Redacted>,
    /// Names whose values were taken out only where they stand under them: they are too short, or words of the program.
    pub only_named: Vec<String>,
    /// What stayed although it may be secret, as far as one reads such a list.
    pub kept: Vec<Kept>,
    /// What could not be read, and is not in the file.
    pub notes: Vec<String>,
}

/// How much one rule took out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redacted {
    pub rule: String,
    /// The name that the values stood under.
    pub name: Option<String>,
    pub n_values: usize,
    pub n_places: u64,
}

/// Writes a run into a new file that only its owner can read. `progress` is told how much of how much is done.
pub fn export(
    session: &Session,
    to: &Path,
    request: &RedactRequest,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Exported, Error> {
    let run = session.run();
    if run.is_being_recorded() {
        return Err(Error::Usage("this run is still being recorded".into()));
    }
    let rules = Rules::new(request)?;
    // Before the work, which may take long: whether the file can be made at all.
    let file = private::create_new(to).map_err(Error::io(to))?;
    let done = write(run, file, rules, progress);
    if done.is_err() {
        let _ = fs::remove_file(to);
    }
    done
}

fn write(run: &Run, file: File, rules: Rules, progress: &mut dyn FnMut(u64, u64)) -> Result<Exported, Error> {
    let mut stages = Stages { done: 0, all: 3 * run.threads().len() as u64, progress };
    let code = Code::of(run);
    let mut secrets = Secrets::new(rules, code.words());
    let texts = Texts::of(run)?;
    let mut named = collect_all(run, &code, &texts, &mut secrets, &mut stages);
    secrets.prepare()?;
    let folder = tempfile::tempdir().map_err(Error::io(std::env::temp_dir()))?;
    let mut packer = Packer { folder: folder.path(), names: BTreeSet::new() };
    texts.write(&secrets, &mut packer)?;
    let mut notes = run.notes().to_vec();
    code.write(&secrets, &mut packer, &mut notes)?;
    for (thread, named) in run.threads().iter().zip(&mut named) {
        let path = packer.path(&format!("{}.trace", thread.name()));
        let mut change = EventRedaction { named, secrets: &secrets, code: &code, thread };
        let written = thread.write_changed(&path, &mut stages.next(), &mut |event| change.event(event));
        notes.extend(written?);
        if thread.has_times() {
            thread.write_times_renumbered(&packer.path(&format!("{}.times", thread.name())))?;
        }
    }
    let size = packer.pack(file)?;
    let (taken, kept) = (secrets.taken(), secrets.kept());
    Ok(Exported { size, taken, kept, only_named: secrets.only_named().into_iter().collect(), notes })
}

/// Finds what is secret in a run, for texts that were made of it.
pub(super) fn find_secrets(run: &Run, secrets: &mut Secrets) -> Result<(), Error> {
    let mut stages = Stages { done: 0, all: 1, progress: &mut |_, _| {} };
    collect_all(run, &Code::of(run), &Texts::of(run)?, secrets, &mut stages);
    Ok(())
}

/// What the program of a run calls things.
pub(super) fn words_of(run: &Run) -> HashSet<String> {
    Code::of(run).words()
}

fn collect_all<'r>(
    run: &'r Run,
    code: &Code,
    texts: &Texts,
    secrets: &mut Secrets,
    stages: &mut Stages,
) -> Vec<Named<'r>> {
    code.collect(secrets);
    texts.collect(secrets);
    run.threads().iter().map(|thread| collect(thread, secrets, stages)).collect()
}

/// Passes over threads, told as one.
struct Stages<'p> {
    done: u64,
    all: u64,
    progress: &'p mut dyn FnMut(u64, u64),
}

impl Stages<'_> {
    fn next(&mut self) -> impl FnMut(u64, u64) {
        let (stage, all) = (self.done, self.all);
        self.done += 1;
        let progress = &mut *self.progress;
        move |done, of| {
            const PARTS: u64 = 1000;
            progress(stage * PARTS + done * PARTS / of.max(1), all * PARTS);
        }
    }
}

/// What of a thread stands under a name.
struct Named<'r> {
    naming: Naming<'r>,
    strings: HashMap<StringId, String>,
}

/// Finds what is secret in the events of a thread.
fn collect<'r>(thread: &'r Thread, secrets: &mut Secrets, stages: &mut Stages) -> Named<'r> {
    let mut strings: HashMap<StringId, (String, Secrecy)> = HashMap::new();
    let mut numbers: Vec<(f64, String, Secrecy)> = Vec::new();
    let mut naming = Naming::new(thread, secrets.rules.clone());
    // What an object holds may be told before it stands under a name.
    loop {
        let mut has_new = false;
        thread.visit_all(&mut stages.next(), &mut |event| {
            has_new |= naming.each(event, &mut |hit, value| match value {
                Value::String(id) | Value::BigInt(id) => {
                    strings.entry(*id).or_insert_with(|| (hit.name.clone(), hit.secrecy.clone()));
                }
                Value::Number(number) if is_secret_number(*number, &hit.secrecy) => {
                    numbers.push((*number, hit.name.clone(), hit.secrecy.clone()));
                }
                _ => {}
            });
        });
        stages.done -= 1;
        if !has_new {
            break;
        }
    }
    stages.done += 1;
    for (number, name, secrecy) in numbers {
        secrets.add_named(&number_text(thread.language(), number), &name, &secrecy);
    }
    let mut texts = HashMap::new();
    let mut seen: HashSet<u64> = HashSet::new();
    thread.visit_all(&mut stages.next(), &mut |event| {
        let Event::Record(Record::String(id, text)) = event else { return };
        if let Some((name, secrecy)) = strings.get(id) {
            secrets.add_named(text, name, secrecy);
            texts.insert(*id, text.clone());
        }
        if text.len() >= SHORTEST_SEARCHED && seen.insert(hash(text)) {
            secrets.add_of_text(text, TextOf::Program);
        }
    });
    Named { naming, strings: texts }
}

/// Nothing that a pattern finds is shorter.
const SHORTEST_SEARCHED: usize = 6;

fn hash(text: &str) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Small ones count something.
fn is_secret_number(number: f64, secrecy: &Secrecy) -> bool {
    matches!(secrecy, Secrecy::Always(_)) && number.abs() >= 100.0
}

/// Takes what is secret out of events.
struct EventRedaction<'a, 'r> {
    named: &'a mut Named<'r>,
    secrets: &'a Secrets,
    code: &'a Code<'a>,
    thread: &'a Thread,
}

impl EventRedaction<'_, '_> {
    fn event(&mut self, event: &mut Event) {
        let secrets = self.secrets;
        let language = self.thread.language();
        let Named { naming, strings } = &mut *self.named;
        naming.each(event, &mut |hit, value| match value {
            Value::String(id) | Value::BigInt(id) => {
                let Some(text) = strings.get(id).filter(|text| !secrets.is_everywhere(text)) else { return };
                if is_taken(text, &hit.secrecy) {
                    secrets.count_named(text, &hit.name, &hit.secrecy);
                    *value = Value::LongString { length: REDACTED_TEXT };
                }
            }
            Value::Number(number) if is_secret_number(*number, &hit.secrecy) => {
                secrets.count_named(&number_text(language, *number), &hit.name, &hit.secrecy);
                *value = Value::LongString { length: REDACTED_NUMBER };
            }
            _ => {}
        });
        match event {
            Event::Record(Record::String(_, text)) => {
                *text = self.secrets.taken_out(text, Size::Bytes).into_owned();
                self.secrets.keeps(text);
            }
            Event::Record(Record::Look { class: ObjectClass::Binary, entries, .. }) => self.binary(entries),
            Event::Site { site, value: value @ None, .. } if self.code.is_secret_number(self.thread, *site) => {
                *value = Some(Value::LongString { length: REDACTED_NUMBER });
            }
            _ => {}
        }
        each_value(event, &mut |value| {
            if let Value::Number(number) = value
                && number.abs() >= LEAST_EVERYWHERE
                && self.secrets.is_everywhere(&number_text(language, *number))
            {
                *value = Value::LongString { length: REDACTED_NUMBER };
            }
        });
    }

    /// Bytes that spell a value.
    fn binary(&self, entries: &mut [(Value, Value)]) {
        let byte = |(_, value): &(Value, Value)| match value {
            Value::Number(number) if (0.0..256.0).contains(number) => *number as u8,
            _ => 0,
        };
        let bytes: Vec<u8> = entries.iter().map(byte).collect();
        for part in self.secrets.in_bytes(&bytes) {
            entries[part].iter_mut().for_each(|(_, value)| *value = Value::NotCaptured);
        }
    }
}

/// A number that is shorter than this is not distinct.
const LEAST_EVERYWHERE: f64 = 100_000.0;

fn each_value(event: &mut Event, act: &mut dyn FnMut(&mut Value)) {
    use trace_model::TailValues::{ObjectAndKey, Values};
    match event {
        Event::Site { value, tail, .. } => {
            value.iter_mut().for_each(&mut *act);
            match tail {
                ObjectAndKey(_, key) => act(key),
                Values(values) => values.iter_mut().for_each(act),
                _ => {}
            }
        }
        Event::Record(Record::Look { entries, .. }) => entries.iter_mut().for_each(|(key, value)| {
            act(key);
            act(value);
        }),
        Event::Record(Record::Effect { values, .. }) => values.iter_mut().for_each(act),
        Event::Record(Record::Uncaught { value, .. } | Record::Message { value, .. }) => act(value),
        Event::Record(_) => {}
    }
}

/// The code of a run.
struct Code<'r> {
    run: &'r Run,
    units: Vec<&'r CodeUnit>,
    /// Sites whose literal is a number under a secret name, by the first site of their code in each process.
    numbers: RefCell<HashMap<(u32, SiteId), bool>>,
    rules: RefCell<HashMap<String, bool>>,
}

impl<'r> Code<'r> {
    fn of(run: &'r Run) -> Code<'r> {
        Code { run, units: units(run), numbers: RefCell::default(), rules: RefCell::default() }
    }

    /// What the program calls things.
    fn words(&self) -> HashSet<String> {
        let tables = self.units.iter().filter_map(|unit| unit.code().ok());
        let names = tables.flat_map(|code| &code.sites.names);
        names.filter(|name| self.run.language().text_of_key(name) == **name).cloned().collect()
    }

    fn collect(&self, secrets: &mut Secrets) {
        for unit in &self.units {
            let Ok(code) = unit.code() else { continue };
            for site in &code.sites.sites {
                if let (Some(name), Some(literal)) = (site.names.first(), site.literal())
                    && site.kind != SiteKind::Return
                    && let Some(secrecy) = secrets.rules.secrecy(code.sites.name(*name))
                    && let Some(text) = unquoted_literal(self.run.language(), code.sites.name(literal))
                {
                    secrets.add_named(&text, code.sites.name(*name), &secrecy);
                }
            }
            if let Ok(source) = code.source() {
                secrets.add_of_text(source, TextOf::Source);
            }
            self.origins(unit).iter().flat_map(|origins| &origins.sources).for_each(|source| {
                secrets.add_of_text(source.content.as_deref().unwrap_or_default(), TextOf::Source);
            });
        }
    }

    fn is_secret_number(&self, thread: &Thread, site: SiteId) -> bool {
        if let Some(known) = self.numbers.borrow().get(&(thread.pid(), site)) {
            return *known;
        }
        let is_secret = thread.site(site).is_some_and(|found| {
            let name = found.site.names.first().map(|name| found.name(*name)).unwrap_or_default();
            self.rules.borrow().get(name).copied().unwrap_or(false)
                && found.site.literal().is_some_and(|literal| is_number_literal(found.name(literal)))
        });
        self.numbers.borrow_mut().insert((thread.pid(), site), is_secret);
        is_secret
    }

    /// Whether a source means the same to the front end of its language, without what was taken out.
    fn is_still_read(&self, unit: &CodeUnit, code: &CodeFile, without: &str) -> bool {
        let Some(whole) = unit.source_code() else { return true };
        let facts = |source: &str| self.run.language().facts(SourceCode { source, ..whole }, &code.sites);
        let Ok(before) = facts(whole.source) else { return true };
        facts(without).is_ok_and(|after| {
            after.statements.len() == before.statements.len() && after.expressions.len() == before.expressions.len()
        })
    }

    fn write(&self, secrets: &Secrets, packer: &mut Packer, notes: &mut Vec<String>) -> Result<(), Error> {
        let mut written = HashSet::new();
        for unit in &self.units {
            let Ok(code) = unit.code() else { continue };
            if !written.insert(unit.record.hash) {
                continue;
            }
            let name = |kind: &str| format!("code/{}.{kind}", unit.record.hash);
            packer.compressed(&name("sites"), &write_site_table(&self.table(code, secrets)))?;
            if let Ok(source) = code.source() {
                let without = source_without(self.run.language(), source, secrets, Size::Bytes);
                if without != source && !self.is_still_read(unit, code, &without) {
                    notes.push(format!(
                        "questions about {} cannot be answered from the exported file",
                        unit.record.path
                    ));
                }
                secrets.keeps(&without);
                packer.compressed(&name("src"), without.as_bytes())?;
            }
            if let Some(mut origins) = self.origins(unit) {
                for source in &mut origins.sources {
                    source.path = secrets.taken_out(&source.path, Size::Bytes).into_owned();
                    let content = source.content.take();
                    source.content =
                        content.map(|content| source_without(self.run.language(), &content, secrets, Size::Units));
                    [Some(&source.path), source.content.as_ref()]
                        .into_iter()
                        .flatten()
                        .for_each(|text| secrets.keeps(text));
                }
                packer.compressed(&name("origins"), &write_origins(&origins))?;
            }
        }
        let pids: BTreeSet<u32> = self.run.threads().iter().map(Thread::pid).collect();
        for pid in pids {
            let name = format!("{pid}.code");
            let path = self.run.folder().join(&name);
            let bytes = match fs::read(&path) {
                Ok(bytes) => bytes,
                // A process that ran no code of its own, as Node's test runner, has none.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => return Err(Error::io(path)(error)),
            };
            let mut records = Vec::new();
            for mut record in read_code_records(&bytes).0 {
                record.path = secrets.taken_out(&record.path, Size::Bytes).into_owned();
                secrets.keeps(&record.path);
                records.extend(record.to_bytes());
            }
            packer.put(&name, &records)?;
        }
        Ok(())
    }

    /// A site table with names and literals that say nothing secret.
    fn table(&self, code: &CodeFile, secrets: &Secrets) -> SiteTable {
        let mut table = code.sites.clone();
        let mut changed: BTreeMap<String, trace_model::NameIndex> = BTreeMap::new();
        for number in 0..table.sites.len() {
            let site = &table.sites[number];
            let (Some(name), Some(literal)) = (site.names.first().copied(), site.literal()) else { continue };
            let Some(secrecy) = secrets.rules.secrecy(table.name(name)).filter(|_| site.kind != SiteKind::Return)
            else {
                continue;
            };
            let text = table.name(literal).to_owned();
            let instead = match unquoted_literal(self.run.language(), &text) {
                Some(value) if is_taken(&value, &secrecy) && !secrets.is_everywhere(&value) => {
                    secrets.count_named(&value, table.name(name), &secrecy);
                    format!("'{}'", secrets.mark(&value, Size::Bytes))
                }
                None if is_number_literal(&text) && matches!(secrecy, Secrecy::Always(_)) => {
                    self.rules.borrow_mut().insert(table.name(name).to_owned(), true);
                    "_".repeat(text.len())
                }
                _ => continue,
            };
            let index = *changed.entry(instead).or_insert_with_key(|instead| {
                table.names.push(instead.clone());
                trace_model::NameIndex(table.names.len() as u32 - 1)
            });
            // Only `Var` and `Put` have their name first and a literal behind it.
            table.sites[number].names[1] = index;
        }
        // Names that no site uses any more stay in the table, so each is looked at by itself.
        let used: HashSet<u32> = used_names(&table);
        for (number, name) in table.names.iter_mut().enumerate() {
            *name = match used.contains(&(number as u32)) {
                true => name_without(self.run.language(), name, secrets),
                false => String::new(),
            };
        }
        table
    }

    fn origins(&self, unit: &CodeUnit) -> Option<Origins> {
        let name = format!("{}.origins", unit.record.hash);
        let bytes = fs::read(self.run.folder().join("code").join(&name)).ok()?;
        read_origins(&zstd::decode_all(&bytes[..]).ok()?, &name).ok()
    }
}

fn is_taken(value: &str, secrecy: &Secrecy) -> bool {
    match secrecy {
        Secrecy::Always(_) => !value.is_empty(),
        Secrecy::IfItLooksSo(_) => super::rules::looks_secret(value),
    }
}

fn used_names(table: &SiteTable) -> HashSet<u32> {
    let of_sites = table.sites.iter().flat_map(|site| &site.names);
    let of_functions = table.functions.iter().map(|function| &function.name);
    let of_variables = table.variables.iter().map(|variable| &variable.name);
    let of_rest = table.not_captured.iter().map(|(_, why)| why);
    of_sites.chain(of_functions).chain(of_variables).chain(of_rest).map(|name| name.0).collect()
}

/// A name or literal: also one that is a value in other words (`'\x41'`).
fn name_without(language: LanguageRef, name: &str, secrets: &Secrets) -> String {
    match unquoted_literal(language, name)
        .filter(|text| name.contains('\\') && secrets.taken_out(text, Size::Bytes) != *text)
    {
        Some(text) => format!("'{}'", secrets.mark(&text, Size::Bytes)),
        None => secrets.taken_out(name, Size::Bytes).into_owned(),
    }
}

/// The text that a string literal stands for.
fn unquoted_literal(language: LanguageRef, source: &str) -> Option<String> {
    match language.literal(source)? {
        Literal::String(text) => Some(text),
        _ => None,
    }
}

fn number_text(language: LanguageRef, number: f64) -> String {
    language.text(&Datum::Number(number))
}

fn is_number_literal(text: &str) -> bool {
    text.bytes().next().is_some_and(|c| c.is_ascii_digit()) && text.bytes().filter(u8::is_ascii_digit).count() >= 3
}

/// A source as long as it was: its places are known by their offsets. Values in other words, and numbers under a name, are found
/// where literals are.
fn source_without(language: LanguageRef, source: &str, secrets: &Secrets, size: Size) -> String {
    let mut text = secrets.taken_out_of(source, TextOf::Source, size).into_owned();
    let literals = regex::Regex::new(r#"'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*""#).expect("the pattern is right");
    let escaped: Vec<_> =
        literals.find_iter(&text).filter(|found| found.as_str().contains('\\')).map(|found| found.range()).collect();
    for part in escaped.into_iter().rev() {
        let Some(value) = unquoted_literal(language, &text[part.clone()]) else { continue };
        if secrets.taken_out(&value, size) != value {
            let inner = part.start + 1..part.end - 1;
            let mark = secrets.mark(&text[inner.clone()], size);
            text.replace_range(inner, &mark);
        }
    }
    let numbers =
        regex::Regex::new(r#"([A-Za-z_$][A-Za-z0-9_$]*)["']?\s*[:=]\s*(\d[\d_]{2,})\b"#).expect("the pattern is right");
    let found: Vec<_> = numbers
        .captures_iter(&text)
        .filter_map(|found| Some((found.get(1)?.as_str(), found.get(2)?.range())))
        .filter(|(name, _)| matches!(secrets.rules.secrecy(name), Some(Secrecy::Always(_))))
        .map(|(_, part)| part)
        .collect();
    for part in found.into_iter().rev() {
        // A name, so that nobody takes it for the number.
        let instead = "_".repeat(part.len());
        text.replace_range(part, &instead);
    }
    text
}

/// Everything of a run that is neither events nor code.
struct Texts {
    run: RunFile,
    settings: Option<RunSettings>,
    /// By their names.
    others: Vec<(&'static str, Vec<u8>)>,
}

const OTHERS: &[&str] =
    &[PROBLEMS_FILE, TestRecord::FILE, "points.txt", "questions.txt", "judge.txt", crate::rerun::STDIN];

impl Texts {
    fn of(run: &Run) -> Result<Texts, Error> {
        let read = |name: &'static str| -> Result<Option<(&'static str, Vec<u8>)>, Error> {
            let path: PathBuf = run.folder().join(name);
            match fs::read(&path) {
                Ok(bytes) => Ok(Some((name, bytes))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(Error::io(path)(error)),
            }
        };
        let others = OTHERS.iter().map(|name| read(name)).collect::<Result<Vec<_>, _>>()?;
        let settings = fs::read_to_string(run.folder().join(RunSettings::NAME)).unwrap_or_default();
        Ok(Texts {
            run: run.file().clone(),
            settings: RunSettings::parse(&settings),
            others: others.into_iter().flatten().collect(),
        })
    }

    fn collect(&self, secrets: &mut Secrets) {
        for pair in self.run.command.windows(2) {
            let name = pair[0].trim_start_matches('-');
            if name.len() < pair[0].len()
                && let Some(secrecy) = secrets.rules.secrecy(name)
            {
                secrets.add_named(&pair[1], name, &secrecy);
            }
        }
        self.run.command.iter().for_each(|argument| secrets.add_of_text(argument, TextOf::Program));
        self.run.drive.iter().for_each(|command| secrets.add_of_text(command, TextOf::Program));
        for (name, bytes) in &self.others {
            in_words(name, &String::from_utf8_lossy(bytes), &mut |words| {
                secrets.add_of_text(words, TextOf::Program);
                String::new()
            });
        }
    }

    fn write(&self, secrets: &Secrets, packer: &mut Packer) -> Result<(), Error> {
        let plain = |text: &String| {
            let without = secrets.taken_out(text, Size::Bytes).into_owned();
            secrets.keeps(&without);
            without
        };
        let mut run = self.run.clone();
        for at in 0..run.command.len() {
            let option = at.checked_sub(1).map(|before| self.run.command[before].trim_start_matches('-'));
            let secrecy = option.and_then(|name| secrets.rules.secrecy(name));
            let is_value = secrecy.is_some_and(|secrecy| is_taken(&run.command[at], &secrecy));
            let is_option = at > 0 && self.run.command[at - 1].starts_with('-');
            run.command[at] = match is_value && is_option {
                true => secrets.mark(&run.command[at], Size::Bytes),
                false => plain(&run.command[at]),
            };
        }
        run.drive = run.drive.as_ref().map(plain);
        run.folder = plain(&run.folder);
        run.others = run.others.iter().map(|(key, value)| (key.clone(), plain(value))).collect();
        super::import::note_export(&mut run);
        packer.put(RunFile::NAME, run.to_text().as_bytes())?;
        if let Some(settings) = &self.settings {
            let globs = |globs: &[String]| globs.iter().map(plain).collect();
            let (include, exclude) = (globs(&settings.include), globs(&settings.exclude));
            let settings = RunSettings {
                parent: 0,
                policy: None,
                stop: None,
                intervention: None,
                include,
                exclude,
                ..settings.clone()
            };
            packer.put(RunSettings::NAME, settings.to_text().as_bytes())?;
        }
        for (name, bytes) in &self.others {
            let without = match std::str::from_utf8(bytes) {
                Ok(text) => in_words(name, text, &mut |words| {
                    let without = secrets.taken_out(words, Size::Bytes).into_owned();
                    secrets.keeps(&without);
                    without
                })
                .into_bytes(),
                Err(_) => {
                    let mut bytes = bytes.clone();
                    secrets.in_bytes(&bytes.clone()).into_iter().for_each(|part| bytes[part].fill(b'*'));
                    bytes
                }
            };
            packer.put(name, &without)?;
        }
        Ok(())
    }
}

/// A text with what it says in words changed. The times of tests are numbers as long as those of cards, and one in ten has their check digit.
fn in_words(name: &str, text: &str, change: &mut dyn FnMut(&str) -> String) -> String {
    if name != TestRecord::FILE {
        return change(text);
    }
    let mut fields = |line: &str| -> Vec<String> {
        let field = |(number, field): (usize, &str)| match TestRecord::is_number(number) {
            true => field.to_owned(),
            false => change(field),
        };
        line.split('\t').enumerate().map(field).collect()
    };
    text.split('\n').map(|line| fields(line).join("\t")).collect::<Vec<_>>().join("\n")
}

/// The files that become one.
struct Packer<'f> {
    folder: &'f Path,
    names: BTreeSet<String>,
}

impl Packer<'_> {
    fn path(&mut self, name: &str) -> PathBuf {
        self.names.insert(name.to_owned());
        self.folder.join(name)
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.path(name);
        if let Some(folder) = path.parent() {
            private::create_dir_all(folder).map_err(Error::io(folder))?;
        }
        private::write(&path, bytes).map_err(Error::io(path))
    }

    fn compressed(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let bytes = zstd::bulk::compress(bytes, 3).map_err(Error::io(self.folder.join(name)))?;
        self.put(name, &bytes)
    }

    fn pack(&self, file: File) -> Result<u64, Error> {
        let io = |error| Error::io(self.folder)(error);
        let mut writer = ExportWriter::new(BufWriter::new(file)).map_err(io)?;
        for name in &self.names {
            let path = self.folder.join(name);
            let mut from = File::open(&path).map_err(Error::io(&path))?;
            let length = from.metadata().map_err(Error::io(&path))?.len();
            writer.add(name, length, &mut from).map_err(io)?;
        }
        let file = writer.finish().map_err(io)?.into_inner().map_err(|error| io(error.into_error()))?;
        file.sync_all().map_err(io)?;
        Ok(file.metadata().map_err(io)?.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_test_is_no_number_of_a_card() {
        let card = "4111111111111111";
        let line = format!("7\t0\t1\tfailed\t/p/{card}.js\t4\t1\t1\t3\t{card}\t12\t7\tpaid with {card}\t\t\t{card}\n");
        let without = in_words(TestRecord::FILE, &line, &mut |words| words.replace(card, "…"));
        assert_eq!(without, format!("7\t0\t1\tfailed\t/p/….js\t4\t1\t1\t3\t{card}\t12\t7\tpaid with …\t\t\t…\n"));
    }
}
