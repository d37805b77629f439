//! Getters whose code only reads: what they would give follows from the state. Nothing is run.

use trace_model::{
    BuiltinOp, Event, EventId, ExprId, FunctionIndex, FunctionKind, ObjectId, Record, SiteId, SiteKind, Span,
    VariableKind,
};
use trace_store::PropertyKey;

use super::{DEEPEST_GETTER, Evaluation, Evaluator, Fault};
use crate::scene::Scene;
use crate::{Code, Datum, Property, Trace};

const NOT_CALLED: &str = "it has a getter, which is not called";

impl Evaluator<'_, '_> {
    /// What a getter gives whose whole code is that it returns an expression over its object.
    pub(super) fn computed(
        &self,
        id: ExprId,
        object: ObjectId,
        key: &PropertyKey,
        property: &Property,
    ) -> Result<Datum, Fault> {
        let not_called = || self.not_captured(id, NOT_CALLED);
        if self.depth >= DEEPEST_GETTER {
            return Err(not_called());
        }
        let before = self.scene_at(id).before;
        if let Some(held) = self.trace.held_behind(object, key, before) {
            return Ok(held);
        }
        let (code, returned) = self.trace.getter(object, key, property).ok_or_else(not_called)?;
        let inner = Evaluator {
            trace: self.trace,
            code: Some(&code),
            expressions: &code.facts.expressions,
            // Variables around it are not those of any frame that is known.
            scene: Scene { before, frame: None, within: None, unit: code.base() },
            evaluation: &Evaluation::default(),
            this: Some(object),
            depth: self.depth + 1,
            locals: None,
        };
        inner.value(returned).map_err(|fault| match fault {
            Fault::NotCaptured { .. } => not_called(),
            fault => fault,
        })
    }
}

impl<'a> Trace<'a> {
    /// The code of a getter, and the expression that it returns; `None` unless that is all it does.
    fn getter(&self, object: ObjectId, key: &PropertyKey, property: &Property) -> Option<(Code<'a>, ExprId)> {
        let PropertyKey::Name(name) = key else { return None };
        let holder = if let Property::Inherited { from, .. } = property { *from } else { object };
        // One that was defined later may be any function.
        let is_defined = matches!(
            property.since()?.event,
            Event::Record(Record::Effect { op: BuiltinOp::DefineProperty | BuiltinOp::SetProperty, .. })
        );
        if is_defined {
            return None;
        }
        let (unit, span) = self.text_of_holder(holder)?;
        let code = self.code(unit)?;
        let function = self.getter_within(&code, span, name)?;
        let [statement] = code.facts.functions.get(function.0 as usize)?.statements[..] else { return None };
        let sites = &code.unit.code().ok()?.sites;
        let mut returns = sites.sites.iter().zip(&code.facts.sites).filter(|(site, facts)| {
            site.kind == SiteKind::Return && site.function == function && facts.statement == Some(statement)
        });
        let (_, facts) = returns.next()?;
        let expression = facts.value?;
        returns.next().is_none().then_some((code, expression))
    }

    /// The literal or class that an object with a getter comes from.
    fn text_of_holder(&self, holder: ObjectId) -> Option<(SiteId, Span)> {
        let born = |object: ObjectId, kinds: &[SiteKind]| {
            let birth = self.birth(object)?;
            let site = self.site(birth.site()?)?;
            kinds.contains(&site.site.kind).then_some((site.unit.record.base, site.site.span))
        };
        born(holder, &[SiteKind::ObjectLiteral, SiteKind::Literal]).or_else(|| {
            let constructor = PropertyKey::Name(self.language().constructor_key()?.into());
            let class = self.own_property(holder, &constructor, self.thread.end()).value().object()?;
            born(class, &[SiteKind::ClassBirth]).or_else(|| self.declared_class(class))
        })
    }
}

impl Trace<'_> {
    /// What a getter of the runtime gives, where looking at the object shows it under a symbol, or where it is the message that came.
    pub(crate) fn held_behind(&self, object: ObjectId, key: &PropertyKey, before: EventId) -> Option<Datum> {
        let PropertyKey::Name(name) = key else { return None };
        let Property::Inherited { value: Datum::Accessor, from, .. } = self.property(object, key, before) else {
            return None;
        };
        // A class of the program may have any name.
        if self.text_of_holder(from).is_some() {
            return None;
        }
        let contents = self.contents(object, before)?;
        let symbol = self.language().symbol_behind(contents.name.as_deref()?, name)?;
        let is_it = |key: &PropertyKey| match key {
            PropertyKey::Symbol(known) => self.thread.symbol_description(*known).as_deref() == Some(symbol),
            PropertyKey::Name(_) => false,
        };
        let slot = contents.properties.into_iter().find(|(key, _)| is_it(key)).map(|(_, slot)| slot.value);
        slot.or_else(|| self.message_for(object))
    }

    /// The text of a class that a declaration made.
    fn declared_class(&self, class: ObjectId) -> Option<(SiteId, Span)> {
        let birth = self.first_seen(class)?;
        let site = self.site(birth.site()?)?;
        let variable = site.site.variable.filter(|_| site.site.kind == SiteKind::Var)?;
        let is_class = site.code.sites.variable(variable).kind == VariableKind::Class;
        is_class.then_some((site.unit.record.base, site.site.span))
    }

    /// The only getter of this name in a part of the source.
    fn getter_within(&self, code: &Code, span: Span, name: &str) -> Option<FunctionIndex> {
        let table = &code.unit.code().ok()?.sites;
        let source = code.unit.code().ok()?.source().ok()?;
        let is_it = |function: &trace_model::Function| {
            let is_inside = span.start <= function.span.start && function.span.end <= span.end;
            let before = || source.get(..function.span.start as usize).unwrap_or_default();
            let is_its = || self.language().is_getter_of(table.name(function.name), name, before());
            function.kind == FunctionKind::Getter && is_inside && is_its()
        };
        let mut found = (0..).zip(&table.functions).filter(|(_, function)| is_it(function));
        let (number, _) = found.next()?;
        found.next().is_none().then_some(FunctionIndex(number))
    }
}
