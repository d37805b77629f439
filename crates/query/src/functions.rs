//! Which function an object is, and which objects a function became.

use trace_model::{
    Event, EventId, Function, FunctionIndex, LocalSite, ObjectClass, ObjectId, Record, Site, SiteId, SiteKind,
    SiteTable, VariableKind,
};
use trace_store::{FrameInfo, Step, Target, VariablePlace};

use crate::{Datum, Trace, VariableState};

impl Trace<'_> {
    /// `None` where the recording does not tell.
    pub fn is_function(&self, object: ObjectId) -> Option<bool> {
        use SiteKind::{Arguments, ArrayLiteral, Literal, ObjectLiteral, This};
        let birth = self.first_seen(object)?;
        match &birth.event {
            Event::Record(Record::Look { object: seen, class, .. }) if *seen == object => {
                Some(*class == ObjectClass::Function)
            }
            Event::Record(_) => None,
            // Of all that is born, only functions and classes are not looked at.
            Event::Site { .. } => {
                Some(!matches!(self.kind(&birth)?, Arguments | ArrayLiteral | Literal | ObjectLiteral | This))
            }
        }
    }

    /// Whether any event tells of an object.
    pub(crate) fn is_met(&self, object: ObjectId) -> bool {
        let is_told = |target: Target| self.thread.next(&target, self.thread.first_event()).is_some();
        is_told(Target::Object(object)) || is_told(Target::Mentions(object))
    }

    /// A declared function has no birth of its own: it is first seen as the value of its variable.
    pub(crate) fn first_seen(&self, object: ObjectId) -> Option<Step> {
        self.birth(object).or_else(|| self.thread.next(&Target::Mentions(object), self.thread.first_event()))
    }

    /// The source of a function object, if its birth was recorded.
    pub fn function_of(&self, object: ObjectId) -> Option<(SiteId, FunctionIndex)> {
        let born = self.first_seen(object).and_then(|birth| self.born_function(&birth));
        if born.is_none() {
            self.rests_on_everything("where the function was made is not recorded");
        }
        born
    }

    fn born_function(&self, birth: &Step) -> Option<(SiteId, FunctionIndex)> {
        let site = self.site(birth.site()?)?;
        if site.site.kind == SiteKind::ArrayLiteral {
            return None;
        }
        let function = match site.site.literal_function() {
            Some(function) => function,
            None => declared_function(&site.code.sites, site.site)?,
        };
        Some((site.unit.record.base, function))
    }

    /// The objects that the function of a frame was when the frame was entered: those born in the scope that the frame has.
    pub fn function_objects(&self, frame: &FrameInfo) -> Vec<ObjectId> {
        let Some(unit) = self.thread.code().unit(frame.unit) else { return Vec::new() };
        let Ok(code) = unit.code() else { return Vec::new() };
        let births: Vec<SiteId> = code
            .sites
            .sites
            .iter()
            .enumerate()
            .filter(|(_, site)| {
                let is_literal = site.literal_function() == Some(frame.function);
                is_literal || site.kind == SiteKind::Var && declared_function(&code.sites, site) == Some(frame.function)
            })
            .map(|(number, _)| unit.site(LocalSite(number as u32)))
            .collect();
        let around = frame.scope.and_then(|scope| self.frame(scope)).map(|scope| scope.frame);
        let mut objects = Vec::new();
        let mut before = frame.entered;
        while objects.len() < MOST_OBJECTS {
            let birth = match around {
                Some(around) => self.last(&Target::SitesInFrame(around, &births), before),
                None => self.last(&Target::Sites(&births), before),
            };
            let Some(birth) = birth else { break };
            before = birth.id;
            if let Some(Datum::Object(object)) = self.step_value(&birth) {
                objects.push(object);
            }
        }
        objects
    }

    /// The name that a function expression has for itself: the function whose frame it lives in, where only one was made there.
    pub(crate) fn named_function(&self, place: &VariablePlace, before: EventId) -> Option<VariableState> {
        let frame = self.frame(place.owner?)?;
        let table = &self.thread.code().unit(place.unit)?.code().ok()?.sites;
        let (function, declared) = (table.function(frame.function), table.variable(place.variable));
        let is_inside = function.span.start <= declared.span.start && declared.span.end <= function.span.end;
        if !is_inside || table.name(function.name) != table.name(declared.name) {
            return None;
        }
        match self.function_objects(&frame)[..] {
            [object] => {
                let since = self.first_seen(object).filter(|since| since.id < before)?;
                Some(VariableState::Written { value: Datum::Object(object), since })
            }
            [] => None,
            _ => Some(VariableState::NotCaptured("which of several functions of this text it is, is not recorded")),
        }
    }
}

/// A function that is born this often in one scope is handed out anew each time; the newest will do.
const MOST_OBJECTS: usize = 16;

/// The function whose declaration a site puts into its variable: the smallest around the declared name.
pub(crate) fn declared_function(table: &SiteTable, site: &Site) -> Option<FunctionIndex> {
    let variable = table.variable(site.variable?);
    if variable.kind != VariableKind::Function || site.kind != SiteKind::Var {
        return None;
    }
    let holds =
        |function: &Function| function.span.start <= variable.span.start && variable.span.end <= function.span.end;
    let around = (0..).zip(&table.functions).skip(1).filter(|(_, function)| holds(function));
    let smallest = around.min_by_key(|(_, function)| function.span.end - function.span.start)?;
    (table.name(smallest.1.name) == table.name(variable.name)).then_some(FunctionIndex(smallest.0))
}
