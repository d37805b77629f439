//! Events as they are stored: nothing is copied, nothing allocated. For passing over many of them.

use std::borrow::Cow;

use trace_model::contract::header::{ARGUMENT_SHIFT, LOOK_CUT, RECORD_MASK, TAG_BITS, TAG_MASK};
use trace_model::contract::{record, tag};

use crate::reader::{latin1, utf16};
use crate::{DecodeError, SiteShape};
use trace_model::{BuiltinOp, FrameId, MessageStep, ObjectClass, ObjectId, SiteId, StringId, SymbolId, Tail, Value};

#[derive(Clone, Copy, Debug)]
pub enum EventView<'a> {
    Site { site: SiteId, value: ValueView, tail: TailView<'a> },
    Record(RecordView<'a>),
}

/// As [`trace_model::TailValues`].
#[derive(Clone, Copy, Debug)]
pub enum TailView<'a> {
    None,
    /// `None`: the global scope, or not known.
    ParentScope(Option<FrameId>),
    Frame(FrameId),
    /// `None`: the base was a primitive, or did not take the value.
    Object(Option<ObjectId>),
    ObjectAndKey(Option<ObjectId>, ValueView),
    Values(ValuesView<'a>),
}

#[derive(Clone, Copy, Debug)]
pub enum RecordView<'a> {
    String(TextView<'a>),
    Symbol,
    /// Keys and values take turns in `entries`.
    Look {
        object: ObjectId,
        prototype: Option<ObjectId>,
        is_error: bool,
        entries: ValuesView<'a>,
    },
    Effect {
        object: ObjectId,
        op: BuiltinOp,
        values: ValuesView<'a>,
    },
    Output,
    Uncaught(ValueView),
    Message {
        step: MessageStep,
        channel: u32,
        value: ValueView,
    },
    Other,
}

/// A value: its tag and what follows it.
#[derive(Clone, Copy, Debug)]
pub struct ValueView {
    tag: u32,
    low: u32,
    high: u32,
}

impl ValueView {
    /// A value that is known without being stored.
    #[inline]
    pub fn of(value: Value) -> ValueView {
        let (tag, low, high) = match value {
            Value::Undefined => (tag::UNDEFINED, 0, 0),
            Value::Null => (tag::NULL, 0, 0),
            Value::Bool(false) => (tag::FALSE, 0, 0),
            Value::Bool(true) => (tag::TRUE, 0, 0),
            Value::Number(number) => match small_integer(number) {
                Some(integer) => (tag::INTEGER, integer as u32, 0),
                None => (tag::DOUBLE, number.to_bits() as u32, (number.to_bits() >> 32) as u32),
            },
            Value::String(id) => (tag::STRING, id.0, 0),
            Value::LongString { length } => (tag::LONG_STRING, length, 0),
            Value::Symbol(id) => (tag::SYMBOL, id.0, 0),
            Value::BigInt(id) => (tag::BIGINT, id.0, 0),
            Value::Object(id) => (tag::OBJECT, id.0, 0),
            Value::NewObject { id, prototype } => (tag::NEW_OBJECT, id.0, prototype.map_or(0, |ObjectId(id)| id)),
            Value::Accessor => (tag::ACCESSOR, 0, 0),
            Value::NotCaptured => (tag::NOT_CAPTURED, 0, 0),
        };
        ValueView { tag, low, high }
    }

    /// Appends its payload, and gives the tag that goes before it.
    pub(crate) fn put(self, words: &mut Vec<u32>) -> u32 {
        words.extend_from_slice(&[self.low, self.high][..tag::PAYLOAD[self.tag as usize]]);
        self.tag
    }

    /// Whether no value is stored.
    #[inline]
    pub fn is_missing(self) -> bool {
        self.tag == tag::NONE
    }

    /// The object that it is.
    #[inline]
    pub fn object(self) -> Option<ObjectId> {
        (self.tag == tag::OBJECT || self.tag == tag::NEW_OBJECT).then_some(ObjectId(self.low))
    }

    /// An object seen for the first time at its construction, and its prototype.
    #[inline]
    pub fn new_object(self) -> Option<(ObjectId, Option<ObjectId>)> {
        (self.tag == tag::NEW_OBJECT).then_some((ObjectId(self.low), object(self.high)))
    }

    /// As an event has it.
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
            tag::NEW_OBJECT => Value::NewObject { id: ObjectId(self.low), prototype: object(self.high) },
            tag::ACCESSOR => Value::Accessor,
            _ => return None,
        })
    }

    fn read(tag: u32, payload: &[u32]) -> ValueView {
        ValueView { tag, low: payload.first().copied().unwrap_or(0), high: payload.get(1).copied().unwrap_or(0) }
    }
}

/// The text of a string record.
#[derive(Clone, Copy, Debug)]
pub struct TextView<'a> {
    words: &'a [u32],
    units: Units,
    length: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Units {
    Latin1,
    Utf16,
}

impl TextView<'_> {
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

fn text_record(words: &[u32], units: Units, length: u32) -> Result<RecordView<'_>, DecodeError> {
    let n_words = length.div_ceil(if units == Units::Latin1 { 4 } else { 2 });
    let words = words.get(..n_words as usize).ok_or(DecodeError::Torn)?;
    Ok(RecordView::String(TextView { words, units, length: length as usize }))
}

