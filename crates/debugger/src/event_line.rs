use trace_model::{self as model, BuiltinOp, Event, EventId, MessageStep, ObjectClass, Record, SiteKind, TailValues};
use trace_store::{CallStack, SiteRef, Step, Thread};

use crate::Value;

/// One event, for people and for tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventLine {
    /// From 1, in the order in which the threads of the run started.
    pub thread: usize,
    pub event: u64,
    /// Number of frames on the stack.
    pub depth: usize,
    pub kind: &'static str,
    /// Relative to where the program was started; nothing for records of the runtime itself.
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub function: Option<String>,
    /// Variable or key, or keys of a literal.
    pub names: Vec<String>,
    pub value: Option<Value>,
    /// The object that the event is about, other than its value.
    pub object: Option<u32>,
    pub key: Option<Value>,
    /// The frame that the event is in.
    pub frame: Option<u32>,
    /// Of a function's entry: the scope in which it was created. Of a scope: its number.
    pub scope: Option<u32>,
    /// What the literal, look or effect holds, in order; keys and values in turn for a look.
    pub values: Vec<Value>,
    /// What happened, as the source would write it.
    pub text: String,
}

impl EventLine {
    pub(crate) fn new(
        thread: &Thread,
        number: usize,
        id: EventId,
        event: &Event,
        stack: &CallStack,
        folder: &str,
    ) -> EventLine {
        let around = Around {
            depth: stack.frames().len(),
            frame: stack.top().map(|frame| frame.id.0),
            scope: Some(stack.last_number().0),
        };
        EventLine::within(thread, number, id, event, around, folder)
    }

    /// An event that was found on its own, with the number of frames on the stack there.
    pub(crate) fn of_step(thread: &Thread, number: usize, step: &Step, depth: usize, folder: &str) -> EventLine {
        let around = Around { depth, frame: step.frame.map(|frame| frame.0), scope: None };
        EventLine::within(thread, number, step.id, &step.event, around, folder)
    }

    fn within(thread: &Thread, number: usize, id: EventId, event: &Event, around: Around, folder: &str) -> EventLine {
        let mut line = EventLine {
            thread: number,
            event: id.0,
            depth: around.depth,
            kind: kind_name(event, thread),
            file: None,
            line: None,
            column: None,
            function: None,
            names: Vec::new(),
            value: None,
            object: None,
            key: None,
            frame: None,
            scope: None,
            values: Vec::new(),
            text: String::new(),
        };
        match event {
            Event::Site { site, value, tail } => {
                line.value = value.map(|value| Value::new(value, thread));
                line.add_tail(tail, thread);
                if let Some(site) = thread.site(*site) {
                    line.add_site(&site, around, folder);
                }
            }
            Event::Record(record) => line.add_record(record, thread),
        }
        line
    }

    fn add_tail(&mut self, tail: &TailValues, thread: &Thread) {
        match tail {
            // The stack took a frame's number already.
            TailValues::None | TailValues::Frame(_) => {}
            TailValues::ParentScope(scope) => self.scope = scope.map(|scope| scope.0),
            TailValues::Object(object) => self.object = object.map(|object| object.0),
            TailValues::ObjectAndKey(object, key) => {
                self.object = object.map(|object| object.0);
                self.key = Some(Value::new(*key, thread));
            }
            TailValues::Values(values) => self.values = texts(values, thread),
        }
    }

    fn add_site(&mut self, site: &SiteRef, around: Around, folder: &str) {
        let place = site.place();
        self.file = Some(relative(place.map_or(site.path(), |place| place.path), folder).into());
        self.line = place.map(|place| place.position.line);
        self.column = place.map(|place| place.position.column);
        self.function = Some(site.name(site.function().name).into());
        // A literal is the last of the names.
        let n_names = site.site.names.len() - usize::from(site.site.literal().is_some());
        self.names = site.site.names[..n_names].iter().map(|name| site.name(*name).into()).collect();
        self.frame = around.frame;
        if site.site.kind == SiteKind::Scope {
            self.scope = around.scope;
        }
        self.text = self.site_text(site.site.kind);
    }

