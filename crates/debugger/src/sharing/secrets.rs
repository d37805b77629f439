//! The values that are taken out, wherever they stand.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use aho_corasick::{AhoCorasick, MatchKind};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use trace_model::redaction_mark;

use super::kept::KeptValues;
use super::rules::{Rules, Secrecy, looks_secret};
use super::shapes::{KINDS, is_about, literals, named_parts};
use super::shortened::shortened;
use crate::Error;

/// Values are collected first, and then taken out of every text.
pub(super) struct Secrets {
    pub rules: Rc<Rules>,
    /// What the program itself calls things: taken out everywhere, such a word would take the program's names with it.
    words: HashSet<String>,
    found: BTreeMap<String, Why>,
    /// Values that are taken out only where they stand under their name.
    only_named: BTreeMap<String, Why>,
    /// All that is searched for, and the value that each form is of.
    matcher: Option<(AhoCorasick, Vec<String>)>,
    /// What is searched for in parts, where a text was shortened, and the value that each is of.
    in_parts: (Vec<String>, Vec<String>),
    report: RefCell<Report>,
    kept: RefCell<KeptValues>,
}

/// Which rule it was, and the name that the value stood under.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Why {
    pub rule: String,
    pub name: Option<String>,
}

#[derive(Default)]
struct Report {
    numbers: HashMap<String, u32>,
    taken: BTreeMap<Why, (BTreeSet<u32>, u64)>,
}

/// What a text is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TextOf {
    /// What the program held, read or printed.
    Program,
    Source,
}

/// How long a mark is.
#[derive(Clone, Copy)]
pub(super) enum Size {
    /// As many bytes as what it stands for.
    Bytes,
    /// As many UTF-16 units.
    Units,
}

impl Size {
    fn of(self, text: &str) -> usize {
        match self {
            Size::Bytes => text.len(),
            Size::Units => text.encode_utf16().count(),
        }
    }
}

impl Secrets {
    pub fn new(rules: Rules, words: HashSet<String>) -> Secrets {
        Secrets {
            rules: rules.into(),
            words,
            found: BTreeMap::new(),
            only_named: BTreeMap::new(),
            matcher: None,
            in_parts: Default::default(),
            report: RefCell::default(),
            kept: RefCell::default(),
        }
    }

    /// Keeps a value that stood under a name.
    pub fn add_named(&mut self, value: &str, name: &str, secrecy: &Secrecy) {
        let rule = match secrecy {
            Secrecy::IfItLooksSo(_) if !looks_secret(value) => return self.kept.get_mut().add_named(value, name),
            Secrecy::Always(rule) | Secrecy::IfItLooksSo(rule) => rule.clone(),
        };
        let why = Why { rule, name: Some(name.to_owned()) };
        if value.is_empty() || is_about(value, name) {
            return;
        }
        if !self.keep(value, &why) {
            self.kept.get_mut().add_named(value, name);
            self.only_named.entry(value.to_owned()).or_insert(why);
        }
    }

    /// Keeps a value, and what it is decoded.
    fn keep(&mut self, value: &str, why: &Why) -> bool {
        for form in decoded(value) {
            if self.is_distinct(&form) {
                self.found.entry(form).or_insert_with(|| why.clone());
            }
        }
        let is_distinct = self.is_distinct(value);
        if is_distinct {
            self.found.entry(value.to_owned()).or_insert_with(|| why.clone());
        }
        is_distinct
    }

    /// Keeps what patterns, and names inside of it, say of a text.
    pub fn add_of_text(&mut self, text: &str, of: TextOf) {
        for (part, why) in self.parts_by_rules(text, of) {
            self.keep(&text[part], &why);
        }
    }

    /// Everything was seen: from now on it can be taken out.
    pub fn prepare(&mut self) -> Result<(), Error> {
        self.prepare_also(&str::to_owned)
    }

