//! How many words the events of each site take. Who takes words away while a program runs needs to know no more, and every event asks.

use super::{Counts, DecodeError, SiteShape, raw_record, record, site_length, tag};
use trace_model::{SiteId, SiteKind, Tail};

/// By site number.
#[derive(Clone, Default)]
pub struct SiteLengths {
    sites: Vec<Length>,
}

/// Of a site whose events have none, or one word behind the value: what there is of it. Of others the shape.
#[derive(Clone, Copy)]
enum Length {
    Unknown,
    Fixed { n_tail: u8, is_entry: bool },
    Other(SiteShape),
}

impl SiteLengths {
    /// Takes in the sites of a code, from the first number of it.
    pub fn add(&mut self, base: SiteId, shapes: impl ExactSizeIterator<Item = SiteShape>) {
        let base = base.0 as usize;
        let end = base + shapes.len();
        if self.sites.len() < end {
            self.sites.resize(end, Length::Unknown);
        }
        for (known, shape) in self.sites[base..end].iter_mut().zip(shapes) {
            let is_entry = matches!(shape.kind, SiteKind::Enter | SiteKind::Scope);
            *known = match shape.kind.tail() {
                Tail::None => Length::Fixed { n_tail: 0, is_entry },
                Tail::ParentScope | Tail::Frame | Tail::Object => Length::Fixed { n_tail: 1, is_entry },
                Tail::ObjectAndKey | Tail::Keys | Tail::Elements => Length::Other(shape),
            };
        }
    }

    /// As [`crate::skip`].
    #[inline]
    pub fn skip(&self, words: &[u32], counts: &mut Counts) -> Result<Option<usize>, DecodeError> {
        let Some(&header) = words.first().filter(|header| **header != 0) else { return Ok(None) };
        if header & 15 == tag::RECORD {
            return skip_record(words, counts).map(Some);
        }
        let length = match self.sites.get((header >> 4) as usize) {
            Some(Length::Fixed { n_tail, is_entry }) => {
                counts.frames += u32::from(*is_entry);
                1 + tag::PAYLOAD[(header & 15) as usize] + usize::from(*n_tail)
            }
            Some(Length::Other(shape)) => site_length(words, *shape)?,
            Some(Length::Unknown) | None => return Err(DecodeError::UnknownSite(SiteId(header >> 4))),
        };
        if length > words.len() {
            return Err(DecodeError::Torn);
        }
        counts.events += 1;
        Ok(Some(length))
    }
}

fn skip_record(words: &[u32], counts: &mut Counts) -> Result<usize, DecodeError> {
    let (_, length) = raw_record(words)?;
    counts.events += 1;
    match words[0] >> 4 & 0xFF {
        record::LATIN1 | record::UTF16 => counts.strings += 1,
        record::SYMBOL => counts.symbols += 1,
        _ => {}
    }
    Ok(length)
}
