//! Where a question stands: a moment in a frame, in which names mean something.

use trace_model::{
    Event, EventId, FrameId, FunctionKind, Owner, SiteId, SiteKind, TailValues, Value, VariableIndex, VariableKind,
};
use trace_store::{Step, Target, VariablePlace};

use crate::objects::stepped;
use crate::unrecorded::UNRECORDED;
use crate::{Code, Datum, Trace};

/// The moment just before an event, seen from a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scene {
    pub before: EventId,
    pub frame: Option<FrameId>,
    /// The statement that names are looked up in, where the moment lies behind it.
    pub within: Option<u32>,
    /// The first site of the code that names are looked up in.
    pub unit: SiteId,
}

pub(crate) const BEFORE_RECORDING: &str = "it may have been written before what is kept of the recording";

/// What a variable holds at a moment.
#[derive(Clone, Debug)]
pub enum VariableState {
    Written {
        value: Datum,
        since: Step,
    },
    /// It was declared, and nothing was ever put into it.
    NeverWritten,
    NotCaptured(&'static str),
}

impl VariableState {
    pub fn value(&self) -> Datum {
        match self {
            VariableState::Written { value, .. } => value.clone(),
            VariableState::NeverWritten => Datum::Undefined,
            VariableState::NotCaptured(_) => Datum::NotCaptured,
        }
    }
}

impl Trace<'_> {
    /// The scene of an event: the moment before it, in its frame.
    pub fn scene(&self, step: &Step) -> Option<Scene> {
        let unit = match step.site() {
            Some(site) => self.thread.code().unit(site)?.record.base,
            None => {
                // A function that told nothing of itself may be the innermost.
                self.rests_on_frames();
                self.frame(step.frame?)?.unit
            }
        };
        if let (None, Some(site)) = (step.frame, step.site().and_then(|site| self.site(site))) {
            self.rests_on_function_entry(unit, site.site.function);
        }
        Some(Scene { before: step.id, frame: step.frame, unit, within: None })
    }

    /// The variable as a place: which instance of its scope it lives in. `None` if that instance is not known.
    pub fn variable_place(&self, scene: Scene, variable: VariableIndex) -> Option<VariablePlace> {
        let code = self.thread.code().unit(scene.unit)?.code().ok()?;
        let owner = code.sites.variables.get(variable.0 as usize)?.owner;
        let owner = match owner {
            Owner::Global => None,
            owner => Some(self.owner(scene.frame?, scene.before, scene.unit, owner)?),
        };
        Some(VariablePlace { unit: scene.unit, variable, owner })
    }

    pub fn variable(&self, place: &VariablePlace, before: EventId) -> VariableState {
        let code = self.thread.code().unit(place.unit).and_then(|unit| unit.code().ok());
        let declared = code.and_then(|code| code.sites.variables.get(place.variable.0 as usize));
        if declared.is_some_and(|declared| declared.kind == VariableKind::Import) {
            return match self.imported_place(place, before) {
                Some(exported) => self.variable(&exported, before),
                None => VariableState::NotCaptured("it is imported"),
            };
        }
        let name = code.zip(declared).map(|(code, declared)| code.sites.name(declared.name));
        let own = self.last(&Target::Variable(*place), before);
        let since = own.as_ref().map(|write| write.id);
        if name.is_some_and(|name| self.may_variable_be_written_unrecorded(place.unit, name, since, before)) {
            return VariableState::NotCaptured(UNRECORDED);
        }
        if let Some((since, value)) = self.write_as_element(place, own.as_ref(), before) {
            return VariableState::Written { value, since };
        }
        match own {
            Some(step) => match self.written_value(&step) {
                Some(value) => VariableState::Written { value, since: step },
                None => VariableState::NotCaptured("the value was not recorded"),
            },
            None => match declared.map(|declared| declared.kind) {
                Some(VariableKind::Parameter) if self.is_at_entry(place, before) => VariableState::NotCaptured(
                    "at the entry of a call its arguments are not bound yet; its first statement has them",
                ),
                Some(VariableKind::Parameter | VariableKind::Catch) => {
                    VariableState::NotCaptured("the value was not recorded")
                }
                Some(VariableKind::Function | VariableKind::Class) => self
                    .named_function(place, before)
                    .unwrap_or(VariableState::NotCaptured("its definition was not recorded")),
                _ if self.is_older_than_recording(place) => VariableState::NotCaptured(BEFORE_RECORDING),
                _ => VariableState::NeverWritten,
            },
        }
    }

    /// Whether a variable is asked about at the very event that enters its frame.
    fn is_at_entry(&self, place: &VariablePlace, before: EventId) -> bool {
        place.owner.and_then(|owner| self.frame(owner)).is_some_and(|frame| before <= frame.entered)
    }

    /// The variable that an imported name stands for.
    pub(crate) fn imported_place(&self, place: &VariablePlace, before: EventId) -> Option<VariablePlace> {
        let code = self.thread.code().unit(place.unit)?.code().ok()?;
        let declared = code.sites.variables.get(place.variable.0 as usize)?;
        match declared.kind {
            VariableKind::Import => self.imported(place.unit, place.variable, before),
            _ => None,
        }
    }

    /// Whether what a variable lives in began before the first event that is kept.
    fn is_older_than_recording(&self, place: &VariablePlace) -> bool {
        let first = self.thread.first_event();
        let entered = place.owner.and_then(|owner| self.frame(owner)).map(|frame| frame.entered);
        first.0 > 0 && entered.is_none_or(|entered| entered < first)
    }

