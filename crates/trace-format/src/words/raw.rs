//! Events as they lie in the words: nothing is copied, nothing allocated. For passing over many of them.

use std::borrow::Cow;

use super::reader::{latin1, utf16};
use trace_model::contract::header::{ARGUMENT_SHIFT, LOOK_CUT, RECORD_MASK, TAG_BITS, TAG_MASK};
use trace_model::contract::{record, tag};

use super::{DecodeError, SiteShape};
use trace_model::{BuiltinOp, MessageStep, ObjectClass, ObjectId, SiteId, StringId, SymbolId, Tail, Value};

#[derive(Clone, Copy, Debug)]
pub enum RawEvent<'a> {
    Site { site: SiteId, value: RawValue, tail: RawTail<'a> },
    Record(RawRecord<'a>),
}

/// The tail of an event of a site: its words, of which the site's kind says what they are.
#[derive(Clone, Copy, Debug)]
pub enum RawTail<'a> {
    None,
    /// 0: the global scope, or not known.
    ParentScope(u32),
    Frame(u32),
    /// 0: the base was a primitive, or did not take the value.
    Object(u32),
    ObjectAndKey(u32, RawValue),
    Values(RawValues<'a>),
}

#[derive(Clone, Copy, Debug)]
pub enum RawRecord<'a> {
    String(RawText<'a>),
    Symbol,
    /// Keys and values take turns in `entries`.
    Look {
        object: u32,
        prototype: u32,
        is_error: bool,
        entries: RawValues<'a>,
    },
    Effect {
        object: u32,
        op: BuiltinOp,
        values: RawValues<'a>,
    },
    Output,
    Uncaught(RawValue),
    Message {
        step: MessageStep,
        channel: u32,
        value: RawValue,
    },
    Other,
}

/// A value: its tag and what follows it.
#[derive(Clone, Copy, Debug)]
pub struct RawValue {
    tag: u32,
    low: u32,
    high: u32,
}

impl RawValue {
    /// The number of the object that it is.
    pub fn object(self) -> Option<u32> {
        (self.tag == tag::OBJECT || self.tag == tag::NEW_OBJECT).then_some(self.low)
    }

    /// An object seen for the first time at its construction, and its prototype or 0.
    pub fn new_object(self) -> Option<(u32, u32)> {
        (self.tag == tag::NEW_OBJECT).then_some((self.low, self.high))
    }

    /// As an event has it, but for a literal: no value at all.
    pub fn value(self) -> Option<Value> {
        Some(match self.tag {
            tag::UNDEFINED => Value::Undefined,
            tag::NULL => Value::Null,
            tag::FALSE => Value::Bool(false),
            tag::TRUE => Value::Bool(true),
            tag::INTEGER => Value::Number(f64::from(self.low as i32)),
            tag::DOUBLE => Value::Number(f64::from_bits(u64::from(self.high) << 32 | u64::from(self.low))),
            tag::STRING => Value::String(StringId(self.low)),
            tag::OBJECT => Value::Object(ObjectId(self.low)),
            tag::SYMBOL => Value::Symbol(SymbolId(self.low)),
            tag::BIGINT => Value::BigInt(StringId(self.low)),
            tag::NOT_CAPTURED => Value::NotCaptured,
            tag::LONG_STRING => Value::LongString { length: self.low },
            tag::NEW_OBJECT => {
                Value::NewObject { id: ObjectId(self.low), prototype: (self.high != 0).then_some(ObjectId(self.high)) }
            }
            tag::ACCESSOR => Value::Accessor,
            _ => return None,
        })
    }

    fn read(tag: u32, payload: &[u32]) -> RawValue {
        RawValue { tag, low: payload.first().copied().unwrap_or(0), high: payload.get(1).copied().unwrap_or(0) }
    }
}

/// The text of a string record.
#[derive(Clone, Copy, Debug)]
pub struct RawText<'a> {
    words: &'a [u32],
    units: Units,
    length: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Units {
    Latin1,
    Utf16,
}

impl RawText<'_> {
    pub fn text(&self) -> Cow<'_, str> {
        if self.units == Units::Utf16 {
            return Cow::Owned(utf16(self.words, self.length));
        }
        let bytes = &bytemuck::cast_slice::<u32, u8>(self.words)[..self.length];
        match std::str::from_utf8(bytes) {
            Ok(ascii) if ascii.is_ascii() => Cow::Borrowed(ascii),
            _ => Cow::Owned(latin1(self.words, self.length)),
        }
    }
}

