//! What a recording tells whoever analyses the program: who called whom from where, and what was under keys that the source does not
//! tell. One pass over all events, with nothing in it that depends on chance: the same recording gives the same hints in the same
//! order.

mod origins;

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};
use trace_model::{
    BuiltinOp, CodeIndex, CodeSpan, FunctionIndex, FunctionKind, Hints, Node, ObjectId, ObservedCall, ObservedRead,
    ObservedWrite, SiteId, SiteKind, StringId, Value,
};
use trace_store::{EventView, RecordView, TailView, ValueView, WalkedEvent};

use crate::Trace;
use origins::Origins;

/// So many keys of one access are told: one with more takes whatever comes.
const MOST_KEYS: usize = 500;
/// A frame waits for at most so many calls at once; calls whose end no event tells are forgotten beyond.
const MOST_WAITING: usize = 256;

impl Trace<'_> {
    /// The pieces of code are numbered by whoever asks, by their first site.
    pub fn hints(&self, codes: &HashMap<SiteId, CodeIndex>) -> Hints {
        let pass = RefCell::new(Pass::new(self, codes));
        self.thread.walk(
            self.thread.first_event()..self.thread.end(),
            |frame, _| drop(pass.borrow_mut().open.remove(&frame.0)),
            |event| {
                pass.borrow_mut().event(&event);
                true
            },
        );
        pass.into_inner().finish()
    }
}

struct Pass<'p, 'a> {
    trace: &'p Trace<'a>,
    codes: &'p HashMap<SiteId, CodeIndex>,
    origins: Origins<'p, 'a>,
    open: FxHashMap<u32, Open>,
    calls: Distinct<(SiteId, FunctionIndex, Option<SiteId>, SiteId, FunctionIndex)>,
    entered: Distinct<(SiteId, FunctionIndex)>,
    /// Those of them that nobody calls.
    initialisers: FxHashSet<(SiteId, FunctionIndex)>,
    /// Site, object, key, value.
    writes: Distinct<(SiteId, ObjectId, RecordedKey, Option<ObjectId>)>,
    n_keys: FxHashMap<SiteId, usize>,
    reads: Distinct<(SiteId, ObjectId)>,
    /// Sites whose value is that of an access with a computed key.
    reading: FxHashMap<SiteId, Option<CodeSpan>>,
}

/// A frame that has not ended.
struct Open {
    unit: SiteId,
    function: FunctionIndex,
    caller: Option<u32>,
    /// The calls that it waits for, innermost last.
    calls: Vec<SiteId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum RecordedKey {
    String(StringId),
    Index(u32),
}

/// Things, each once, in the order in which they first came.
struct Distinct<T> {
    known: FxHashSet<T>,
    list: Vec<T>,
}

impl<T: Copy + Eq + Hash> Distinct<T> {
    fn new() -> Distinct<T> {
        Distinct { known: FxHashSet::default(), list: Vec::new() }
    }

    fn add(&mut self, thing: T) -> bool {
        let is_new = self.known.insert(thing);
        if is_new {
            self.list.push(thing);
        }
        is_new
    }
}

impl<'p, 'a> Pass<'p, 'a> {
    fn new(trace: &'p Trace<'a>, codes: &'p HashMap<SiteId, CodeIndex>) -> Pass<'p, 'a> {
        Pass {
            trace,
            codes,
            origins: Origins::new(trace, codes),
            open: FxHashMap::default(),
            calls: Distinct::new(),
            entered: Distinct::new(),
            initialisers: FxHashSet::default(),
            writes: Distinct::new(),
            n_keys: FxHashMap::default(),
            reads: Distinct::new(),
            reading: FxHashMap::default(),
        }
    }

    fn event(&mut self, event: &WalkedEvent) {
        match event.event {
            EventView::Site { site, value, tail } => {
                let Some((unit, brief)) = event.site else { return };
                let kind = brief.kind();
                match kind {
                    SiteKind::Enter => self.enter(event, unit, brief.function),
                    SiteKind::Call | SiteKind::Result | SiteKind::Catch | SiteKind::Finally => {
                        if let Some(open) = event.frame.and_then(|frame| self.open.get_mut(&frame.0)) {
                            open.step(kind, site);
                        }
                    }
                    SiteKind::PutComputed => {
                        if let TailView::ObjectAndKey(Some(object), key) = tail {
                            self.write(site, object, key, value);
                        }
                    }
                    SiteKind::Put => {
                        if let (TailView::Object(Some(object)), Some(value)) = (tail, value.object()) {
                            self.origins.put(site, object, value);
                        }
                    }
                    _ => {}
                }
                if let Some(object) = value.object() {
                    self.met(event, site, unit, kind, value, object);
                }
            }
            EventView::Record(RecordView::Effect { object, op, mut values }) => {
                if matches!(op, BuiltinOp::DefineProperty | BuiltinOp::SetProperty)
                    && let (Some(key), Some(value)) = (values.next(), values.next())
                {
                    if let Some(value) = value.object() {
                        self.origins.defined(object, key, value);
                    }
                    if let Some(&site) = event.frame.and_then(|frame| self.open.get(&frame.0)?.calls.last()) {
                        self.write(site, object, key, value);
                    }
                }
            }
            EventView::Record(RecordView::Look { object, entries, .. }) => self.origins.looked_at(object, entries),
            EventView::Record(_) => {}
        }
    }

