//! Insertions into a text, and the way back from the new text to the old one.

use trace_model::Position;

/// Text to be put before the byte `at` of the source. Insertions at one place keep the order in which they were made:
/// what opens outermost is made first, what closes innermost is made first.
struct Edit {
    at: u32,
    text: String,
    back: u32,
}

/// An insertion whose text is decided later, when what it surrounds has been walked.
#[derive(Clone, Copy)]
pub struct Slot(usize);

#[derive(Default)]
pub struct Edits {
    edits: Vec<Edit>,
    n_changes: usize,
}

/// Seven hexadecimal digits in the new text that stand for a site number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberAt(pub u32);

/// Stands before the seven digits of a site number in an insertion; not in the new text.
const NUMBER: char = '\u{1}';

/// How a site number is written into an insertion, before its place in the new text is known.
pub fn number_text(site: u32) -> String {
    format!("{NUMBER}{site:07x}")
}

impl Edits {
    pub fn insert(&mut self, at: u32, text: impl Into<String>) {
        self.insert_shown(at, text, 0);
    }

    /// What the engine reports of the text is reported so many UTF-16 units before it.
    pub fn insert_shown(&mut self, at: u32, text: impl Into<String>, back: u32) {
        let text = text.into();
        self.n_changes += usize::from(!text.is_empty());
        self.edits.push(Edit { at, text, back });
    }

    pub fn reserve(&mut self, at: u32) -> Slot {
        self.insert(at, String::new());
        Slot(self.edits.len() - 1)
    }

    pub fn fill(&mut self, slot: Slot, text: String) {
        self.n_changes += usize::from(!text.is_empty());
        self.edits[slot.0].text = text;
    }

    /// How many insertions there are that are not empty.
    pub fn n_changes(&self) -> usize {
        self.n_changes
    }

    /// The new text, with the lengths that the marked texts have in it.
    pub fn apply(self, source: &str, marked: &[MarkedText]) -> Applied {
        let mut order: Vec<usize> = (0..self.edits.len()).collect();
        order.sort_by_key(|&i| self.edits[i].at);

        let inserted: usize = self.edits.iter().map(|edit| edit.text.len()).sum();
        let mut code = String::with_capacity(source.len() + inserted);
        let mut numbers = Vec::new();
        let mut insertions = Vec::with_capacity(order.len());
        let mut after_edit = vec![0u32; self.edits.len()];
        let mut copied = 0usize;
        for i in order {
            let edit = &self.edits[i];
            code.push_str(&source[copied..edit.at as usize]);
            copied = edit.at as usize;
            after_edit[i] = code.len() as u32;
            if edit.text.is_empty() {
                continue;
            }
            let start = code.len();
            let needs_space = starts_word(&edit.text) && code.chars().next_back().is_some_and(is_word);
            if needs_space {
                code.push(' ');
            }
            for (n, part) in edit.text.split(NUMBER).enumerate() {
                if n > 0 {
                    numbers.push(NumberAt(code.len() as u32));
                }
                code.push_str(part);
            }
            let units = code[start..].chars().map(|c| c.len_utf16() as u32).sum();
            insertions.push(Insertion { at: edit.at, bytes: (code.len() - start) as u32, units, back: edit.back });
            after_edit[i] = code.len() as u32;
        }
        code.push_str(&source[copied..]);

        let bytes_up_to: Vec<u32> = insertions
            .iter()
            .scan(0, |sum, insertion| {
                *sum += insertion.bytes;
                Some(*sum)
            })
            .collect();
        let lengths = marked
            .iter()
            .map(|text| {
                let start = new_offset(&insertions, &bytes_up_to, text.start);
                let end = match text.last_insertion {
                    Some(slot) => after_edit[slot.0],
                    None => new_offset(&insertions, &bytes_up_to, text.end - 1) + 1,
                };
                utf16_len(&code[start as usize..end as usize])
            })
            .collect();
        Applied { code, numbers, insertions, lengths }
    }
}

/// A stretch of the source whose new text carries a mark. `last_insertion` is the one at its very end that belongs to it.
pub struct MarkedText {
    pub start: u32,
    pub end: u32,
    pub last_insertion: Option<Slot>,
}

pub struct Applied {
    pub code: String,
    pub numbers: Vec<NumberAt>,
    pub insertions: Vec<Insertion>,
    /// UTF-16 lengths of the marked texts.
    pub lengths: Vec<u32>,
}

/// What was put before byte `at` of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Insertion {
    pub at: u32,
    pub bytes: u32,
    /// Length in UTF-16 units.
    pub units: u32,
    /// How many units before `at` the engine would have reported what it reports inside.
    pub back: u32,
}

/// Where the byte `at` of the source went, given how many bytes all insertions up to each one hold.
fn new_offset(insertions: &[Insertion], bytes_up_to: &[u32], at: u32) -> u32 {
    let n = insertions.partition_point(|insertion| insertion.at <= at);
    at + if n == 0 { 0 } else { bytes_up_to[n - 1] }
}

/// Where a position of the new text was in the source. Insertions hold no line breaks, so lines stay.
pub fn original_position(source: &str, insertions: &[Insertion], at: Position) -> Position {
    let Some(line_start) = line_start(source, at.line) else { return at };
    let mut wanted = at.column.saturating_sub(1);
    let mut from = line_start;
    let mut column = 0;
    let first = insertions.partition_point(|insertion| (insertion.at as usize) < line_start);
    for insertion in &insertions[first..] {
        let text = &source[from..insertion.at as usize];
        if text.contains(is_line_end) {
            break;
        }
        let units = utf16_len(text);
        if wanted < units {
            break;
        }
        wanted -= units;
        column += units;
        from = insertion.at as usize;
        if wanted < insertion.units {
            return Position { line: at.line, column: column + 1 - insertion.back.min(column) };
        }
        wanted -= insertion.units;
    }
    Position { line: at.line, column: column + wanted + 1 }
}

/// Byte offset of a position; `None` if its line is not that long.
pub fn offset_of(text: &str, at: Position) -> Option<u32> {
    let start = line_start(text, at.line)?;
    let mut units = at.column.checked_sub(1)?;
    for (offset, c) in text[start..].char_indices() {
        if units == 0 {
            return u32::try_from(start + offset).ok();
        }
        units = units.checked_sub(c.len_utf16() as u32).filter(|_| !is_line_end(c))?;
    }
    (units == 0).then_some(text.len() as u32)
}

/// Byte offset of a line, counted from 1, with the line ends of JavaScript.
fn line_start(source: &str, line: u32) -> Option<usize> {
    let mut current = 1;
    if line <= 1 {
        return Some(0);
    }
    let mut chars = source.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        if !is_line_end(c) {
            continue;
        }
        let mut end = i + c.len_utf8();
        if c == '\r' && chars.peek().is_some_and(|&(_, next)| next == '\n') {
            chars.next();
            end += 1;
        }
        current += 1;
        if current == line {
            return Some(end);
        }
    }
    None
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

fn starts_word(text: &str) -> bool {
    text.chars().next().is_some_and(is_word)
}

/// Whether two such characters side by side would be read as one token.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '$' || c == '_' || c == '\u{200c}' || c == '\u{200d}' || c == '\\' || !c.is_ascii()
}

pub fn utf16_len(text: &str) -> u32 {
    if text.is_ascii() { text.len() as u32 } else { text.chars().map(|c| c.len_utf16() as u32).sum() }
}
