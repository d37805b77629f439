//! What becomes of the text: stretches that turn into spaces, and pieces put between characters. Neither moves a line.

use oxc_span::Span;

/// What was put before byte `at` of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inserted {
    pub at: u32,
    pub text: String,
    /// The stretch of the source that was lowered to this text; what the text does is reported there.
    pub stands_for: Option<Span>,
}

/// A text, and the stretch of the source that it was made of.
pub struct Lowered {
    pub text: String,
    pub span: Span,
}

#[derive(Default)]
pub struct Edits {
    /// Stretches to be overwritten; the flag puts a `;` first, where the next line could go on with the statement.
    blanks: Vec<(Span, bool)>,
    insertions: Vec<Inserted>,
}

/// A moment in the making of edits.
#[derive(Clone, Copy)]
pub struct Mark {
    n_blanks: usize,
    n_insertions: usize,
}

#[derive(Clone, Copy)]
pub struct Reserved(usize);

impl Edits {
    pub fn blank(&mut self, span: Span) {
        self.blanks.push((span, false));
    }

    pub fn blank_with_semicolon(&mut self, span: Span) {
        self.blanks.push((span, true));
    }

    /// Pieces at one place stand in the order in which they were put there.
    pub fn insert(&mut self, at: u32, text: impl Into<String>) {
        self.insertions.push(Inserted { at, text: text.into(), stands_for: None });
    }

    /// For a stretch of the source that stands elsewhere, or was blanked.
    pub fn insert_for(&mut self, at: u32, text: impl Into<String>, span: Span) {
        self.insertions.push(Inserted { at, text: text.into(), stands_for: Some(span) });
    }

    /// Before all that was put there.
    pub fn insert_first(&mut self, at: u32, text: &str) {
        match self.insertions.iter_mut().find(|inserted| inserted.at == at) {
            Some(first) => first.text.insert_str(0, text),
            None => self.insert(at, text),
        }
    }

    /// A place among the pieces, for one that is known later.
    pub fn reserve(&mut self, at: u32) -> Reserved {
        self.insert(at, "");
        Reserved(self.insertions.len() - 1)
    }

    pub fn fill(&mut self, place: Reserved, text: String) {
        self.insertions[place.0].text = text;
    }

    pub fn mark(&self) -> Mark {
        Mark { n_blanks: self.blanks.len(), n_insertions: self.insertions.len() }
    }

    /// What the edits since `mark` make of a stretch of the source; they are taken back.
    pub fn take_since(&mut self, mark: Mark, source: &str, span: Span) -> String {
        let mut taken = Edits {
            blanks: self.blanks.split_off(mark.n_blanks),
            insertions: self.insertions.split_off(mark.n_insertions),
        };
        taken.insertions.sort_by_key(|inserted| inserted.at);
        taken.text(source, span)
    }

    /// The new text, and what was inserted, in rising order.
    pub fn apply(mut self, source: &str) -> (String, Vec<Inserted>) {
        self.insertions.retain(|inserted| !inserted.text.is_empty());
        self.insertions.sort_by_key(|inserted| inserted.at);
        let code = self.text(source, Span::new(0, source.len() as u32));
        (code, self.insertions)
    }

    fn text(&self, source: &str, span: Span) -> String {
        let mut bytes = source.as_bytes().to_vec();
        for (span, _) in &self.blanks {
            let range = span.start as usize..span.end as usize;
            bytes[range.clone()].copy_from_slice(blanked(&source[range]).as_bytes());
        }
        for (span, _) in self.blanks.iter().filter(|(span, semicolon)| *semicolon && !span.is_empty()) {
            bytes[span.start as usize] = b';';
        }
        let blanked = String::from_utf8(bytes).expect("whole characters were overwritten");
        let mut text = String::with_capacity(span.size() as usize);
        let mut copied = span.start as usize;
        for inserted in &self.insertions {
            text.push_str(&blanked[copied..inserted.at as usize]);
            text.push_str(&inserted.text);
            copied = inserted.at as usize;
        }
        text.push_str(&blanked[copied..span.end as usize]);
        text
    }
}

/// Spaces that take as many bytes and as many UTF-16 units as the text; line breaks stay.
fn blanked(text: &str) -> String {
    let mut blank = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => blank.push(c),
            _ => blank.push_str(match c.len_utf8() {
                1 => " ",
                2 => "\u{a0}",
                3 => "\u{3000}",
                _ => "\u{a0}\u{a0}",
            }),
        }
    }
    blank
}