    /// Whether a write begins a variable of a block: what stood in its place the time before was another one.
    pub(crate) fn is_declaration(&self, place: &VariablePlace, write: &Step) -> bool {
        let code = self.thread.code().unit(place.unit).and_then(|unit| unit.code().ok());
        let declared = code.and_then(|code| code.sites.variables.get(place.variable.0 as usize));
        let site = write.site().and_then(|site| self.site(site)).filter(|site| site.unit.record.base == place.unit);
        let (Some(declared), Some(site)) = (declared, site) else { return false };
        let span = site.site.span;
        matches!(declared.kind, VariableKind::Let | VariableKind::Const)
            && span.start <= declared.span.start
            && declared.span.end <= span.end
    }

    /// The variable in the instance of its block that came before: that of the time round before.
    pub(crate) fn instance_before(&self, place: &VariablePlace) -> Option<VariablePlace> {
        let instance = self.frame(place.owner?)?;
        let owner = Owner::Block(instance.site?);
        let earlier = self.owner(instance.frame, instance.entered, place.unit, owner)?;
        Some(VariablePlace { owner: Some(earlier), ..*place })
    }

    /// What an event wrote to its variable or property.
    pub fn written_value(&self, step: &Step) -> Option<Datum> {
        let Event::Site { value, .. } = &step.event else { return None };
        let value = self.datum((*value)?);
        Some(match self.kind(step)? {
            SiteKind::VarIncrement | SiteKind::PutIncrement | SiteKind::PutComputedIncrement => stepped(&value, 1.0),
            SiteKind::VarDecrement | SiteKind::PutDecrement | SiteKind::PutComputedDecrement => stepped(&value, -1.0),
            _ => value,
        })
    }

    /// `this` of a frame; arrow functions have that of the function around them.
    pub fn this(&self, frame: FrameId) -> Option<(Datum, Step)> {
        let mut frame = frame;
        for _ in 0..MOST_ARROWS {
            let info = self.frame(frame)?;
            let code = self.thread.code().unit(info.unit)?.code().ok()?;
            let sites = self.sites_of_function(info.unit, info.function, |kind| kind == SiteKind::This);
            // An arrow function in an initialiser tells itself, as its scope does not lead there.
            if code.sites.function(info.function).kind != FunctionKind::Arrow || !sites.is_empty() {
                let step = self.next(&Target::SitesInFrame(frame, &sites), info.entered)?;
                let Event::Site { value: Some(value), .. } = &step.event else { return None };
                return Some((self.datum(*value), step));
            }
            let around = self.frame(info.scope?)?;
            frame = around.frame;
        }
        None
    }

    /// The `arguments` object of a frame.
    pub fn arguments(&self, frame: FrameId) -> Option<(Datum, Step)> {
        let info = self.frame(frame)?;
        let sites = self.sites_of_function(info.unit, info.function, |kind| kind == SiteKind::Arguments);
        let step = self.next(&Target::SitesInFrame(frame, &sites), info.entered)?;
        let Event::Site { value: Some(value), .. } = &step.event else { return None };
        Some((self.datum(*value), step))
    }

    /// The variables that a person sees at a moment, innermost first, with the code they belong to.
    pub fn names_in_scope(&self, scene: Scene) -> Vec<VariableIndex> {
        let Some(code) = self.code(scene.unit) else { return Vec::new() };
        self.statement_at(&code, scene)
            .map(|statement| code.facts.names_in_scope(statement).collect())
            .unwrap_or_default()
    }

    /// The statement that a scene is in; the first one where nothing of its frame has happened.
    fn statement_at(&self, code: &Code, scene: Scene) -> Option<u32> {
        self.statement_reached(code, scene).or_else(|| {
            let info = self.frame(scene.frame?)?;
            code.facts.functions.get(info.function.0 as usize)?.statements.first().copied()
        })
    }

    /// The statement of the event, or of the newest event of its frame.
    pub(crate) fn statement_reached(&self, code: &Code, scene: Scene) -> Option<u32> {
        self.statement_here(code, scene).or_else(|| {
            let newest = self.previous_in_frame(scene.frame?, scene.before)?;
            statement_of(code, scene, &newest)
        })
    }

    /// The statement of the event, where that is in the frame of the scene.
    pub(crate) fn statement_here(&self, code: &Code, scene: Scene) -> Option<u32> {
        let of_event = || self.thread.step(scene.before).and_then(|step| statement_of(code, scene, &step));
        scene.within.or_else(of_event)
    }

    /// Finds a name as the source at the scene would.
    pub fn resolve(&self, scene: Scene, name: &str) -> Option<VariableIndex> {
        let code = self.code(scene.unit)?;
        self.names_in_scope(scene).into_iter().find(|variable| code.variable_name(*variable) == name)
    }

    /// The object that a step's tail says it changed.
    pub fn changed_object(&self, step: &Step) -> Option<trace_model::ObjectId> {
        match &step.event {
            Event::Site { tail: TailValues::Object(object) | TailValues::ObjectAndKey(object, _), .. } => *object,
            Event::Record(trace_model::Record::Effect { object, .. } | trace_model::Record::Look { object, .. }) => {
                Some(*object)
            }
            _ => None,
        }
    }

    pub fn step_value(&self, step: &Step) -> Option<Datum> {
        match &step.event {
            Event::Site { value, .. } => value.map(|value: Value| self.datum(value)),
            Event::Record(trace_model::Record::Uncaught { value, .. } | trace_model::Record::Message { value, .. }) => {
                Some(self.datum(*value))
            }
            Event::Record(_) => None,
        }
    }
}

const MOST_ARROWS: usize = 1000;

fn statement_of(code: &Code, scene: Scene, step: &Step) -> Option<u32> {
    let site = step.site().filter(|_| step.frame == scene.frame)?;
    code.unit.record.holds(site).then(|| code.site_facts(site).statement).flatten()
}