    /// The same for texts in which values are written in this way, too.
    pub fn prepare_also(&mut self, written: &dyn Fn(&str) -> String) -> Result<(), Error> {
        let mut forms: Vec<String> = Vec::new();
        let mut of: Vec<String> = Vec::new();
        for value in self.found.keys() {
            for form in BTreeSet::from([value.clone(), written(value)]) {
                self.in_parts.0.push(form);
                self.in_parts.1.push(value.clone());
            }
            for form in forms_of(value).into_iter().chain([written(value)]) {
                forms.push(form);
                of.push(value.clone());
            }
        }
        let built = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&forms);
        let built = built.map_err(|error| Error::Usage(format!("there is too much to remove: {error}")))?;
        self.matcher = Some((built, of));
        Ok(())
    }

    /// Whether a value is taken out of every text, and not only where it stands under its name.
    pub fn is_everywhere(&self, value: &str) -> bool {
        self.found.contains_key(value)
    }

    /// Whether bytes hold one of the values.
    pub fn in_bytes(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let Some((matcher, of)) = &self.matcher else { return Vec::new() };
        let found = matcher.find_iter(bytes).inspect(|found| self.count(&of[found.pattern().as_usize()]));
        found.map(|found| found.range()).collect()
    }

    /// A text without them.
    pub fn taken_out<'t>(&self, text: &'t str, size: Size) -> Cow<'t, str> {
        self.taken_out_of(text, TextOf::Program, size)
    }

    /// The same of a source, whose names have to stay what they are.
    pub fn taken_out_of<'t>(&self, text: &'t str, of: TextOf, size: Size) -> Cow<'t, str> {
        let mut parts: Vec<Range<usize>> = Vec::new();
        let code = if of == TextOf::Source { code_parts(text) } else { Vec::new() };
        if let Some((matcher, values)) = &self.matcher {
            for found in matcher.find_iter(text) {
                if !is_part_of_name(text, &found.range(), &code) {
                    self.count(&values[found.pattern().as_usize()]);
                    parts.push(found.range());
                }
            }
        }
        if of == TextOf::Program {
            for (part, number) in shortened(text, &self.in_parts.0) {
                self.count(&self.in_parts.1[number]);
                parts.push(part);
            }
        }
        for (part, why) in self.parts_by_rules(text, of) {
            let is_known = parts.iter().any(|known| known.start <= part.start && part.end <= known.end);
            if !is_known {
                self.count_as(&text[part.clone()], why);
                parts.push(part);
            }
        }
        if parts.is_empty() {
            return text.into();
        }
        let mut done = String::with_capacity(text.len());
        let mut at = 0;
        for part in merged(parts) {
            done.push_str(&text[at..part.start]);
            // Outside of texts and comments a number stands there: a name is no number, and anything else no code.
            let is_code = code.iter().any(|code| code.start < part.end && part.start < code.end);
            // Lines stay: everything is known by them.
            for line in text[part.clone()].split_inclusive(['\n', '\r']) {
                let secret = line.trim_end_matches(['\n', '\r']);
                if is_code {
                    done.push_str(&"_".repeat(size.of(secret)));
                } else if !secret.is_empty() {
                    done.push_str(&self.mark(secret, size));
                }
                done.push_str(&line[secret.len()..]);
            }
            at = part.end;
        }
        done.push_str(&text[at..]);
        done.into()
    }

    /// The mark of a value that stands alone.
    pub fn mark(&self, value: &str, size: Size) -> String {
        let mut report = self.report.borrow_mut();
        let next = report.numbers.len() as u32;
        let number = *report.numbers.entry(value.to_owned()).or_insert(next);
        redaction_mark(number, size.of(value))
    }

    /// Counts a value that is taken out where it stands under its name.
    pub fn count_named(&self, value: &str, name: &str, secrecy: &Secrecy) {
        let (Secrecy::Always(rule) | Secrecy::IfItLooksSo(rule)) = secrecy;
        self.count_as(value, Why { rule: rule.clone(), name: Some(name.to_owned()) });
    }

    fn count(&self, value: &str) {
        if let Some(why) = self.found.get(value) {
            self.count_as(value, why.clone());
        }
    }

    fn count_as(&self, value: &str, why: Why) {
        let mut report = self.report.borrow_mut();
        let next = report.numbers.len() as u32;
        let number = *report.numbers.entry(value.to_owned()).or_insert(next);
        let (values, n_places) = report.taken.entry(why).or_default();
        values.insert(number);
        *n_places += 1;
    }

    pub fn taken(&self) -> Vec<super::Redacted> {
        let report = self.report.borrow();
        let taken = report.taken.iter().map(|(why, (values, n_places))| super::Redacted {
            rule: why.rule.clone(),
            name: why.name.clone(),
            n_values: values.len(),
            n_places: *n_places,
        });
        taken.collect()
    }

    /// Sees what is written: what of it nobody would type may still be a secret.
    pub fn keeps(&self, text: &str) {
        self.kept.borrow_mut().see(text);
    }

    pub fn kept(&self) -> Vec<super::Kept> {
        self.kept.borrow().list()
    }

    /// The names whose values are also words of the program.
    pub fn only_named(&self) -> BTreeSet<String> {
        self.only_named.values().filter_map(|why| why.name.clone()).collect()
    }

    fn parts_by_rules(&self, text: &str, of: TextOf) -> Vec<(Range<usize>, Why)> {
        let mut parts = Vec::new();
        for pattern in &self.rules.patterns {
            let why = || Why { rule: pattern.label.clone(), name: None };
            parts.extend(pattern.find(text).map(|part| (part, why())));
        }
        parts.extend(named_parts(text, of, &self.rules));
        parts
    }

    /// Whether a value can be told from other text: it is not too short, and no word of the program.
    fn is_distinct(&self, value: &str) -> bool {
        let is_number = value.bytes().all(|c| c.is_ascii_digit());
        let shortest = if is_number { SHORTEST_NUMBER } else { SHORTEST_TEXT };
        value.chars().count() >= shortest && !self.words.contains(value) && !KINDS.contains(&value)
    }
}

