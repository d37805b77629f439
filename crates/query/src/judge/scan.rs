//! One pass over all events: the computation tree, and what each call covered.

use std::collections::HashMap;
use std::ops::Range;

use trace_model::{EventId, FrameId, FunctionIndex, SiteId, SiteKind, StringId, Value};
use trace_store::{EventView, ValueView, WalkedEvent};

use super::chains::{Chains, Uses};
use super::{CalledFunction, EntitySets, Tree, TreeBuilder};
use crate::Trace;

/// What weighs a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scan {
    /// Edges of the flow of control: the ways that branches took, and the entry.
    Edges,
    /// Chains of definition and use of variables and properties.
    Chains,
}

/// The tree of a thread's calls in a part of it. `root` is the frame that stands for the program; `is_weighed` says of which files coverage matters.
pub fn scan(
    trace: &Trace,
    root: Option<FrameId>,
    what: Scan,
    is_weighed: &dyn Fn(&str) -> bool,
    events: Range<EventId>,
    progress: &mut dyn FnMut(u64, u64),
) -> Tree {
    trace.rests_on_everything("the tree of all calls, and what they did");
    let mut pass = Pass {
        trace,
        what,
        is_weighed,
        builder: TreeBuilder::default(),
        units: HashMap::new(),
        unit: (SiteId(0), None),
        current: Open::default(),
        others: HashMap::new(),
        initialisers: HashMap::new(),
        is_empty: HashMap::new(),
    };
    let (first, end) = (events.start, events.end);
    // The pass is told of ends and of events in turn.
    let pass_cell = std::cell::RefCell::new(&mut pass);
    trace.thread.walk(
        first..end,
        |frame, at| pass_cell.borrow_mut().leave(frame, at),
        |event| {
            pass_cell.borrow_mut().event(&event);
            if event.id.0 % PROGRESS_EVERY == 0 {
                progress(event.id.0 - first.0, end.0 - first.0);
            }
            true
        },
    );
    pass.finish();
    pass.builder.build(root)
}

const PROGRESS_EVERY: u64 = 1 << 20;

struct Pass<'p, 'a> {
    trace: &'p Trace<'a>,
    what: Scan,
    is_weighed: &'p dyn Fn(&str) -> bool,
    builder: TreeBuilder,
    /// What matters of each piece of code, by its first site.
    units: HashMap<SiteId, Option<Uses>>,
    /// The unit of the event before, and whether it is weighed.
    unit: (SiteId, Option<bool>),
    /// The frame of the event before; the others that are open.
    current: Open,
    others: HashMap<u32, Open>,
    /// Open frames of initialisers, and the frame that each is part of.
    initialisers: HashMap<u32, FrameId>,
    is_empty: HashMap<StringId, bool>,
}

/// A frame that has not ended.
#[derive(Default)]
struct Open {
    /// 0: none.
    frame: u32,
    /// Ascending.
    covered: Vec<u32>,
    /// What came last of branches that decide about others.
    branches: Vec<(u32, bool)>,
    chains: Chains,
}

impl Pass<'_, '_> {
    fn leave(&mut self, frame: FrameId, at: EventId) {
        if self.initialisers.remove(&frame.0).is_some() {
            return;
        }
        self.builder.leave(frame, at);
        let open = match self.current.frame == frame.0 {
            true => std::mem::take(&mut self.current),
            false => match self.others.remove(&frame.0) {
                Some(open) => open,
                None => return,
            },
        };
        self.close(open);
    }

    fn close(&mut self, open: Open) {
        if open.covered.is_empty() {
            return;
        }
        let set = self.builder.entities.intern(&open.covered);
        self.builder.cover(FrameId(open.frame), set);
    }

    fn finish(&mut self) {
        let current = std::mem::take(&mut self.current);
        let others = std::mem::take(&mut self.others);
        others.into_values().chain([current]).filter(|open| open.frame != 0).for_each(|open| self.close(open));
    }

    fn event(&mut self, event: &WalkedEvent) {
        let (Some((unit, brief)), Some(frame), EventView::Site { site, value, .. }) =
            (event.site, event.frame, event.event)
        else {
            return;
        };
        let kind = brief.kind();
        let caller = event.caller.map(|caller| self.call_of(caller));
        if kind == SiteKind::Enter {
            match caller.filter(|_| !brief.exact_exit() && self.is_initialiser(unit, brief.function)) {
                Some(caller) => drop(self.initialisers.insert(frame.0, caller)),
                None => {
                    let function = CalledFunction { unit, function: brief.function };
                    self.builder.enter(frame, caller, function, event.id);
                }
            }
        }
        let frame = self.call_of(frame);
        if matches!(kind, SiteKind::Exit) || !self.is_weighed(unit) {
            return;
        }
        if self.current.frame != frame.0 {
            let next = self.others.remove(&frame.0).unwrap_or_else(|| Open { frame: frame.0, ..Open::default() });
            let before = std::mem::replace(&mut self.current, next);
            if before.frame != 0 {
                self.others.insert(before.frame, before);
            }
        }
        match self.what {
            Scan::Edges => self.edge(unit, site, kind, value),
            Scan::Chains => self.chains(unit, site),
        }
    }

