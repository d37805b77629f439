use trace_model::contract::header::{ARGUMENT_SHIFT, LOOK_CUT, RECORD_MASK, TAG_BITS, TAG_MASK};
use trace_model::contract::{record, tag};

use crate::{Counts, DecodeError, Shapes};
use trace_model::{
    BuiltinOp, Event, FrameId, MessageStep, ObjectClass, ObjectId, Record, SiteId, StringId, SymbolId, Tail,
    TailValues, Value, string_from_utf16,
};

/// The event at the start of `words` and the number of words it takes; `None` at the end, which is a zero header.
/// `counts` moves past it.
pub fn decode(
    words: &[u32],
    counts: &mut Counts,
    shapes: &mut impl Shapes,
) -> Result<Option<(Event, usize)>, DecodeError> {
    let Some((&header, rest)) = words.split_first() else { return Ok(None) };
    if header == 0 {
        return Ok(None);
    }
    let mut cursor = Cursor { words: rest };
    let event = if header & TAG_MASK == tag::RECORD {
        Event::Record(cursor.record(header, counts)?)
    } else {
        let site = SiteId(header >> TAG_BITS);
        let shape = shapes.shape(site).ok_or(DecodeError::UnknownSite(site))?;
        let value = cursor.payload(header & TAG_MASK)?;
        let tail = cursor.tail(shape.kind.tail(), shape.n_values)?;
        counts.add_site(shape.kind);
        Event::Site { site, value, tail }
    };
    counts.events += 1;
    Ok(Some((event, words.len() - cursor.words.len())))
}

/// As [`decode`], without making the event: gives only its length.
pub fn skip(words: &[u32], counts: &mut Counts, shapes: &mut impl Shapes) -> Result<Option<usize>, DecodeError> {
    let Some((&header, rest)) = words.split_first() else { return Ok(None) };
    if header == 0 {
        return Ok(None);
    }
    let mut cursor = Cursor { words: rest };
    if header & TAG_MASK == tag::RECORD {
        cursor.skip_record(header, counts)?;
    } else {
        let site = SiteId(header >> TAG_BITS);
        let shape = shapes.shape(site).ok_or(DecodeError::UnknownSite(site))?;
        cursor.skip(tag::PAYLOAD[(header & TAG_MASK) as usize])?;
        match shape.kind.tail() {
            Tail::None => {}
            Tail::ParentScope | Tail::Frame | Tail::Object => cursor.skip(1)?,
            Tail::ObjectAndKey => {
                cursor.skip(1)?;
                cursor.skip_values(1)?;
            }
            Tail::Keys | Tail::Elements => cursor.skip_values(shape.n_values)?,
        }
        counts.add_site(shape.kind);
    }
    counts.events += 1;
    Ok(Some(words.len() - cursor.words.len()))
}

struct Cursor<'a> {
    words: &'a [u32],
}

impl<'a> Cursor<'a> {
    fn word(&mut self) -> Result<u32, DecodeError> {
        let (&word, rest) = self.words.split_first().ok_or(DecodeError::Torn)?;
        self.words = rest;
        Ok(word)
    }