const SHORTEST_TEXT: usize = 4;
const SHORTEST_NUMBER: usize = 6;

/// The parts of a source that are neither texts nor comments.
fn code_parts(source: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut at = 0;
    for text in literals(source) {
        parts.push(at..text.start);
        at = text.end;
    }
    parts.push(at..source.len());
    parts
}

/// Whether what was found in code is a part of a name there, which means something else.
fn is_part_of_name(source: &str, found: &Range<usize>, code: &[Range<usize>]) -> bool {
    let is_in_code = code.iter().any(|part| part.start < found.end && found.start < part.end);
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    is_in_code
        && (source[..found.start].ends_with(goes_on)
            || source[found.end..].starts_with(goes_on)
            || source[found.clone()].starts_with(|c: char| c.is_alphabetic()))
}

/// A value as it stands in texts: plain, escaped, encoded.
fn forms_of(value: &str) -> BTreeSet<String> {
    let mut forms = BTreeSet::from([value.to_owned()]);
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        '\n' => "\\n".into(),
        '\r' => "\\r".into(),
        '\t' => "\\t".into(),
        c => c.to_string(),
    };
    forms.insert(value.chars().map(escape).collect());
    forms.insert(value.replace('\'', "\\'"));
    for escaped in [OF_COMPONENT, OF_URI] {
        let encoded = utf8_percent_encode(value, escaped).to_string();
        forms.insert(encoded.replace("%20", "+"));
        forms.insert(encoded);
    }
    if value.len() >= SHORTEST_ENCODED {
        forms.insert(value.bytes().map(|byte| format!("{byte:02x}")).collect());
        forms.insert(value.bytes().map(|byte| format!("{byte:02X}")).collect());
        for n_before in 0..3 {
            let inner = base64_inner(value.as_bytes(), n_before);
            forms.insert(inner.replace('+', "-").replace('/', "_"));
            forms.insert(inner);
        }
    }
    forms.retain(|form| !form.is_empty());
    forms
}

const SHORTEST_ENCODED: usize = 6;

/// What `encodeURIComponent` escapes, and what `encodeURI` does.
const OF_COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');
const OF_URI: &AsciiSet = &OF_COMPONENT
    .remove(b';')
    .remove(b',')
    .remove(b'/')
    .remove(b'?')
    .remove(b':')
    .remove(b'@')
    .remove(b'&')
    .remove(b'=')
    .remove(b'+')
    .remove(b'$')
    .remove(b'#');

/// What an encoded value says: that of an address, and the password of an authorization.
fn decoded(value: &str) -> Vec<String> {
    let mut forms = Vec::new();
    if value.contains('%') {
        forms.extend(percent_decode_str(value).decode_utf8().ok().map(|text| text.into_owned()));
    }
    let basic = value.strip_prefix("Basic ").or_else(|| value.strip_prefix("basic ")).unwrap_or(value);
    if let Some((_, password)) = from_base64(basic).as_deref().and_then(|text| text.split_once(':')) {
        forms.push(password.to_owned());
    }
    forms
}

