//! Expressions in the words of the person, where code is run that was compiled. A compiler has names of its own for what a file imports
//! (`__vite_ssr_import_0__.default`, `(0, _offers.discount)`, `offers_1.discount`): its source map tells what stood there.

use std::borrow::Cow;

use trace_model::{ExprId, Key, Node, Position, Span};

use crate::Code;

impl<'a> Code<'a> {
    /// An expression as the person wrote it; empty where a compiler put it and nothing stood there.
    pub fn words(&self, id: ExprId) -> Cow<'a, str> {
        let text = self.text(id);
        let span = self.expression(id).span;
        let place = self.unit.original_place(span.start);
        let written = place.and_then(|place| place.source).or_else(|| self.unit.original_sources().next());
        let Some(written) = written.filter(|written| self.has_name_of_compiler(text, written)) else {
            return text.into();
        };
        let words = self.with_names_of_source(span, written);
        match self.has_name_of_compiler(&words, written) {
            // What a compiler wraps a whole file in stood nowhere.
            true if matches!(self.expression(id).node, Node::Function(_)) => "".into(),
            true => self.original_at(span.start).map_or("", first_part).into(),
            false => words.into(),
        }
    }

    /// The text of a part of the code, with the names of the source for those of the compiler.
    fn with_names_of_source(&self, whole: Span, written: &str) -> String {
        let mut names: Vec<(Span, &str)> = Vec::new();
        for (number, expression) in (0..).zip(&self.facts.expressions) {
            let is_inside = whole.start <= expression.span.start && expression.span.end <= whole.end;
            if is_inside
                && matches!(expression.node, Node::Variable(_))
                && self.has_name_of_compiler(self.text(ExprId(number)), written)
            {
                names.extend(self.name_of_source(ExprId(number), whole));
            }
        }
        names.sort_by_key(|(span, _)| span.start);
        let Some(source) = self.source() else { return String::new() };
        let (mut words, mut from) = (String::new(), whole.start as usize);
        for (span, name) in names {
            words.push_str(source.get(from..span.start as usize).unwrap_or_default());
            words.push_str(name);
            from = from.max(span.end as usize);
        }
        words + source.get(from..whole.end as usize).unwrap_or_default()
    }

    /// What stood where a variable of the compiler stands, and how much of the code it stands for: `rates` for `offers_1.rates`.
    fn name_of_source(&self, variable: ExprId, whole: Span) -> Option<(Span, &'a str)> {
        let own = self.expression(variable).span;
        let original = self.original_at(own.start)?;
        let name = &original[..original.find(|c| !is_part_of_name(c)).unwrap_or(original.len())];
        let behind = &original[name.len()..];
        // A word that another one follows is part of a statement, and no name.
        let is_followed =
            behind.trim_start().starts_with(|c: char| is_part_of_name(c) || matches!(c, '{' | '*' | '"' | '\''));
        if name.is_empty() || behind.starts_with(' ') && is_followed {
            return None;
        }
        let part_of_it = |(number, expression): (u32, &trace_model::Expression)| match &expression.node {
            Node::Member { object, key: Key::Name(key), .. } if *object == variable => {
                Some((ExprId(number), key.clone(), expression.span))
            }
            _ => None,
        };
        let member = (0..).zip(&self.facts.expressions).find_map(part_of_it);
        let Some((member, key, span)) = member.filter(|(_, _, span)| span.end <= whole.end) else {
            return Some((own, name));
        };
        // `import * as all`: the source names the part as well.
        if behind.trim_start().trim_start_matches(['?', '.']).starts_with(key.as_str()) && !behind.starts_with(' ') {
            return Some((own, name));
        }
        Some((self.alone(member, span, whole), name))
    }

    /// With what a compiler puts around a function so that it is called without an object: `(0, offers_1.discount)`.
    fn alone(&self, member: ExprId, span: Span, whole: Span) -> Span {
        let is_around = |node: &Node| matches!(node, Node::Sequence(parts) if parts.last() == Some(&member));
        let Some(around) = self.facts.expressions.iter().find(|expression| is_around(&expression.node)) else {
            return span;
        };
        let inner = around.span;
        let text = |from: u32, to: u32| self.source().and_then(|source| source.get(from as usize..to as usize));
        let is_in_brackets = inner.start > whole.start
            && inner.end < whole.end
            && text(inner.start - 1, inner.start) == Some("(")
            && text(inner.end, inner.end + 1) == Some(")");
        let outer = match is_in_brackets {
            true => Span { start: inner.start - 1, end: inner.end + 1 },
            false => inner,
        };
        if whole.start <= outer.start && outer.end <= whole.end { outer } else { span }
    }

    /// What the person wrote from where some code came from.
    fn original_at(&self, offset: u32) -> Option<&'a str> {
        let place = self.unit.original_place(offset)?;
        let source = place.source?;
        source.get(offset_of(source, place.position)?..)
    }

    /// Whether a text has a variable of the code that the source does not name.
    fn has_name_of_compiler(&self, text: &str, written: &str) -> bool {
        let names = text.split(|c| !is_part_of_name(c)).filter(|name| !name.is_empty() && !has_word(written, name));
        let Ok(code) = self.unit.code() else { return false };
        let mut unknown = names.peekable();
        unknown.peek().is_some()
            && unknown.any(|name| code.sites.variables.iter().any(|known| code.sites.name(known.name) == name))
    }
}

fn offset_of(source: &str, position: Position) -> Option<usize> {
    let before = position.line as usize - 1;
    let mut offset: usize = source.split_inclusive('\n').take(before).map(str::len).sum();
    let mut left = position.column as usize - 1;
    for c in source.get(offset..)?.chars() {
        if left == 0 {
            break;
        }
        left = left.saturating_sub(c.len_utf16());
        offset += c.len_utf8();
    }
    Some(offset)
}

/// The text up to where what begins there ends: at a comma, a semicolon or a line end that is not inside of brackets.
fn first_part(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return text[..at].trim_end(),
            ')' | ']' | '}' => depth -= 1,
            ',' | ';' | '\n' if depth == 0 => return text[..at].trim_end(),
            _ => {}
        }
    }
    text.trim_end()
}

fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + word.len()..].chars().next();
        !before.is_some_and(is_part_of_name) && !behind.is_some_and(is_part_of_name)
    })
}

fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_text() {
        let text = "import rateOf, { rates as all } from './rates.js';\n";
        assert!(has_word(text, "rateOf") && has_word(text, "all") && !has_word(text, "rate"));
        assert_eq!(first_part("f(a, [b]), c"), "f(a, [b])");
        assert_eq!(first_part(text), "import rateOf");
        assert_eq!(offset_of("a\n😀b", Position { line: 2, column: 3 }), Some(6));
    }
}