    /// The frame itself, or that which an initialiser is part of.
    fn call_of(&self, frame: FrameId) -> FrameId {
        self.initialisers.get(&frame.0).copied().unwrap_or(frame)
    }

    fn is_initialiser(&self, unit: SiteId, function: FunctionIndex) -> bool {
        let code = self.trace.thread.code().unit(unit).and_then(|unit| unit.code().ok());
        code.is_some_and(|code| code.sites.function(function).is_initialiser())
    }

    fn is_weighed(&mut self, unit: SiteId) -> bool {
        if let (known, Some(is_weighed)) = self.unit
            && known == unit
        {
            return is_weighed;
        }
        let is_new = !self.units.contains_key(&unit);
        if is_new {
            let path = self.trace.thread.code().unit(unit).map(|unit| unit.record.path.clone()).unwrap_or_default();
            let uses = (self.is_weighed)(&path).then(|| Uses::of(self.trace, unit, self.what));
            self.units.insert(unit, uses);
        }
        let is_weighed = self.units[&unit].is_some();
        self.unit = (unit, Some(is_weighed));
        is_weighed
    }

    fn edge(&mut self, unit: SiteId, site: SiteId, kind: SiteKind, value: ValueView) {
        use SiteKind::*;
        let way = match kind {
            Branch | Loop | Nullish => {
                let truth = self.truth(value);
                let local = site.0 - unit.0;
                let Some(Some(uses)) = self.units.get(&unit) else { return };
                // Where `a` of `a && b` decided, control leaves from there: the whole is no second edge.
                let is_decided = uses.decided_by(local).is_some_and(|(branch, at)| {
                    self.current.branches.iter().any(|(known, truth)| *known == branch && *truth == at)
                });
                if uses.decides(local) {
                    match self.current.branches.iter_mut().find(|(known, _)| *known == local) {
                        Some((_, known)) => *known = truth,
                        None => self.current.branches.push((local, truth)),
                    }
                }
                if is_decided {
                    return;
                }
                u32::from(truth)
            }
            Enter | Case | Default | Catch => 1,
            Var if self.units[&unit].as_ref().is_some_and(|uses| uses.is_loop_binding(site.0 - unit.0)) => 1,
            _ => return,
        };
        self.cover(site.0, way);
    }

    fn cover(&mut self, first: u32, second: u32) {
        let entity = self.builder.entities.number_or_new(first, second);
        if let Err(at) = self.current.covered.binary_search(&entity) {
            self.current.covered.insert(at, entity);
        }
    }

    fn chains(&mut self, unit: SiteId, site: SiteId) {
        let Some(Some(uses)) = self.units.get(&unit) else { return };
        let local = site.0 - unit.0;
        let mut found = Vec::new();
        for variable in uses.read_at(local) {
            if let Some(defined) = self.current.chains.definition(*variable) {
                found.push((unit.0 + defined, unit.0 + uses.statement(local)));
            }
        }
        if let Some(variable) = uses.written_at(local) {
            self.current.chains.define(variable, local);
        }
        for (defined, used) in found {
            self.cover(defined, used);
        }
    }

    fn truth(&mut self, value: ValueView) -> bool {
        match value.value() {
            Some(Value::Undefined | Value::Null | Value::Bool(false)) => false,
            Some(Value::Number(number)) => !(number == 0.0 || number.is_nan()),
            // The value of a call that is a condition.
            Some(Value::String(id)) => !*self
                .is_empty
                .entry(id)
                .or_insert_with(|| self.trace.thread.string(id).is_some_and(|text| text.is_empty())),
            _ => true,
        }
    }
}

impl TreeBuilder {
    /// For trees that are made by hand.
    pub fn covering(&mut self, frame: FrameId, entities: &[u32]) {
        let mut entities = entities.to_vec();
        entities.sort_unstable();
        entities.dedup();
        let set = if entities.is_empty() { EntitySets::EMPTY } else { self.entities.intern(&entities) };
        self.cover(frame, set);
    }
}
