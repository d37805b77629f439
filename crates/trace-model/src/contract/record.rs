//! What the runtime itself has to say, in the place of a site.

/// One kind of record.
pub struct RecordKind {
    pub name: &'static str,
    pub number: u32,
    /// What it tells, its argument and its words, in the words of the README of `trace-format`.
    pub meaning: &'static str,
    pub argument: &'static str,
    pub words: &'static str,
}

macro_rules! records {
    ($($name:ident = $number:literal, $meaning:literal, $argument:literal, $words:literal;)*) => {
        $(pub const $name: u32 = $number;)*
        pub const ALL: [RecordKind; [$($number),*].len()] = [$(RecordKind {
            name: stringify!($name), number: $number, meaning: $meaning, argument: $argument, words: $words,
        }),*];
    };
}

records! {
    LATIN1 = 1, "string, Latin-1", "length", "⌈length / 4⌉, four characters a word";
    UTF16 = 2, "string, UTF-16", "length", "⌈length / 2⌉, two units a word";
    LOOK = 3, "look: what an object held when it was first seen, or seen again after foreign code had it", "class (below), + 16: entries were left out", "object, prototype object (0), string number of its name (0), its full size (of an array its length: holes are no entries), n, then n × (key value, value)";
    EFFECT = 4, "effect: what a built-in did to an object", "operation (below)", "object, n, then n values";
    OUTPUT = 5, "output", "file descriptor", "length in bytes, string number of the text (0: not taken)";
    UNCAUGHT = 6, "uncaught exception, or unhandled rejection", "0, 1", "value";
    THREAD_END = 7, "the thread ended", "exit code, low 20 bits", "";
    SYMBOL = 8, "symbol", "", "string number of its description (0: none)";
    TIME = 9, "time", "", "microseconds since the thread started, low and high word";
    GAP = 10, "gap: events were dropped here", "1 the disk was full, 2 switched off", "";
    MESSAGE = 11, "message between threads or processes", "0 sent, 1 received, 2 named: the value is the channel's name", "channel, number of the message or of its first byte (low and high word), messages or bytes, value";
}
