//! From places in a text that was made by insertions back to the places in its source.

use trace_model::Span;

use crate::typescript::Inserted;

/// Where insertions ended up in the new text.
#[derive(Default)]
pub struct Positions {
    /// In rising order.
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy)]
struct Piece {
    start: u32,
    end: u32,
    source: u32,
    stands_for: Option<Span>,
}

impl Positions {
    /// From what was inserted, in rising order.
    pub fn new(insertions: &[Inserted]) -> Positions {
        let mut shift = 0;
        let pieces = insertions.iter().map(|inserted| {
            let start = inserted.at + shift;
            shift += inserted.text.len() as u32;
            let stands_for = inserted.stands_for.map(|span| Span { start: span.start, end: span.end });
            Piece { start, end: inserted.at + shift, source: inserted.at, stands_for }
        });
        Positions { pieces: pieces.collect() }
    }

    /// What was inserted is at the place where it was inserted.
    pub fn to_source(&self, at: u32) -> u32 {
        match self.last_piece(at) {
            None => at,
            Some(piece) if at < piece.end => piece.source,
            Some(piece) => piece.source + (at - piece.end),
        }
    }

    /// What begins in a piece that does something of the source is that.
    pub fn span_to_source(&self, start: u32, end: u32) -> Span {
        let stands_for = self.last_piece(start).filter(|piece| start < piece.end).and_then(|piece| piece.stands_for);
        stands_for.unwrap_or_else(|| Span { start: self.to_source(start), end: self.to_source(end) })
    }

    fn last_piece(&self, at: u32) -> Option<Piece> {
        let behind = self.pieces.partition_point(|piece| piece.start <= at);
        behind.checked_sub(1).map(|last| self.pieces[last])
    }
}