fn text_record(words: &[u32], units: Units, length: u32) -> Result<RawRecord<'_>, DecodeError> {
    let n_words = length.div_ceil(if units == Units::Latin1 { 4 } else { 2 });
    let words = words.get(..n_words as usize).ok_or(DecodeError::Torn)?;
    Ok(RawRecord::String(RawText { words, units, length: length as usize }))
}

/// Values one behind the other. They were checked to be whole.
#[derive(Clone, Copy, Debug)]
pub struct RawValues<'a> {
    words: &'a [u32],
}

impl Iterator for RawValues<'_> {
    type Item = RawValue;

    fn next(&mut self) -> Option<RawValue> {
        let (&tag, rest) = self.words.split_first()?;
        let (payload, rest) = rest.split_at_checked(*tag::PAYLOAD.get(tag as usize)?)?;
        self.words = rest;
        Some(RawValue::read(tag, payload))
    }
}

/// The site of an event, if the header is that of one.
pub fn header_site(header: u32) -> Option<SiteId> {
    (header & TAG_MASK != tag::RECORD).then_some(SiteId(header >> TAG_BITS))
}

/// The object that is the value of an event of a site, and whether it is seen for the first time at its construction.
#[inline]
pub fn value_object(words: &[u32]) -> Option<(u32, bool)> {
    match (words[0] & TAG_MASK, words) {
        (tag::OBJECT, [_, object, ..]) => Some((*object, false)),
        (tag::NEW_OBJECT, [_, object, ..]) => Some((*object, true)),
        _ => None,
    }
}

/// The number of words of an event of a site up to its tail.
#[inline]
pub fn n_without_tail(header: u32) -> usize {
    1 + tag::n_payload(header & TAG_MASK)
}

/// The event of a site with this shape at the start of `words`, and the number of words it takes.
#[inline]
pub fn raw_site(words: &[u32], shape: SiteShape) -> Result<(RawEvent<'_>, usize), DecodeError> {
    let header = words[0];
    let tag = header & TAG_MASK;
    let n_payload = tag::PAYLOAD[tag as usize];
    let (payload, rest) = words[1..].split_at_checked(n_payload).ok_or(DecodeError::Torn)?;
    let word = || rest.first().copied().ok_or(DecodeError::Torn);
    let (tail, n_tail) = match shape.kind.tail() {
        Tail::None => (RawTail::None, 0),
        Tail::ParentScope => (RawTail::ParentScope(word()?), 1),
        Tail::Frame => (RawTail::Frame(word()?), 1),
        Tail::Object => (RawTail::Object(word()?), 1),
        Tail::ObjectAndKey => {
            let object = word()?;
            let n_key = values_length(&rest[1..], 1)?;
            let mut key = RawValues { words: &rest[1..1 + n_key] };
            (RawTail::ObjectAndKey(object, key.next().ok_or(DecodeError::Torn)?), 1 + n_key)
        }
        Tail::Keys | Tail::Elements => {
            let n_values = values_length(rest, shape.n_values)?;
            (RawTail::Values(RawValues { words: &rest[..n_values] }), n_values)
        }
    };
    let value = RawValue::read(tag, payload);
    Ok((RawEvent::Site { site: SiteId(header >> TAG_BITS), value, tail }, 1 + n_payload + n_tail))
}

