//! The names that V8 infers in an instrumented text, beside those that it would infer without us.

use std::iter::Peekable;
use std::slice::Iter;

use js_syntax::SourceKind;
use trace_model::{Function, FunctionKind, Position};

use super::{Rules, stack_names};
use crate::{Insertion, Instrumented, NotInstrumented, edits};

/// A function that has no name of its own, and that V8 calls otherwise than in the original.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renamed {
    /// A byte of the instrumented text, and of the original.
    pub start: u32,
    pub original: u32,
    /// What V8 calls it there, and in the original.
    pub here: String,
    pub plain: String,
}

impl Instrumented {
    /// The functions that have another name here than in the original, in the order of their beginnings.
    pub fn renamed(&self, source: &str, kind: SourceKind, rules: Rules) -> Result<Vec<Renamed>, NotInstrumented> {
        let plain = stack_names(source, kind, rules)?;
        let mut originals = Originals::new(&self.insertions);
        let renamed = stack_names(&self.code, kind, rules)?.into_iter().filter_map(|here| {
            let original = originals.of(here.start)?;
            let found = plain.binary_search_by_key(&original, |name| name.start).ok()?;
            let plain = &plain[found].name;
            (*plain != here.name).then(|| Renamed {
                start: here.start,
                original,
                here: here.name,
                plain: plain.clone(),
            })
        });
        Ok(renamed.collect())
    }

    /// That of the function for which V8 gives this place in the new text.
    pub fn renamed_at<'r>(&self, renamed: &'r [Renamed], at: Position) -> Option<&'r Renamed> {
        let start = edits::offset_of(&self.code, at)?;
        let found = renamed.binary_search_by_key(&start, |name| name.start).ok()?;
        Some(&renamed[found])
    }

    /// Where the function begins in the original that is executed at this place of the new text, if it has no name of its own.
    pub fn unnamed_around(&self, source: &str, at: Position) -> Option<u32> {
        let place = edits::offset_of(source, self.original_position(source, at))?;
        let around = self.sites.functions.iter().filter(|it| it.span.start <= place && place < it.span.end);
        let function = around.min_by_key(|it| it.span.end - it.span.start)?;
        let is_unnamed = function.kind != FunctionKind::Module && self.sites.name(function.name).is_empty();
        is_unnamed.then_some(function.span.start)
    }

    /// Whether the function for which V8 gives this place has a name of its own. A `false` says nothing.
    pub fn has_name_at(&self, at: Position) -> bool {
        let original = edits::offset_of(&self.code, at).and_then(|start| Originals::new(&self.insertions).of(start));
        let is_named = |function: &Function| !self.sites.name(function.name).is_empty();
        original.is_some_and(|start| self.sites.functions.iter().any(|it| it.span.start == start && is_named(it)))
    }
}

/// Where places of the new text are in the original. They are asked for in ascending order.
struct Originals<'i> {
    insertions: Peekable<Iter<'i, Insertion>>,
    inserted: u32,
}

impl<'i> Originals<'i> {
    fn new(insertions: &'i [Insertion]) -> Originals<'i> {
        Originals { insertions: insertions.iter().peekable(), inserted: 0 }
    }

    /// `None` inside of an insertion.
    fn of(&mut self, place: u32) -> Option<u32> {
        while let Some(insertion) = self.insertions.next_if(|next| next.at + self.inserted + next.bytes <= place) {
            self.inserted += insertion.bytes;
        }
        let is_ours = self.insertions.peek().is_some_and(|next| next.at + self.inserted < place);
        place.checked_sub(self.inserted).filter(|_| !is_ours)
    }
}
