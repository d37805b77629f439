//! What a recording tells whoever analyses the program: who called whom from where, and what was under keys that the source does not
//! tell. One pass over all events.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use trace_model::{
    BuiltinOp, CodeFunction, CodeIndex, CodeSpan, FunctionIndex, FunctionKind, Hints, Node, ObjectId, ObservedCall,
    ObservedObject, ObservedRead, ObservedWrite, SiteId, SiteKind, Value,
};
use trace_store::{RawEvent, RawRecord, RawTail, RawValue, WalkedEvent};

use crate::Trace;

/// So many objects are told apart by their births; what comes later is not hinted at.
const MOST_OBJECTS: usize = 4_000_000;
/// So many keys of one access are told: one with more takes whatever comes.
const MOST_KEYS: usize = 500;
/// The index is asked for so many objects whose birth the pass did not see.
const MOST_ASKED: usize = 300;

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
    open: HashMap<u32, Open>,
    calls: HashSet<(SiteId, FunctionIndex, Option<SiteId>, SiteId, FunctionIndex)>,
    entered: HashSet<(SiteId, FunctionIndex)>,
    births: HashMap<u32, Birth>,
    /// Prototypes of instances, and the functions that made these.
    prototypes: HashMap<u32, (SiteId, FunctionIndex)>,
    /// Site, object, key, value.
    writes: HashSet<(SiteId, u32, RawKey, u32)>,
    n_keys: HashMap<SiteId, usize>,
    reads: HashSet<(SiteId, u32)>,
    /// Objects that the index was asked for.
    asked: HashSet<u32>,
    /// Sites whose value is that of an access with a computed key.
    reading: HashMap<SiteId, Option<CodeSpan>>,
}

/// A frame that has not ended.
struct Open {
    unit: SiteId,
    function: FunctionIndex,
    caller: Option<u32>,
    /// The calls that it waits for, innermost last.
    calls: Vec<SiteId>,
}