    fn enter(&mut self, event: &WalkedEvent, unit: SiteId, function: FunctionIndex) {
        if self.entered.add((unit, function)) {
            let code = self.trace.thread.code().unit(unit).and_then(|unit| unit.code().ok());
            if code.is_none_or(|code| code.sites.function(function).kind == FunctionKind::ClassInit) {
                self.initialisers.insert((unit, function));
            }
        }
        let is_called = !self.initialisers.contains(&(unit, function));
        if let Some(caller) = event.caller.filter(|_| is_called).and_then(|caller| self.open.get(&caller.0)) {
            self.calls.add((caller.unit, caller.function, caller.calls.last().copied(), unit, function));
        }
        if let Some(frame) = event.frame {
            let caller = event.caller.map(|caller| caller.0);
            self.open.insert(frame.0, Open { unit, function, caller, calls: Vec::new() });
        }
    }

    /// Where objects come from, and which were read under computed keys.
    fn met(
        &mut self,
        event: &WalkedEvent,
        site: SiteId,
        unit: SiteId,
        kind: SiteKind,
        value: ValueView,
        object: ObjectId,
    ) {
        let is_new = value.new_object().is_some();
        if let Some((_, Some(prototype))) = value.new_object()
            && kind == SiteKind::This
            && let Some(open) = event.frame.and_then(|frame| self.open.get(&frame.0))
        {
            self.origins.instance(prototype, open.unit, open.function);
        }
        if matches!(kind, SiteKind::Var | SiteKind::Argument | SiteKind::Return | SiteKind::Put)
            && self.reads_computed(site).is_some()
        {
            self.reads.add((site, object));
        }
        let open = &self.open;
        self.origins.met(site, unit, kind, object, || {
            // Made by the call that the caller waits for.
            let caller = event.frame.and_then(|frame| open.get(&frame.0)?.caller);
            caller.filter(|_| is_new).and_then(|caller| open.get(&caller)?.calls.last().copied())
        });
    }

    fn write(&mut self, site: SiteId, object: ObjectId, key: ValueView, value: ValueView) {
        let key = match key.value() {
            Some(Value::String(text)) => RecordedKey::String(text),
            Some(Value::Number(number)) if number >= 0.0 && number.fract() == 0.0 => RecordedKey::Index(number as u32),
            _ => return,
        };
        let n_keys = self.n_keys.entry(site).or_default();
        if *n_keys < MOST_KEYS && self.writes.add((site, object, key, value.object())) {
            *n_keys += 1;
        }
    }

    /// The access with a computed key that the value of a site is, if it is one.
    fn reads_computed(&mut self, site: SiteId) -> Option<CodeSpan> {
        if let Some(&known) = self.reading.get(&site) {
            return known;
        }
        let found = self.computed_access(site);
        self.reading.insert(site, found);
        found
    }

    fn computed_access(&self, site: SiteId) -> Option<CodeSpan> {
        let code = self.trace.code(site)?;
        let value = code.site_facts(site).value?;
        let expression = code.expression(value);
        let is_computed = matches!(&expression.node, Node::Member { key: trace_model::Key::Computed(_), .. });
        is_computed.then(|| Some(CodeSpan { code: *self.codes.get(&code.base())?, span: expression.span })).flatten()
    }

    fn finish(mut self) -> Hints {
        self.origins.settle();
        let origins = &mut self.origins;
        let mut hints = Hints::default();
        for site in origins.born() {
            hints.births.extend(origins.place(site));
        }
        for &(unit, index) in &self.entered.list {
            hints.entered.extend(origins.function(unit, index));
        }
        for &(caller_unit, caller, site, callee_unit, callee) in &self.calls.list {
            let functions = (origins.function(caller_unit, caller), origins.function(callee_unit, callee));
            let (Some(caller), Some(callee)) = functions else { continue };
            let span = site.and_then(|site| Some(self.trace.site(site)?.site.span));
            hints.calls.push(ObservedCall { caller, span, callee });
        }
        let mut known: FxHashSet<ObservedWrite> = FxHashSet::default();
        for &(site, object, key, value) in &self.writes.list {
            let Some(at) = origins.place(site) else { continue };
            let key = match key {
                RecordedKey::String(text) => origins.text(text),
                RecordedKey::Index(index) => Some(index.to_string()),
            };
            let Some(key) = key else { continue };
            let write = ObservedWrite {
                at,
                key,
                object: origins.origin(object),
                value: value.and_then(|value| origins.origin(value)),
            };
            if known.insert(write.clone()) {
                hints.writes.push(write);
            }
        }
        let mut known: FxHashSet<ObservedRead> = FxHashSet::default();
        for &(site, object) in &self.reads.list {
            let at = self.reading.get(&site).copied().flatten();
            if let (Some(at), Some(value)) = (at, origins.origin(object)) {
                let read = ObservedRead { at, value };
                if known.insert(read.clone()) {
                    hints.reads.push(read);
                }
            }
        }
        hints
    }
}

impl Open {
    fn step(&mut self, kind: SiteKind, site: SiteId) {
        match kind {
            SiteKind::Call => {
                if self.calls.len() >= MOST_WAITING {
                    self.calls.drain(..MOST_WAITING / 2);
                }
                self.calls.push(site);
            }
            SiteKind::Result => drop(self.calls.pop()),
            _ => self.calls.clear(),
        }
    }
}
