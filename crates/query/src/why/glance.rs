//! What is told as one: code that can be seen at a glance. Where its lines are broken does not matter, so a program that is written on
//! one line has the same explanation as one that is not.

use trace_model::{Span, Statement};

use super::SourceAt;
use crate::{Code, Trace};

impl Trace<'_> {
    /// Where the piece of code begins that a position is told with: the statement that it is in, and those around that hold nothing
    /// else, while all of it can be seen at a glance. Of a longer statement each part is told by itself.
    pub(crate) fn told_with(&self, at: SourceAt) -> SourceAt {
        let offset = self.code(at.unit).and_then(|code| piece_at(&code, at.offset)).unwrap_or(at.offset);
        SourceAt { offset, ..at }
    }
}

fn piece_at(code: &Code, offset: u32) -> Option<u32> {
    let statements = &code.facts.statements;
    let holds = |statement: &&Statement| statement.span.start <= offset && offset < statement.span.end;
    let mut around: Vec<&Statement> = statements.iter().filter(holds).collect();
    around.sort_by_key(|statement| statement.span.end - statement.span.start);
    let innermost = *around.first()?;
    around.retain(|statement| statement.function == innermost.function);
    let own = Span { start: innermost.span.start, end: innermost.head_end.max(innermost.span.start) };
    if !is_short(code, own) {
        return Some(part_at(code, innermost, offset));
    }
    let mut piece = innermost;
    for wider in around.into_iter().skip(1) {
        if !is_short(code, wider.span) || !holds_nothing_else(code, wider) {
            break;
        }
        piece = wider;
    }
    Some(piece.span.start)
}

/// The widest part of a statement around a position that can be seen at a glance.
fn part_at(code: &Code, statement: &Statement, offset: u32) -> u32 {
    let inside = code.facts.expressions.iter().filter(|expression| {
        let span = expression.span;
        expression.function == statement.function
            && statement.span.start <= span.start
            && span.end <= statement.span.end
            && span.start <= offset
            && offset < span.end
    });
    let short = inside.map(|expression| expression.span).filter(|span| is_short(code, *span));
    short.max_by_key(|span| span.end - span.start).map_or(offset, |span| span.start)
}

/// Whether the statements inside a statement stand inside each other: `for (…) if (…) f();`.
fn holds_nothing_else(code: &Code, statement: &Statement) -> bool {
    let is_inside = |inner: &&Statement| {
        let (inner, outer) = (inner.span, statement.span);
        inner != outer && outer.start <= inner.start && inner.end <= outer.end
    };
    let inside = code.facts.statements.iter().filter(|inner| inner.function == statement.function).filter(is_inside);
    // Statements follow those that they are in.
    let mut end = statement.span.end;
    for inner in inside {
        if inner.span.start >= end || inner.span.end > end {
            return false;
        }
        end = inner.span.end;
    }
    true
}

/// Whether some code can be seen at a glance: line breaks and indents are no part of it.
fn is_short(code: &Code, span: Span) -> bool {
    let text = code.source().and_then(|source| source.get(span.start as usize..span.end as usize)).unwrap_or_default();
    let length: usize = text.split_whitespace().map(|word| word.chars().count() + 1).take(GLANCE + 1).sum();
    length <= GLANCE + 1
}

/// In characters.
const GLANCE: usize = 80;