#[derive(Clone, Copy)]
enum Birth {
    At(SiteId),
    Function(SiteId, FunctionIndex),
    ExportsOf(SiteId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum RawKey {
    String(u32),
    Index(u32),
}

impl<'p, 'a> Pass<'p, 'a> {
    fn new(trace: &'p Trace<'a>, codes: &'p HashMap<SiteId, CodeIndex>) -> Pass<'p, 'a> {
        Pass {
            trace,
            codes,
            open: HashMap::new(),
            calls: HashSet::new(),
            entered: HashSet::new(),
            births: HashMap::new(),
            prototypes: HashMap::new(),
            writes: HashSet::new(),
            n_keys: HashMap::new(),
            reads: HashSet::new(),
            asked: HashSet::new(),
            reading: HashMap::new(),
        }
    }

    fn event(&mut self, event: &WalkedEvent) {
        match event.raw {
            RawEvent::Site { site, value, tail } => {
                let Some((unit, brief)) = event.site else { return };
                let kind = brief.kind();
                match kind {
                    SiteKind::Enter => self.enter(event, unit, brief.function),
                    SiteKind::Call => {
                        if let Some(open) = event.frame.and_then(|frame| self.open.get_mut(&frame.0)) {
                            open.calls.push(site);
                        }
                    }
                    SiteKind::Result => {
                        if let Some(open) = event.frame.and_then(|frame| self.open.get_mut(&frame.0)) {
                            open.calls.pop();
                        }
                    }
                    SiteKind::Catch | SiteKind::Finally => {
                        if let Some(open) = event.frame.and_then(|frame| self.open.get_mut(&frame.0)) {
                            open.calls.clear();
                        }
                    }
                    SiteKind::PutComputed => {
                        if let RawTail::ObjectAndKey(object, key) = tail {
                            self.write(site, object, key, value);
                        }
                    }
                    _ => {}
                }
                if let Some(object) = value.object() {
                    self.met(event, site, unit, kind, value, object);
                }
            }
            RawEvent::Record(RawRecord::Effect { object, op, mut values }) => {
                if matches!(op, BuiltinOp::DefineProperty | BuiltinOp::SetProperty)
                    && let (Some(key), Some(value)) = (values.next(), values.next())
                    && let Some(&site) = event.frame.and_then(|frame| self.open.get(&frame.0)?.calls.last())
                {
                    self.write(site, object, key, value);
                }
            }
            RawEvent::Record(_) => {}
        }
    }

    fn enter(&mut self, event: &WalkedEvent, unit: SiteId, function: FunctionIndex) {
        self.entered.insert((unit, function));
        let code = self.trace.thread.code().unit(unit).and_then(|unit| unit.code().ok());
        // Nobody calls an initialiser.
        let is_called = code.is_some_and(|code| code.sites.function(function).kind != FunctionKind::ClassInit);
        if let Some(caller) = event.caller.filter(|_| is_called).and_then(|caller| self.open.get(&caller.0)) {
            self.calls.insert((caller.unit, caller.function, caller.calls.last().copied(), unit, function));
        }
        if let Some(frame) = event.frame {
            self.open.insert(
                frame.0,
                Open { unit, function, caller: event.caller.map(|caller| caller.0), calls: Vec::new() },
            );
        }
    }

    /// Where objects come from, and which were read under computed keys.
    fn met(&mut self, event: &WalkedEvent, site: SiteId, unit: SiteId, kind: SiteKind, value: RawValue, object: u32) {
        if let Some((_, prototype)) = value.new_object()
            && kind == SiteKind::This
            && let Some(open) = event.frame.and_then(|frame| self.open.get(&frame.0))
            && prototype != 0
        {
            self.prototypes.entry(prototype).or_insert((open.unit, open.function));
        }
        if matches!(kind, SiteKind::Var | SiteKind::Argument | SiteKind::Return | SiteKind::Put)
            && self.reads_computed(site).is_some()
        {
            self.reads.insert((site, object));
        }
        if self.births.contains_key(&object) || self.births.len() > MOST_OBJECTS {
            return;
        }
        let known = self.trace.site(site);
        let literal = known.and_then(|site| site.site.literal_function());
        let birth = match kind {
            SiteKind::ObjectLiteral | SiteKind::ArrayLiteral | SiteKind::Literal | SiteKind::ClassBirth => {
                Some(Birth::At(site))
            }
            _ if literal.is_some() => literal.map(|function| Birth::Function(unit, function)),
            SiteKind::This => {
                // Made by the call that the caller waits for.
                let caller = event.frame.and_then(|frame| self.open.get(&frame.0)?.caller);
                let call = caller.and_then(|caller| self.open.get(&caller)?.calls.last().copied());
                call.filter(|_| value.new_object().is_some()).map(Birth::At)
            }
            SiteKind::Param => {
                let name = known.and_then(|site| Some(site.name(*site.site.names.first()?)));
                let is_top = known.is_some_and(|site| site.site.function.0 == 0);
                (is_top && name == Some("exports")).then_some(Birth::ExportsOf(unit))
            }
            _ => None,
        };
        if let Some(birth) = birth {
            self.births.insert(object, birth);
        }
    }

    fn write(&mut self, site: SiteId, object: u32, key: RawValue, value: RawValue) {
        let key = match key.value() {
            Some(Value::String(text)) => RawKey::String(text.0),
            Some(Value::Number(number)) if number >= 0.0 && number.fract() == 0.0 => RawKey::Index(number as u32),
            _ => return,
        };
        let n_keys = self.n_keys.entry(site).or_default();
        if *n_keys < MOST_KEYS && self.writes.insert((site, object, key, value.object().unwrap_or(0))) {
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
        let mut hints = Hints::default();
        let function =
            |unit: SiteId, function: FunctionIndex| Some(CodeFunction { code: *self.codes.get(&unit)?, function });
        let born = self.births.values().filter_map(|birth| match birth {
            Birth::At(site) => Some(*site),
            Birth::Function(..) | Birth::ExportsOf(_) => None,
        });
        let born: HashSet<SiteId> = born.collect();
        hints.births = born.into_iter().filter_map(|site| self.place(site)).collect();
        for &(unit, index) in &self.entered {
            hints.entered.extend(function(unit, index));
        }
        for &(caller_unit, caller, site, callee_unit, callee) in &self.calls {
            let (Some(caller), Some(callee)) = (function(caller_unit, caller), function(callee_unit, callee)) else {
                continue;
            };
            let span = site.and_then(|site| Some(self.trace.site(site)?.site.span));
            hints.calls.push(ObservedCall { caller, span, callee });
        }
        let mut writes: HashSet<ObservedWrite> = HashSet::new();
        for (site, object, key, value) in std::mem::take(&mut self.writes) {
            let Some(at) = self.place(site) else { continue };
            let key = match key {
                RawKey::String(text) => match self.trace.thread.string(trace_model::StringId(text)) {
                    Some(text) => text.to_string(),
                    None => continue,
                },
                RawKey::Index(index) => index.to_string(),
            };
            let (object, value) = (self.origin(object), self.origin(value));
            writes.insert(ObservedWrite { at, key, object, value });
        }
        hints.writes = writes.into_iter().collect();
        let mut reads: HashSet<ObservedRead> = HashSet::new();
        for (site, object) in std::mem::take(&mut self.reads) {
            let at = self.reading.get(&site).copied().flatten();
            if let (Some(at), Some(value)) = (at, self.origin(object)) {
                reads.insert(ObservedRead { at, value });
            }
        }
        hints.reads = reads.into_iter().collect();
        hints
    }

    fn place(&self, site: SiteId) -> Option<CodeSpan> {
        let known = self.trace.site(site)?;
        Some(CodeSpan { code: *self.codes.get(&known.unit.record.base)?, span: known.site.span })
    }

    fn origin(&mut self, object: u32) -> Option<ObservedObject> {
        if object == 0 {
            return None;
        }
        if let Some(&birth) = self.births.get(&object) {
            return match birth {
                Birth::At(site) => self.place(site).map(ObservedObject::Born),
                Birth::Function(unit, function) => {
                    Some(ObservedObject::Function(CodeFunction { code: *self.codes.get(&unit)?, function }))
                }
                Birth::ExportsOf(unit) => self.codes.get(&unit).copied().map(ObservedObject::ExportsOf),
            };
        }
        if let Some(&(unit, function)) = self.prototypes.get(&object) {
            return Some(ObservedObject::PrototypeOf(CodeFunction { code: *self.codes.get(&unit)?, function }));
        }
        if !self.asked.insert(object) || self.asked.len() > MOST_ASKED {
            return None;
        }
        let (unit, function) = self.trace.function_of(ObjectId(object))?;
        self.births.insert(object, Birth::Function(unit, function));
        Some(ObservedObject::Function(CodeFunction { code: *self.codes.get(&unit)?, function }))
    }
}
