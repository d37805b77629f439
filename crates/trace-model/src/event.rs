use crate::{FrameId, ObjectClass, ObjectId, SiteId, StringId, SymbolId, Value};

/// One recorded step of one thread.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A site of the program was reached.
    Site { site: SiteId, value: Option<Value>, tail: TailValues },
    /// The runtime itself has something to say.
    Record(Record),
}

/// The values of a [`crate::Tail`].
#[derive(Clone, PartialEq, Debug)]
pub enum TailValues {
    None,
    /// `None`: the global scope, or not known.
    ParentScope(Option<FrameId>),
    Frame(FrameId),
    /// `None`: the base was a primitive, or did not take the value.
    Object(Option<ObjectId>),
    ObjectAndKey(Option<ObjectId>, Value),
    Values(Vec<Value>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Record {
    /// A string, as UTF-16 may hold lone surrogates; numbered by counting.
    String(StringId, String),
    Symbol(SymbolId, Option<StringId>),
    Look {
        object: ObjectId,
        class: ObjectClass,
        prototype: Option<ObjectId>,
        name: Option<StringId>,
        /// Number of entries the object has; of an array its length, holes included.
        size: u32,
        /// Entries were left out of `entries`, because there were too many.
        is_cut: bool,
        entries: Vec<(Value, Value)>,
    },
    Effect {
        object: ObjectId,
        op: BuiltinOp,
        values: Vec<Value>,
    },
    Output {
        fd: u32,
        bytes: u32,
        text: Option<StringId>,
    },
    Uncaught {
        rejection: bool,
        value: Value,
    },
    /// Something went from one thread or process to another, on a channel that keeps the order. Channels are numbered by
    /// counting, per thread and direction.
    Message {
        step: MessageStep,
        channel: u32,
        /// The number of the message, or of its first byte.
        from: u64,
        /// Messages or bytes.
        length: u32,
        value: Value,
    },
    ThreadEnd {
        code: u32,
    },
    Time {
        micros: u64,
    },
    Gap {
        reason: u32,
    },
}

/// What a [`Record::Message`] tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MessageStep {
    Sent,
    Received,
    /// The value is the name of the channel: the same at both ends, in the whole run.
    Named,
}

impl MessageStep {
    /// In the order of their numbers in the trace.
    pub const ALL: [MessageStep; 3] = [MessageStep::Sent, MessageStep::Received, MessageStep::Named];
}

/// What a built-in did to an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuiltinOp {
    Push,
    Pop,
    Shift,
    Unshift,
    Splice,
    Refill,
    MapSet,
    Delete,
    Clear,
    SetAdd,
    DefineProperty,
    DeleteProperty,
    SetPrototype,
    Freeze,
    Seal,
    PreventExtensions,
    SetProperty,
}

impl BuiltinOp {
    /// In the order of their numbers in the trace, which start at 1.
    pub const ALL: [BuiltinOp; 17] = [
        BuiltinOp::Push,
        BuiltinOp::Pop,
        BuiltinOp::Shift,
        BuiltinOp::Unshift,
        BuiltinOp::Splice,
        BuiltinOp::Refill,
        BuiltinOp::MapSet,
        BuiltinOp::Delete,
        BuiltinOp::Clear,
        BuiltinOp::SetAdd,
        BuiltinOp::DefineProperty,
        BuiltinOp::DeleteProperty,
        BuiltinOp::SetPrototype,
        BuiltinOp::Freeze,
        BuiltinOp::Seal,
        BuiltinOp::PreventExtensions,
        BuiltinOp::SetProperty,
    ];
}
