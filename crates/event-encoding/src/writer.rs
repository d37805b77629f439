use crate::ValueView;
use trace_model::contract::header::{LOOK_CUT, TAG_BITS, of_record as header};
use trace_model::contract::{record, tag};
use trace_model::{
    BuiltinOp, Event, FrameId, MessageStep, ObjectClass, ObjectId, Record, StringId, TailValues, Value,
    utf16_from_string,
};

/// Appends the words of an event. The recorded program writes its own; this serves tests, and what is written on its behalf.
pub fn encode(event: &Event, words: &mut Vec<u32>) {
    match event {
        Event::Site { site, value, tail } => {
            let header = words.len();
            words.push(0);
            let tag = value.map_or(tag::NONE, |value| ValueView::of(value).put(words));
            words[header] = site.0 << TAG_BITS | tag;
            put_tail(tail, words);
        }
        Event::Record(record) => put_record(record, words),
    }
}

fn put_tail(tail: &TailValues, words: &mut Vec<u32>) {
    match tail {
        TailValues::None => {}
        TailValues::ParentScope(scope) => words.push(scope.map_or(0, |FrameId(id)| id)),
        TailValues::Frame(FrameId(id)) => words.push(*id),
        TailValues::Object(object) => words.push(object_word(*object)),
        TailValues::ObjectAndKey(object, key) => {
            words.push(object_word(*object));
            put_value(*key, words);
        }
        TailValues::Values(values) => values.iter().for_each(|value| put_value(*value, words)),
    }
}

fn put_record(record: &Record, words: &mut Vec<u32>) {
    match record {
        Record::String(_, text) => put_string(text, words),
        Record::Symbol(_, description) => words.extend([header(record::SYMBOL, 0), string_word(*description)]),
        Record::Look { object, class, prototype, name, size, is_cut, entries } => {
            let class = position(&ObjectClass::ALL, class) | if *is_cut { LOOK_CUT } else { 0 };
            words.extend([header(record::LOOK, class), object.0, object_word(*prototype), string_word(*name), *size]);
            words.push(entries.len() as u32);
            for (key, value) in entries {
                put_value(*key, words);
                put_value(*value, words);
            }
        }
        Record::Effect { object, op, values } => {
            let op = BuiltinOp::FIRST + position(&BuiltinOp::ALL, op);
            words.extend([header(record::EFFECT, op), object.0, values.len() as u32]);
            values.iter().for_each(|value| put_value(*value, words));
        }
        Record::Output { fd, bytes, text } => words.extend([header(record::OUTPUT, *fd), *bytes, string_word(*text)]),
        Record::Uncaught { rejection, value } => {
            words.push(header(record::UNCAUGHT, u32::from(*rejection)));
            put_value(*value, words);
        }
        Record::Message { step, channel, from, length, value } => {
            let step = position(&MessageStep::ALL, step);
            words.extend([header(record::MESSAGE, step), *channel, *from as u32, (*from >> 32) as u32, *length]);
            put_value(*value, words);
        }
        Record::ThreadEnd { code } => words.push(header(record::THREAD_END, *code)),
        Record::Time { micros } => words.extend([header(record::TIME, 0), *micros as u32, (*micros >> 32) as u32]),
        Record::Gap { reason } => words.push(header(record::GAP, *reason)),
    }
}

fn put_string(text: &str, words: &mut Vec<u32>) {
    let units = utf16_from_string(text);
    let length = units.len() as u32;
    if units.iter().all(|unit| *unit < 256) {
        words.push(header(record::LATIN1, length));
        words.extend(units.chunks(4).map(|four| packed(four, 8)));
    } else {
        words.push(header(record::UTF16, length));
        words.extend(units.chunks(2).map(|two| packed(two, 16)));
    }
}

fn packed(units: &[u16], bits: usize) -> u32 {
    units.iter().enumerate().fold(0, |word, (i, unit)| word | u32::from(*unit) << (bits * i))
}

fn put_value(value: Value, words: &mut Vec<u32>) {
    let tag_at = words.len();
    words.push(0);
    words[tag_at] = ValueView::of(value).put(words);
}

fn object_word(object: Option<ObjectId>) -> u32 {
    object.map_or(0, |ObjectId(id)| id)
}

fn string_word(string: Option<StringId>) -> u32 {
    string.map_or(0, |StringId(id)| id)
}

fn position<T: PartialEq>(all: &[T], item: &T) -> u32 {
    all.iter().position(|other| other == item).expect("ALL holds every one") as u32
}