/// Values one behind the other. They were checked to be whole.
#[derive(Clone, Copy, Debug)]
pub struct ValuesView<'a> {
    words: &'a [u32],
}

impl Iterator for ValuesView<'_> {
    type Item = ValueView;

    fn next(&mut self) -> Option<ValueView> {
        let (&tag, rest) = self.words.split_first()?;
        let (payload, rest) = rest.split_at_checked(*tag::PAYLOAD.get(tag as usize)?)?;
        self.words = rest;
        Some(ValueView::read(tag, payload))
    }
}

/// The event of a site with this shape at the start of `words`, and the number of words it takes.
#[inline]
pub fn site_view(words: &[u32], shape: SiteShape) -> Result<(EventView<'_>, usize), DecodeError> {
    let header = words[0];
    let tag = header & TAG_MASK;
    let n_payload = tag::PAYLOAD[tag as usize];
    let (payload, rest) = words[1..].split_at_checked(n_payload).ok_or(DecodeError::Torn)?;
    let word = || rest.first().copied().ok_or(DecodeError::Torn);
    let (tail, n_tail) = match shape.kind.tail() {
        Tail::None => (TailView::None, 0),
        Tail::ParentScope => (TailView::ParentScope(Some(word()?).filter(|id| *id != 0).map(FrameId)), 1),
        Tail::Frame => (TailView::Frame(FrameId(word()?)), 1),
        Tail::Object => (TailView::Object(object(word()?)), 1),
        Tail::ObjectAndKey => {
            let base = object(word()?);
            let n_key = values_length(&rest[1..], 1)?;
            let mut key = ValuesView { words: &rest[1..1 + n_key] };
            (TailView::ObjectAndKey(base, key.next().ok_or(DecodeError::Torn)?), 1 + n_key)
        }
        Tail::Keys | Tail::Elements => {
            let n_values = values_length(rest, shape.n_values)?;
            (TailView::Values(ValuesView { words: &rest[..n_values] }), n_values)
        }
    };
    let value = ValueView::read(tag, payload);
    Ok((EventView::Site { site: SiteId(header >> TAG_BITS), value, tail }, 1 + n_payload + n_tail))
}

/// The number of words that an event of a site takes.
#[inline]
pub(crate) fn site_length(words: &[u32], shape: SiteShape) -> Result<usize, DecodeError> {
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
pub fn record_view(words: &[u32]) -> Result<(RecordView<'_>, usize), DecodeError> {
    let (header, rest) = (words[0], &words[1..]);
    let arg = header >> ARGUMENT_SHIFT;
    let word = |at: usize| rest.get(at).copied().ok_or(DecodeError::Torn);
    let (read, length) = match header >> TAG_BITS & RECORD_MASK {
        record::LATIN1 => (text_record(rest, Units::Latin1, arg)?, arg.div_ceil(4) as usize),
        record::UTF16 => (text_record(rest, Units::Utf16, arg)?, arg.div_ceil(2) as usize),
        record::LOOK => {
            let n_values = word(4)?.checked_mul(2).ok_or(DecodeError::Torn)?;
            let length = values_length(&rest[5..], n_values)?;
            let entries = ValuesView { words: &rest[5..5 + length] };
            let class = ObjectClass::ALL.get((arg & !LOOK_CUT) as usize);
            let is_error = class == Some(&ObjectClass::Error);
            (RecordView::Look { object: ObjectId(rest[0]), prototype: object(rest[1]), is_error, entries }, 5 + length)
        }
        record::EFFECT => {
            let n_values = word(1)?;
            let op = BuiltinOp::ALL
                .get(arg.wrapping_sub(BuiltinOp::FIRST) as usize)
                .ok_or(DecodeError::UnknownDetail(arg))?;
            let length = values_length(&rest[2..], n_values)?;
            let values = ValuesView { words: &rest[2..2 + length] };
            (RecordView::Effect { object: ObjectId(rest[0]), op: *op, values }, 2 + length)
        }
        record::OUTPUT => (RecordView::Output, 2),
        record::UNCAUGHT => {
            let length = values_length(rest, 1)?;
            let mut value = ValuesView { words: &rest[..length] };
            (RecordView::Uncaught(value.next().ok_or(DecodeError::Torn)?), length)
        }
        record::MESSAGE => {
            let channel = word(0)?;
            let step = *MessageStep::ALL.get(arg as usize).ok_or(DecodeError::UnknownDetail(arg))?;
            let rest = rest.get(4..).ok_or(DecodeError::Torn)?;
            let length = values_length(rest, 1)?;
            let mut value = ValuesView { words: &rest[..length] };
            (RecordView::Message { step, channel, value: value.next().ok_or(DecodeError::Torn)? }, 4 + length)
        }
        record::THREAD_END | record::GAP => (RecordView::Other, 0),
        record::SYMBOL => (RecordView::Symbol, 1),
        record::TIME => (RecordView::Other, 2),
        unknown => return Err(DecodeError::UnknownRecord(unknown)),
    };
    if length > rest.len() { Err(DecodeError::Torn) } else { Ok((read, 1 + length)) }
}

fn object(number: u32) -> Option<ObjectId> {
    (number != 0).then_some(ObjectId(number))
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

/// −0 is not an integer here: its sign would be lost.
#[inline]
fn small_integer(number: f64) -> Option<i32> {
    let integer = number as i32;
    (f64::from(integer).to_bits() == number.to_bits()).then_some(integer)
}
