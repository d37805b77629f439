//! How many words the events of each site take. Who takes words away while a program runs needs to know no more, and every event asks.

use super::{Counts, DecodeError, SiteShape, raw_record, record, site_length, tag};
use trace_model::{SiteId, SiteKind, Tail};

/// By site number.
#[derive(Clone, Default)]
pub struct SiteLengths {
    /// What nearly every event needs, in one byte: see below.
    codes: Vec<u8>,
    shapes: Vec<SiteShape>,
}

/// The code of a site: 0 where it is not known; else this, and
const KNOWN: u8 = 1;
/// how many words there are behind the value, 0 or 1,
const HAS_TAIL: u8 = 2;
/// whether its events take the number of a frame or scope,
const IS_ENTRY: u8 = 4;
/// or that only its shape tells its length.
const BY_SHAPE: u8 = 8;

impl SiteLengths {
    /// Takes in the sites of a code, from the first number of it.
    pub fn add(&mut self, base: SiteId, shapes: impl ExactSizeIterator<Item = SiteShape>) {
        let base = base.0 as usize;
        let end = base + shapes.len();
        if self.codes.len() < end {
            self.codes.resize(end, 0);
            self.shapes.resize(end, SiteShape { kind: SiteKind::Exit, n_values: 0 });
        }
        for (at, shape) in (base..end).zip(shapes) {
            let is_entry = matches!(shape.kind, SiteKind::Enter | SiteKind::Scope);
            let length = match shape.kind.tail() {
                Tail::None => 0,
                Tail::ParentScope | Tail::Frame | Tail::Object => HAS_TAIL,
                Tail::ObjectAndKey | Tail::Keys | Tail::Elements => BY_SHAPE,
            };
            self.codes[at] = KNOWN | length | if is_entry { IS_ENTRY } else { 0 };
            self.shapes[at] = shape;
        }
    }

    /// Passes the events from `at` on, as many as end within `room` words, but one at least if `at` is 0; counts them. After an error `at`
    /// is where the event lies that cannot be passed.
    pub fn pass_all(&self, words: &[u32], room: usize, at: &mut usize, counts: &mut Counts) -> Result<(), DecodeError> {
        // Nothing but these changes from event to event: whatever is written to memory here is waited for by the next.
        let (mut here, mut n_events, mut n_frames) = (*at, 0u64, 0u32);
        let end = room.min(words.len());
        let passed = loop {
            let Some(&header) = words.get(here).filter(|header| **header != 0) else { break Ok(()) };
            let code = self.codes.get((header >> 4) as usize).copied().unwrap_or(0);
            let is_plain = code & (KNOWN | BY_SHAPE) == KNOWN && header & 15 != tag::RECORD;
            let length = match is_plain {
                true => 1 + tag::n_payload(header & 15) + usize::from(code & HAS_TAIL != 0),
                false => match self.other_length(&words[here..], code) {
                    Ok(length) => length,
                    Err(error) => break Err(error),
                },
            };
            if here + length > end {
                if here + length > words.len() {
                    break Err(DecodeError::Torn);
                }
                if here > 0 {
                    break Ok(());
                }
            }
            n_events += 1;
            if is_plain {
                n_frames += u32::from(code & IS_ENTRY != 0);
            } else {
                count_other(header, code, counts, &mut n_frames);
            }
            here += length;
        };
        *at = here;
        counts.events += n_events;
        counts.frames += n_frames;
        passed
    }

    #[inline(never)]
    fn other_length(&self, words: &[u32], code: u8) -> Result<usize, DecodeError> {
        let header = words[0];
        if header & 15 == tag::RECORD {
            return raw_record(words).map(|(_, length)| length);
        }
        if code & KNOWN == 0 {
            return Err(DecodeError::UnknownSite(SiteId(header >> 4)));
        }
        site_length(words, self.shapes[(header >> 4) as usize])
    }
}

fn count_other(header: u32, code: u8, counts: &mut Counts, n_frames: &mut u32) {
    if header & 15 != tag::RECORD {
        *n_frames += u32::from(code & IS_ENTRY != 0);
        return;
    }
    match header >> 4 & 0xFF {
        record::LATIN1 | record::UTF16 => counts.strings += 1,
        record::SYMBOL => counts.symbols += 1,
        _ => {}
    }
}