    fn site_text(&self, kind: SiteKind) -> String {
        let name = self.names.first().map_or("", String::as_str);
        let value = self.value.as_ref().map_or("", |value| value.text.as_str());
        let object = self.object.map_or("<primitive>".into(), |object| format!("#{object}"));
        let key = self.key.as_ref().map_or("", |key| key.text.as_str());
        let values = || self.values.iter().map(|value| value.text.as_str());
        match kind {
            SiteKind::Enter => {
                let frame = self.frame.unwrap_or_default();
                format!(
                    "{} (frame {frame})",
                    self.function.as_deref().filter(|name| !name.is_empty()).unwrap_or("<anonymous>")
                )
            }
            SiteKind::Scope => format!("(scope {})", self.scope.unwrap_or_default()),
            SiteKind::Var | SiteKind::Param | SiteKind::Carry => format!("{name} = {value}"),
            SiteKind::VarIncrement => format!("{name}++ was {value}"),
            SiteKind::VarDecrement => format!("{name}-- was {value}"),
            SiteKind::Put | SiteKind::Field => format!("{object}.{name} = {value}"),
            SiteKind::PutIncrement => format!("{object}.{name}++ was {value}"),
            SiteKind::PutDecrement => format!("{object}.{name}-- was {value}"),
            SiteKind::PutComputed => format!("{object}[{key}] = {value}"),
            SiteKind::PutComputedIncrement => format!("{object}[{key}]++ was {value}"),
            SiteKind::PutComputedDecrement => format!("{object}[{key}]-- was {value}"),
            SiteKind::Delete => format!("{object}.{name}: {value}"),
            SiteKind::DeleteComputed => format!("{object}[{key}]: {value}"),
            SiteKind::ObjectLiteral => {
                let entries: Vec<_> =
                    self.names.iter().zip(values()).map(|(key, value)| format!("{key}: {value}")).collect();
                format!("{value} = {{{}}}", entries.join(", "))
            }
            SiteKind::ArrayLiteral => format!("{value} = [{}]", values().collect::<Vec<_>>().join(", ")),
            SiteKind::Catch | SiteKind::Finally | SiteKind::Resume | SiteKind::LateResume => {
                let frame = self.frame.unwrap_or_default();
                [name, value, &format!("(frame {frame})")]
                    .iter()
                    .filter(|part| !part.is_empty())
                    .copied()
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            _ if name.is_empty() => value.into(),
            _ if value.is_empty() => name.into(),
            _ => format!("{name} = {value}"),
        }
    }

    fn add_record(&mut self, record: &Record, thread: &Thread) {
        self.text = match record {
            Record::String(id, text) => format!("s{} = {}", id.0, quoted(text, thread)),
            Record::Symbol(id, description) => {
                let description = description.and_then(|id| thread.string(id)).unwrap_or_default();
                format!("y{} = Symbol({description})", id.0)
            }
            Record::Look { object, class, name, size, entries, .. } => {
                self.object = Some(object.0);
                self.values = entries.iter().flat_map(|(key, value)| texts(&[*key, *value], thread)).collect();
                let name = name.and_then(|id| thread.string(id)).map(|name| format!(" {name}")).unwrap_or_default();
                let pairs = self.values.chunks(2).map(|pair| format!("{}: {}", pair[0].text, pair[1].text));
                let mut pairs: Vec<_> = pairs.collect();
                if (*size as usize) > pairs.len() {
                    pairs.push(format!("… {} in all", size));
                }
                format!("#{} {}{name} {{{}}}", object.0, class_name(*class), pairs.join(", "))
            }
            Record::Effect { object, op, values } => {
                self.object = Some(object.0);
                self.values = texts(values, thread);
                let values: Vec<_> = self.values.iter().map(|value| value.text.as_str()).collect();
                format!("#{} {} {}", object.0, op_name(*op), values.join(", ")).trim_end().into()
            }
            Record::Output { fd, bytes, text } => {
                let text = text
                    .and_then(|id| thread.string(id))
                    .map_or(format!("{bytes} bytes"), |text| quoted(&text, thread));
                format!("{} {text}", fd_name(*fd))
            }
            Record::Uncaught { rejection, value } => {
                let value = self.value.insert(Value::new(*value, thread));
                format!("{}{}", if *rejection { "rejection " } else { "" }, value.text)
            }
            Record::Message { step, channel, from, length, value } => {
                let value = self.value.insert(Value::new(*value, thread));
                match (step, length) {
                    (MessageStep::Named, _) => format!("channel {channel} is {}", value.text),
                    (_, 1) => format!("{from} of channel {channel}: {}", value.text),
                    (_, length) => format!("{from}–{} of channel {channel}: {}", from + u64::from(*length), value.text),
                }
            }
            Record::ThreadEnd { code } => format!("exit code {code}"),
            Record::Time { micros } => format!("{}.{:03} ms", micros / 1000, micros % 1000),
            Record::Gap { reason: 1 } => "the disk was full: events are missing".into(),
            Record::Gap { .. } => "events are missing".into(),
        };
    }
}

/// Where an event is on the stack.
#[derive(Clone, Copy)]
struct Around {
    depth: usize,
    frame: Option<u32>,
    /// The newest frame or scope.
    scope: Option<u32>,
}

/// The kinds of events that are not at a site.
pub(crate) const RECORD_KINDS: [&str; 12] = [
    "String",
    "Symbol",
    "Look",
    "Effect",
    "Output",
    "Uncaught",
    "Sent",
    "Received",
    "Channel",
    "ThreadEnd",
    "Time",
    "Gap",
];

pub(crate) fn kind_name(event: &Event, thread: &Thread) -> &'static str {
    match event {
        Event::Site { site, .. } => thread.site(*site).map_or("?", |site| site.site.kind.name()),
        Event::Record(Record::String(..)) => "String",
        Event::Record(Record::Symbol(..)) => "Symbol",
        Event::Record(Record::Look { .. }) => "Look",
        Event::Record(Record::Effect { .. }) => "Effect",
        Event::Record(Record::Output { .. }) => "Output",
        Event::Record(Record::Uncaught { .. }) => "Uncaught",
        Event::Record(Record::Message { step: MessageStep::Sent, .. }) => "Sent",
        Event::Record(Record::Message { step: MessageStep::Received, .. }) => "Received",
        Event::Record(Record::Message { step: MessageStep::Named, .. }) => "Channel",
        Event::Record(Record::ThreadEnd { .. }) => "ThreadEnd",
        Event::Record(Record::Time { .. }) => "Time",
        Event::Record(Record::Gap { .. }) => "Gap",
    }
}

/// A path as the user would write it where the program was started.
pub(crate) fn relative<'p>(path: &'p str, folder: &str) -> &'p str {
    let path = path.strip_prefix("file://").unwrap_or(path);
    path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}

fn texts(values: &[model::Value], thread: &Thread) -> Vec<Value> {
    values.iter().map(|value| Value::new(*value, thread)).collect()
}

fn fd_name(fd: u32) -> String {
    match fd {
        1 => "stdout".into(),
        2 => "stderr".into(),
        fd => format!("fd {fd}"),
    }
}

fn class_name(class: ObjectClass) -> String {
    format!("{class:?}").to_lowercase()
}

/// `DefineProperty` → `define property`.
fn op_name(op: BuiltinOp) -> String {
    let mut name = String::new();
    for c in format!("{op:?}").chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push(' ');
        }
        name.extend(c.to_lowercase());
    }
    name
}

fn quoted(text: &str, thread: &Thread) -> String {
    thread.language().text(&trace_model::Datum::String(text.into()))
}
