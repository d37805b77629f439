use crate::contract::numbered;
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

numbered! {
    /// What a [`Record::Message`] tells.
    pub enum MessageStep {
        Sent: "sent",
        Received: "received",
        /// The value is the name of the channel: the same at both ends, in the whole run.
        Named: "named: the value is the channel's name",
    }
}

numbered! {
    /// What a built-in did to an object.
    pub enum BuiltinOp {
        Push: "push (values)",
        Pop: "pop",
        Shift: "shift",
        Unshift: "unshift (values)",
        Splice: "splice (start, delete count, then inserted values)",
        Refill: "reorder/refill: a look of the whole follows",
        MapSet: "map set (key, value)",
        Delete: "delete (key) of Map or Set",
        Clear: "clear",
        SetAdd: "set add (value)",
        DefineProperty: "define property (key, value, then false if it is a value that cannot be written)",
        DeleteProperty: "delete property (key)",
        SetPrototype: "set prototype (object)",
        Freeze: "freeze",
        Seal: "seal",
        PreventExtensions: "prevent extensions",
        SetProperty: "set property (key, value)",
    }
}

impl BuiltinOp {
    /// The number of the first one in the trace.
    pub const FIRST: u32 = 1;
}
