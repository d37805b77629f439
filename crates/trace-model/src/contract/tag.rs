//! What a value is, in the header of an event or before the value itself.

/// One kind of value.
pub struct Tag {
    pub name: &'static str,
    pub number: u32,
    /// How many words follow.
    pub n_payload: usize,
    /// What they are, in the words of the README of `trace-format`.
    pub value: &'static str,
    pub payload: &'static str,
}

macro_rules! tags {
    ($($name:ident = $number:literal, $n_payload:literal, $value:literal, $payload:literal;)*) => {
        $(pub const $name: u32 = $number;)*
        pub const ALL: [Tag; [$($number),*].len()] = [$(Tag {
            name: stringify!($name), number: $number, n_payload: $n_payload, value: $value, payload: $payload,
        }),*];
    };
}

tags! {
    NONE = 0, 0, "no value; where the site's kind has one, it is the literal that the site names", "";
    UNDEFINED = 1, 0, "undefined", "";
    NULL = 2, 0, "null", "";
    FALSE = 3, 0, "false", "";
    TRUE = 4, 0, "true", "";
    INTEGER = 5, 1, "an integer that fits 32 bits (never −0)", "the integer";
    DOUBLE = 6, 2, "any other number", "low word, high word of the double";
    STRING = 7, 1, "string", "string number";
    OBJECT = 8, 1, "object or function", "object number";
    SYMBOL = 9, 1, "symbol", "symbol number";
    BIGINT = 10, 1, "bigint", "string number of its decimal digits";
    NOT_CAPTURED = 11, 0, "not captured", "";
    LONG_STRING = 12, 1, "a long string whose text was not taken; a length of 2³² − 1: a text that was taken out when the run was shared, 2³² − 2: a number", "its length in UTF-16 units";
    NEW_OBJECT = 13, 2, "an object seen for the first time at its construction", "object number, object number of its prototype (0: null or unknown)";
    ACCESSOR = 14, 0, "an accessor (never called by the recorder)", "";
    RECORD = 15, 0, "no value: the event is a record of the runtime itself", "";
}

/// The number of payload words of each tag that a value can have.
pub const PAYLOAD: [usize; RECORD as usize] = {
    let (mut payload, mut tag) = ([0; RECORD as usize], 0);
    while tag < payload.len() {
        assert!(ALL[tag].number as usize == tag, "tags are listed in their order");
        payload[tag] = ALL[tag].n_payload;
        tag += 1;
    }
    payload
};

/// The same without a look into memory: two bits for each tag.
#[inline]
pub const fn n_payload(tag: u32) -> usize {
    (PACKED >> (tag * 2) & 3) as usize
}

const PACKED: u32 = {
    let (mut packed, mut tag) = (0, 0);
    while tag < PAYLOAD.len() {
        packed |= (PAYLOAD[tag] as u32) << (tag * 2);
        tag += 1;
    }
    packed
};

// The recorder subtracts a truth from the header of `true`, and knows by comparing which tags have a payload.
const _: () = assert!(FALSE + 1 == TRUE);
const _: () = assert!(n_payload(TRUE) == 0 && n_payload(INTEGER) > 0);