/// The number of words that an event of a site takes.
#[inline]
pub fn site_length(words: &[u32], shape: SiteShape) -> Result<usize, DecodeError> {
    let fixed = 1 + tag::PAYLOAD[(words[0] & TAG_MASK) as usize];
    let length = match shape.kind.tail() {
        Tail::None => fixed,
        Tail::ParentScope | Tail::Frame | Tail::Object => fixed + 1,
        Tail::ObjectAndKey => fixed + 1 + values_length(words.get(fixed + 1..).ok_or(DecodeError::Torn)?, 1)?,
        Tail::Keys | Tail::Elements => {
            fixed + values_length(words.get(fixed..).ok_or(DecodeError::Torn)?, shape.n_values)?
        }
    };
    if length > words.len() { Err(DecodeError::Torn) } else { Ok(length) }
}

/// The record at the start of `words`, and the number of words it takes.
pub fn raw_record(words: &[u32]) -> Result<(RawRecord<'_>, usize), DecodeError> {
    let (header, rest) = (words[0], &words[1..]);
    let arg = header >> ARGUMENT_SHIFT;
    let word = |at: usize| rest.get(at).copied().ok_or(DecodeError::Torn);
    let (read, length) = match header >> TAG_BITS & RECORD_MASK {
        record::LATIN1 => (text_record(rest, Units::Latin1, arg)?, arg.div_ceil(4) as usize),
        record::UTF16 => (text_record(rest, Units::Utf16, arg)?, arg.div_ceil(2) as usize),
        record::LOOK => {
            let n_values = word(4)?.checked_mul(2).ok_or(DecodeError::Torn)?;
            let length = values_length(&rest[5..], n_values)?;
            let entries = RawValues { words: &rest[5..5 + length] };
            let class = ObjectClass::ALL.get((arg & !LOOK_CUT) as usize);
            let is_error = class == Some(&ObjectClass::Error);
            (RawRecord::Look { object: rest[0], prototype: rest[1], is_error, entries }, 5 + length)
        }
        record::EFFECT => {
            let n_values = word(1)?;
            let op = BuiltinOp::ALL
                .get(arg.wrapping_sub(BuiltinOp::FIRST) as usize)
                .ok_or(DecodeError::UnknownDetail(arg))?;
            let length = values_length(&rest[2..], n_values)?;
            let values = RawValues { words: &rest[2..2 + length] };
            (RawRecord::Effect { object: rest[0], op: *op, values }, 2 + length)
        }
        record::OUTPUT => (RawRecord::Output, 2),
        record::UNCAUGHT => {
            let length = values_length(rest, 1)?;
            let mut value = RawValues { words: &rest[..length] };
            (RawRecord::Uncaught(value.next().ok_or(DecodeError::Torn)?), length)
        }
        record::MESSAGE => {
            let channel = word(0)?;
            let step = *MessageStep::ALL.get(arg as usize).ok_or(DecodeError::UnknownDetail(arg))?;
            let rest = rest.get(4..).ok_or(DecodeError::Torn)?;
            let length = values_length(rest, 1)?;
            let mut value = RawValues { words: &rest[..length] };
            (RawRecord::Message { step, channel, value: value.next().ok_or(DecodeError::Torn)? }, 4 + length)
        }
        record::THREAD_END | record::GAP => (RawRecord::Other, 0),
        record::SYMBOL => (RawRecord::Symbol, 1),
        record::TIME => (RawRecord::Other, 2),
        unknown => return Err(DecodeError::UnknownRecord(unknown)),
    };
    if length > rest.len() { Err(DecodeError::Torn) } else { Ok((read, 1 + length)) }
}

/// Number of words that so many values take.
fn values_length(words: &[u32], n_values: u32) -> Result<usize, DecodeError> {
    if n_values as usize > words.len() {
        return Err(DecodeError::Torn);
    }
    let mut length = 0;
    for _ in 0..n_values {
        let tag = *words.get(length).ok_or(DecodeError::Torn)?;
        length += 1 + tag::PAYLOAD.get(tag as usize).ok_or(DecodeError::UnknownTag(tag))?;
    }
    if length > words.len() { Err(DecodeError::Torn) } else { Ok(length) }
}
