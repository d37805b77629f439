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

    /// What begins in a piece that a stretch of the source was lowered to is that stretch.
    pub fn span_to_source(&self, start: u32, end: u32) -> Span {
        let stands_for = self.last_piece(start).filter(|piece| start < piece.end).and_then(|piece| piece.stands_for);
        stands_for.unwrap_or_else(|| Span { start: self.to_source(start), end: self.to_source(end) })
    }

    fn last_piece(&self, at: u32) -> Option<Piece> {
        let behind = self.pieces.partition_point(|piece| piece.start <= at);
        behind.checked_sub(1).map(|last| self.pieces[last])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `ab` with `12` put before it, `345` between, standing for `ab`, and `6` behind: `12a345b6`.
    fn positions() -> Positions {
        let inserted = |at, text: &str, stands_for| Inserted { at, text: text.into(), stands_for };
        let whole = Some(oxc_span::Span::new(0, 2));
        Positions::new(&[inserted(0, "12", None), inserted(1, "345", whole), inserted(2, "6", None)])
    }

    #[test]
    fn places_go_back_to_the_source() {
        let places: Vec<u32> = (0..=8).map(|at| positions().to_source(at)).collect();
        assert_eq!(places, [0, 0, 0, 1, 1, 1, 1, 2, 2]);
    }

    #[test]
    fn what_begins_in_a_lowered_piece_is_what_it_stands_for() {
        let span = |start, end| {
            let span = positions().span_to_source(start, end);
            (span.start, span.end)
        };
        assert_eq!(span(0, 3), (0, 1), "from a piece that stands for nothing");
        assert_eq!(span(2, 6), (0, 1));
        assert_eq!(span(3, 4), (0, 2));
        assert_eq!(span(5, 7), (0, 2));
        assert_eq!(span(6, 7), (1, 2), "right behind it");
    }
}