fn from_base64(text: &str) -> Option<String> {
    let (mut bits, mut n_bits, mut bytes) = (0u32, 0, Vec::new());
    for letter in text.trim_end_matches('=').bytes() {
        let digit = LETTERS.iter().position(|known| *known == letter)?;
        bits = bits << 6 | digit as u32;
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits) as u8);
        }
    }
    String::from_utf8(bytes).ok()
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The letters of an encoded text that this part alone decides, if so many bytes stand before it.
fn base64_inner(bytes: &[u8], n_before: usize) -> String {
    let bit = |i: usize| {
        let i = i - n_before * 8;
        usize::from(bytes[i / 8] >> (7 - i % 8) & 1)
    };
    let (first, end) = ((n_before * 8).div_ceil(6), (n_before + bytes.len()) * 8 / 6);
    let letter = |n: usize| char::from(LETTERS[(n * 6..n * 6 + 6).fold(0, |letter, i| letter << 1 | bit(i))]);
    (first..end).map(letter).collect()
}

fn merged(mut parts: Vec<Range<usize>>) -> Vec<Range<usize>> {
    parts.sort_by_key(|part| (part.start, part.end));
    let mut merged: Vec<Range<usize>> = Vec::new();
    for part in parts {
        match merged.last_mut() {
            Some(last) if part.start < last.end => last.end = last.end.max(part.end),
            _ => merged.push(part),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::super::rules::RedactRequest;
    use super::*;
    use trace_model::with_redactions_shown;

    fn secrets(named: &[(&str, &str)]) -> Secrets {
        let rules = Rules::new(&RedactRequest::default()).unwrap();
        let mut secrets = Secrets::new(rules, HashSet::from(["admin".to_owned()]));
        for (name, value) in named {
            let secrecy = secrets.rules.secrecy(name).unwrap();
            secrets.add_named(value, name, &secrecy);
        }
        secrets.prepare().unwrap();
        secrets
    }

    fn shown(secrets: &Secrets, text: &str) -> String {
        let taken_out = secrets.taken_out(text, Size::Bytes);
        assert_eq!(taken_out.len(), text.len());
        with_redactions_shown(&taken_out).into_owned()
    }

    #[test]
    fn a_value_is_taken_out_in_every_form() {
        let secrets = secrets(&[("password", "hunter2 & \"co\""), ("secret", "swordfish")]);
        assert_eq!(shown(&secrets, "it is hunter2 & \"co\"!"), "it is ‹redacted›!");
        assert_eq!(shown(&secrets, r#"{"a":"hunter2 & \"co\""}"#), r#"{"a":"‹redacted›"}"#);
        assert_eq!(shown(&secrets, "?q=hunter2%20%26%20%22co%22&x"), "?q=‹redacted›&x");
        assert_eq!(
            shown(&secrets, "c3dvcmRmaXNo, dTpzd29yZGZpc2g=, 73776f726466697368"),
            "‹redacted›, dTp‹redacted›g=, ‹redacted›"
        );
    }

    #[test]
    fn words_of_the_program_stay() {
        let secrets = secrets(&[("password", "admin"), ("password", "Password"), ("password", "ab")]);
        assert_eq!(shown(&secrets, "admin Password ab"), "admin Password ab");
        assert_eq!(shown(&secrets, "password=admin&user=admin"), "password=‹redacted›&user=admin");
    }

    #[test]
    fn names_inside_of_texts_count() {
        let secrets = secrets(&[]);
        assert_eq!(shown(&secrets, "const apiKey = 'abc-123';"), "const apiKey = '‹redacted›';");
        assert_eq!(shown(&secrets, r#"{\"password\":\"x y\"}"#), r#"{\"password\":\"‹redacted›\"}"#);
        let code = "password: string; this.password=getPassword(); f(`password=${password}`); x = 'password=abc123'";
        let without = secrets.taken_out_of(code, TextOf::Source, Size::Bytes);
        assert_eq!(without.len(), code.len());
        let expected =
            "password: string; this.password=getPassword(); f(`password=${password}`); x = 'password=‹redacted›'";
        assert_eq!(with_redactions_shown(&without), expected);
        assert_eq!(shown(&secrets, "Server=x;Password=p@ss;Port=1"), "Server=x;Password=‹redacted›;Port=1");
    }
}