    fn take(&mut self, n: usize) -> Result<&'a [u32], DecodeError> {
        let (taken, rest) = self.words.split_at_checked(n).ok_or(DecodeError::Torn)?;
        self.words = rest;
        Ok(taken)
    }

    fn skip(&mut self, n: usize) -> Result<(), DecodeError> {
        self.take(n).map(|_| ())
    }

    fn wide(&mut self) -> Result<u64, DecodeError> {
        let low = self.word()?;
        let high = self.word()?;
        Ok(u64::from(high) << 32 | u64::from(low))
    }

    /// The payload that belongs to a tag. `None`: no value.
    fn payload(&mut self, tag: u32) -> Result<Option<Value>, DecodeError> {
        Ok(Some(match tag {
            tag::NONE => return Ok(None),
            tag::UNDEFINED => Value::Undefined,
            tag::NULL => Value::Null,
            tag::FALSE => Value::Bool(false),
            tag::TRUE => Value::Bool(true),
            tag::INTEGER => Value::Number(f64::from(self.word()? as i32)),
            tag::DOUBLE => Value::Number(f64::from_bits(self.wide()?)),
            tag::STRING => Value::String(StringId(self.word()?)),
            tag::OBJECT => Value::Object(ObjectId(self.word()?)),
            tag::SYMBOL => Value::Symbol(SymbolId(self.word()?)),
            tag::BIGINT => Value::BigInt(StringId(self.word()?)),
            tag::NOT_CAPTURED => Value::NotCaptured,
            tag::LONG_STRING => Value::LongString { length: self.word()? },
            tag::NEW_OBJECT => Value::NewObject { id: ObjectId(self.word()?), prototype: self.object()? },
            tag::ACCESSOR => Value::Accessor,
            unknown => return Err(DecodeError::UnknownTag(unknown)),
        }))
    }

    /// A value inside a tail or record. No value at all is a hole, which reads as undefined.
    fn value(&mut self) -> Result<Value, DecodeError> {
        let tag = self.word()?;
        Ok(self.payload(tag)?.unwrap_or(Value::Undefined))
    }

    fn values(&mut self, n: u32) -> Result<Vec<Value>, DecodeError> {
        self.check_room(n)?;
        (0..n).map(|_| self.value()).collect()
    }

    fn skip_values(&mut self, n: u32) -> Result<(), DecodeError> {
        self.check_room(n)?;
        for _ in 0..n {
            let tag = self.word()?;
            let payload = tag::PAYLOAD.get(tag as usize).ok_or(DecodeError::UnknownTag(tag))?;
            self.skip(*payload)?;
        }
        Ok(())
    }

    /// A value takes a word at least: a damaged count must not make us reserve memory for it.
    fn check_room(&self, n_values: u32) -> Result<(), DecodeError> {
        if n_values as usize > self.words.len() { Err(DecodeError::Torn) } else { Ok(()) }
    }

    fn object(&mut self) -> Result<Option<ObjectId>, DecodeError> {
        Ok(some_if_not_zero(self.word()?).map(ObjectId))
    }

    fn string(&mut self) -> Result<Option<StringId>, DecodeError> {
        Ok(some_if_not_zero(self.word()?).map(StringId))
    }

    fn tail(&mut self, tail: Tail, n_values: u32) -> Result<TailValues, DecodeError> {
        Ok(match tail {
            Tail::None => TailValues::None,
            Tail::ParentScope => TailValues::ParentScope(some_if_not_zero(self.word()?).map(FrameId)),
            Tail::Frame => TailValues::Frame(FrameId(self.word()?)),
            Tail::Object => TailValues::Object(self.object()?),
            Tail::ObjectAndKey => TailValues::ObjectAndKey(self.object()?, self.value()?),
            Tail::Keys | Tail::Elements => TailValues::Values(self.values(n_values)?),
        })
    }

    fn record(&mut self, header: u32, counts: &mut Counts) -> Result<Record, DecodeError> {
        let arg = header >> ARGUMENT_SHIFT;
        Ok(match header >> TAG_BITS & RECORD_MASK {
            record::LATIN1 => {
                let text = latin1(self.take(arg.div_ceil(4) as usize)?, arg as usize);
                counts.strings += 1;
                Record::String(StringId(counts.strings), text)
            }
            record::UTF16 => {
                let text = utf16(self.take(arg.div_ceil(2) as usize)?, arg as usize);
                counts.strings += 1;
                Record::String(StringId(counts.strings), text)
            }
            record::LOOK => {
                let object = ObjectId(self.word()?);
                let prototype = self.object()?;
                let name = self.string()?;
                let size = self.word()?;
                let n = self.word()?;
                self.check_room(n)?;
                let entries = (0..n).map(|_| Ok((self.value()?, self.value()?))).collect::<Result<_, _>>()?;
                let class = nth(&ObjectClass::ALL, arg & !LOOK_CUT, arg)?;
                Record::Look { object, class, prototype, name, size, is_cut: arg & LOOK_CUT != 0, entries }
            }
            record::EFFECT => {
                let object = ObjectId(self.word()?);
                let n = self.word()?;
                let op = nth(&BuiltinOp::ALL, arg.wrapping_sub(BuiltinOp::FIRST), arg)?;
                Record::Effect { object, op, values: self.values(n)? }
            }
            record::OUTPUT => Record::Output { fd: arg, bytes: self.word()?, text: self.string()? },
            record::UNCAUGHT => Record::Uncaught { rejection: arg == 1, value: self.value()? },
            record::MESSAGE => Record::Message {
                step: nth(&MessageStep::ALL, arg, arg)?,
                channel: self.word()?,
                from: self.wide()?,
                length: self.word()?,
                value: self.value()?,
            },
            record::THREAD_END => Record::ThreadEnd { code: arg },
            record::SYMBOL => {
                let description = self.string()?;
                counts.symbols += 1;
                Record::Symbol(SymbolId(counts.symbols), description)
            }
            record::TIME => Record::Time { micros: self.wide()? },
            record::GAP => Record::Gap { reason: arg },
            unknown => return Err(DecodeError::UnknownRecord(unknown)),
        })
    }

    fn skip_record(&mut self, header: u32, counts: &mut Counts) -> Result<(), DecodeError> {
        let arg = header >> ARGUMENT_SHIFT;
        match header >> TAG_BITS & RECORD_MASK {
            record::LATIN1 => {
                self.skip(arg.div_ceil(4) as usize)?;
                counts.strings += 1;
            }
            record::UTF16 => {
                self.skip(arg.div_ceil(2) as usize)?;
                counts.strings += 1;
            }
            record::LOOK => {
                self.skip(4)?;
                let n = self.word()?;
                self.check_room(n)?;
                self.skip_values(2 * n)?;
            }
            record::EFFECT => {
                self.skip(1)?;
                let n = self.word()?;
                self.skip_values(n)?;
            }
            record::OUTPUT | record::TIME => self.skip(2)?,
            record::UNCAUGHT => self.skip_values(1)?,
            record::MESSAGE => {
                self.skip(4)?;
                self.skip_values(1)?;
            }
            record::THREAD_END | record::GAP => {}
            record::SYMBOL => {
                self.skip(1)?;
                counts.symbols += 1;
            }
            unknown => return Err(DecodeError::UnknownRecord(unknown)),
        }
        Ok(())
    }
}

fn some_if_not_zero(word: u32) -> Option<u32> {
    (word != 0).then_some(word)
}

fn nth<T: Copy>(all: &[T], index: u32, number: u32) -> Result<T, DecodeError> {
    all.get(index as usize).copied().ok_or(DecodeError::UnknownDetail(number))
}

pub(crate) fn latin1(words: &[u32], length: usize) -> String {
    words.iter().flat_map(|word| word.to_le_bytes()).take(length).map(char::from).collect()
}

pub(crate) fn utf16(words: &[u32], length: usize) -> String {
    let units: Vec<u16> = words.iter().flat_map(|word| [*word as u16, (*word >> 16) as u16]).take(length).collect();
    string_from_utf16(&units)
}
