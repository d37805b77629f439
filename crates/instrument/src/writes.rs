//! Writes of variables and properties. The assignment stays as it is, inside a call that gets its value and records it
//! afterwards; a base or key that is more than a name is kept in a temporary on its way.

mod kept;
mod logical;
mod patterns;
mod printed;

use helper_names::{
    GIVE_FIRST, INTEGER, MEET_FOR_KEY, NUMBERED, PUT, PUT_COMPUTED, PUT_COMPUTED_VALUE_FIRST, PUT_IF_NEEDED,
    PUT_LITERAL, PUT_NUMBER, PUT_NUMBERED, PUT_VALUE_FIRST, PUT_VALUE_FIRST_IF_NEEDED, VALUE,
};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::symbol::SymbolId;
use trace_model::{Choice, FunctionKind, SiteKind};

use crate::anchors::{Anchors, At, Construct, Role};
use crate::values::{ValueClass, call_opening, is_numeric, is_numeric_assignment, may_be_object};
use crate::walker::{Context, Walker};

impl<'a, N: Anchors> Walker<'a, '_, N> {
    pub fn assignment(&mut self, assignment: &AssignmentExpression<'a>) {
        if self.printed {
            return self.printed_assignment(assignment);
        }
        if assignment.operator.is_logical() {
            return self.logical_assignment(assignment);
        }
        match &assignment.left {
            AssignmentTarget::AssignmentTargetIdentifier(identifier) => self.variable_write(assignment, identifier),
            AssignmentTarget::ArrayAssignmentTarget(_) | AssignmentTarget::ObjectAssignmentTarget(_) => {
                self.destructuring_assignment(assignment);
            }
            target => match target.as_member_expression() {
                Some(member) => {
                    let kinds = KeyKinds { known: SiteKind::Put, computed: SiteKind::PutComputed };
                    let class = self.class_of(assignment);
                    let right = &assignment.right;
                    let is_plain = assignment.operator == AssignmentOperator::Assign;
                    let is_quiet = is_plain && self.quietly(right, |walker| walker.is_quiet());
                    if is_quiet && self.readable_twice(member.object()).is_none() {
                        return self.naming_assignment(assignment, member);
                    }
                    let may_ask = class == ValueClass::Any && !is_quiet;
                    self.keeps_names = is_quiet;
                    let asked = (may_ask && may_be_object(right)).then_some(right);
                    self.property_write(assignment.at(), member, kinds, (class, asked), |walker| {
                        walker.right_side(assignment, false)
                    });
                }
                None => walk::walk_assignment_expression(self, assignment),
            },
        }
    }

    fn variable_write(&mut self, assignment: &AssignmentExpression<'a>, identifier: &IdentifierReference<'a>) {
        let name = identifier.name.as_str();
        self.visit_identifier_reference(identifier);
        let class = self.class_of(assignment);
        let site = self.value_site(SiteKind::Var, assignment.at(), Some(name), class);
        self.site_writes_reference(identifier);
        let asks = class == ValueClass::Any && assignment.operator == AssignmentOperator::Assign;
        let (helper, close) = if asks && self.is_variable(identifier) && may_be_object(&assignment.right) {
            (NUMBERED, format!(",{})", self.stamp_if_object(name)))
        } else {
            (class.helper(), ")".into())
        };
        let around = site.map(|site| (call_opening(helper, &site), close));
        self.wrap_around(assignment.span, around, |walker| {
            walker.name_hint = Some(name.to_owned());
            walker.right_side(assignment, true);
        });
    }

    fn class_of(&self, assignment: &AssignmentExpression<'a>) -> ValueClass<'a> {
        match assignment.operator {
            AssignmentOperator::Assign => ValueClass::of(self.source, &assignment.right),
            operator if is_numeric_assignment(operator) => ValueClass::Numeric,
            AssignmentOperator::Addition if is_numeric(&assignment.right) => ValueClass::Numeric,
            _ => ValueClass::Any,
        }
    }

    fn right_side(&mut self, assignment: &AssignmentExpression<'a>, names: bool) {
        let inside = |walker: &mut Self| {
            let consumed = assignment.operator == AssignmentOperator::Assign;
            walker.context = Context { consumed, names, ..Context::default() };
            walker.visit_expression(&assignment.right);
            walker.name_hint = None;
        };
        let is_named = names && is_function_literal(&assignment.right);
        self.with_printed(false, |walker| match is_named {
            true => inside(walker),
            false => walker.quietly(&assignment.right, inside),
        });
    }

    /// The member is walked, then `rest` walks what stands behind it. A value that may be an object is known by its number, which is
    /// asked for in place.
    fn property_write(
        &mut self,
        write: At,
        member: &MemberExpression<'a>,
        kinds: KeyKinds,
        (class, asked): (ValueClass<'a>, Option<&Expression<'a>>),
        rest: impl FnOnce(&mut Self),
    ) {
        let At { span, .. } = write;
        let key = known_key(member);
        let keeps_names = std::mem::take(&mut self.keeps_names);
        if self.printed {
            self.not_captured(span, WRITES_UNSEEN);
            self.visit_member_expression(member);
            return rest(self);
        }
        let temps = self.frame().temps_in_use;
        let object = member.object();
        let mapped = if kinds.known == SiteKind::Delete { Vec::new() } else { self.mapped_to(object) };
        let mapping = self.edits.reserve(span.start);
        let base = self.readable_twice(object);
        let (site, before_value, after_value) = match (&key, class) {
            (Some(key), ValueClass::Literal(_)) if base.is_some() => {
                (self.value_site(kinds.known, write, Some(key), class), PUT_LITERAL, PUT_VALUE_FIRST)
            }
            (Some(key), ValueClass::Numeric) => {
                (self.site(kinds.known, Role::Write, write, Some(key)), PUT_NUMBER, PUT_VALUE_FIRST)
            }
            (Some(key), _) => (self.site(kinds.known, Role::Write, write, Some(key)), PUT, PUT_VALUE_FIRST),
            (None, _) => (self.site(kinds.computed, Role::Write, write, None), PUT_COMPUTED, PUT_COMPUTED_VALUE_FIRST),
        };
        let by_key = self.newest_choice() == Choice::IfKeyIsNeeded;
        let computed = match member {
            MemberExpression::ComputedMemberExpression(computed) if key.is_none() => Some(&computed.expression),
            _ => None,
        };
        // A key that is a number for certain.
        let is_passed_over = by_key && computed.is_some_and(|key| self.is_unasked_element(key));
        let site = site.filter(|_| !is_passed_over);
        let is_on = site.is_some();
        let is_kept = is_on && base.is_none();
        let mut behind = String::new();
        let mut number = String::new();
        // What the key is asked for before it counts.
        let mut of_key = base.clone().unwrap_or_default();
        match (site, base) {
            (None, _) => self.visit_expression(object),
            (Some(site), Some(text)) => {
                if let (Expression::ThisExpression(_), Some(key)) = (object, &key)
                    && !by_key
                    && !self.selection.is_all()
                {
                    self.frame_mut().writes_to_this.push((key.clone(), site.clone()));
                }
                let stamp = self.stamp_before_write(&site, &text);
                let open = match asked.filter(|_| !by_key && self.frame().has_locals) {
                    _ if by_key => format!("{PUT_IF_NEEDED}({site},{text},"),
                    Some(value) => {
                        let helper = if key.is_some() { PUT_NUMBERED } else { before_value };
                        let (kept, again, clear) = match self.constant(value) {
                            Some(value) => (String::new(), value, String::new()),
                            None => {
                                let temp = self.take_temp();
                                (format!("{temp}="), temp.clone(), format!(",{temp}=0"))
                            }
                        };
                        number = format!(",{}{clear}", self.stamp_if_object(&again));
                        format!("{helper}({site},{text},{stamp},{kept}")
                    }
                    None => format!("{before_value}({site},{text},{stamp},"),
                };
                // An identifier in front would be part of the names, unless the object is one as well: the last one counts.
                let begins_with_it = object.span().start == span.start && matches!(object, Expression::Identifier(_));
                let is_unnamed = keeps_names && !begins_with_it;
                let open = if is_unnamed { self.without_name(span, &open) } else { open };
                self.edits.insert(span.start, open);
                self.visit_expression(object);
            }
            (Some(site), None) => {
                let temp = self.take_temp();
                let helper = if by_key { PUT_VALUE_FIRST_IF_NEEDED } else { after_value };
                self.edits.insert(span.start, format!("{helper}({site},"));
                let looks = !by_key && !self.selection.is_all();
                // What it has for a number is asked for once, before the write.
                let met = if looks { Some(self.take_temp()) } else { None };
                let look = met.as_ref().map(|met| format!(",{met}={},{temp}", self.stamp_before_write(&site, &temp)));
                let close = format!("{})", look.unwrap_or_default());
                self.wrap(object.span(), format!("({temp}="), &close, |walker| walker.visit_expression(object));
                let stamp = match met {
                    Some(met) => format!(",{met}"),
                    None if by_key => String::new(),
                    None => format!(",{}", self.stamp(&temp)),
                };
                behind.push_str(&format!(",{temp}{stamp}"));
                of_key = temp;
            }
        }
        // The temporary must not keep the object alive for longer than the program does.
        let clear = if is_kept { format!(",{of_key}=0") } else { String::new() };
        let kept_key = computed.map(|key| (self.reserve_temp(), self.walked(key)));
        rest(self);
        let index_of = |walker: &mut Self| match (&key, &kept_key) {
            (None, Some((temp, around))) => {
                let temp = walker.declare_temp(temp.clone());
                let asks = if by_key && is_on { format!("{MEET_FOR_KEY}({of_key},") } else { String::new() };
                let (open, close) = if around.is_sequence { ("(", ")") } else { ("", "") };
                let end = if asks.is_empty() { "" } else { ")" };
                walker.edits.fill(around.open, format!("{temp}={asks}{open}"));
                walker.edits.fill(around.close, format!("{close}{end}"));
                temp
            }
            (key, _) => key.clone().unwrap_or_default(),
        };
        if is_on {
            if computed.is_some() {
                behind.push_str(&format!(",{}", index_of(self)));
            }
            self.edits.insert(span.end, format!("{behind}{number}{clear})"));
        }
        if !mapped.is_empty() {
            let index = match &kept_key {
                Some((temp, _)) => temp.text.clone(),
                None => key.clone().unwrap_or_default(),
            };
            let writes = self.parameter_writes(write, &mapped, key.is_none(), &index);
            if !writes.is_empty() || self.selection.is_all() {
                index_of(self);
                self.edits.fill(mapping, format!("{GIVE_FIRST}("));
                self.edits.insert(span.end, format!("{writes})"));
            }
        }
        self.give_back_temps(temps);
    }

    /// A call of a helper, the name of which stands in parentheses. No statement begins with one.
    pub(super) fn without_name(&self, span: Span, open: &str) -> String {
        let start = if span.start == self.statement_start { "0," } else { "" };
        let (name, rest) = open.split_at(open.find('(').unwrap_or(0));
        format!("{start}({name}){rest}")
    }

    /// The parameters that are written with the elements of this object, if it is `arguments`.
    fn mapped_to(&self, object: &Expression<'a>) -> Vec<(String, SymbolId)> {
        let Expression::Identifier(identifier) = object else { return Vec::new() };
        let Some(reference) = identifier.reference_id.get().map(|id| self.scoping.get_reference(id)) else {
            return Vec::new();
        };
        let function = self.frames.iter().rev().find(|frame| frame.kind != FunctionKind::Arrow);
        match function {
            Some(function) if identifier.name == "arguments" && reference.symbol_id().is_none() => {
                let is_hidden =
                    |name: &str, symbol| self.scoping.find_binding(reference.scope_id(), name.into()) != Some(symbol);
                // If one is, none is recorded: their places count.
                let any_hidden = function.mapped.iter().any(|(name, symbol)| is_hidden(name, *symbol));
                if any_hidden { Vec::new() } else { function.mapped.clone() }
            }
            _ => Vec::new(),
        }
    }

    /// Records the parameter that was written as an element of `arguments`: there are as many as the caller passed.
    fn parameter_writes(&mut self, write: At, mapped: &[(String, SymbolId)], is_computed: bool, index: &str) -> String {
        let mut writes = String::new();
        for (at, (name, symbol)) in mapped.iter().enumerate() {
            let is_it = is_computed || index == at.to_string();
            if !is_it {
                continue;
            }
            let site = self.site(SiteKind::Var, Role::MappedParameter, write, Some(name));
            self.site_writes(Some(*symbol));
            let Some(site) = site else { continue };
            let condition = if is_computed { format!("{index}==={at}&&") } else { String::new() };
            writes.push_str(&format!(",{condition}arguments.length>{at}&&{VALUE}({site},{name})"));
        }
        writes
    }

    pub fn update(&mut self, update: &UpdateExpression<'a>) {
        let increments = update.operator == UpdateOperator::Increment;
        let kind = |new: SiteKind, up: SiteKind, down: SiteKind| match (update.prefix, increments) {
            (true, _) => new,
            (false, true) => up,
            (false, false) => down,
        };
        match &update.argument {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(identifier) => {
                let name = identifier.name.as_str();
                if self.printed {
                    return self.not_captured(update.span, WRITES_UNSEEN);
                }
                let kind = kind(SiteKind::Var, SiteKind::VarIncrement, SiteKind::VarDecrement);
                let site = self.site(kind, Role::Write, update.at(), Some(name));
                self.site_writes_reference(identifier);
                self.wrap_call(update.span, INTEGER, site, |_| {});
            }
            target => {
                let Some(member) = target.as_member_expression() else { return };
                let kinds = KeyKinds {
                    known: kind(SiteKind::Put, SiteKind::PutIncrement, SiteKind::PutDecrement),
                    computed: kind(
                        SiteKind::PutComputed,
                        SiteKind::PutComputedIncrement,
                        SiteKind::PutComputedDecrement,
                    ),
                };
                self.property_write(update.at(), member, kinds, (ValueClass::Integer, None), |_| {});
            }
        }
    }

    pub fn delete(&mut self, delete: &UnaryExpression<'a>) {
        let Some(member) = delete.argument.as_member_expression() else {
            if matches!(delete.argument, Expression::ChainExpression(_)) {
                self.not_captured(delete.span, "what is deleted is found only on the way");
            }
            return self.with_printed(true, |walker| walker.visit_expression(&delete.argument));
        };
        // It throws.
        if matches!(member.object(), Expression::Super(_)) {
            return walk::walk_unary_expression(self, delete);
        }
        let kinds = KeyKinds { known: SiteKind::Delete, computed: SiteKind::DeleteComputed };
        self.property_write(delete.at(), member, kinds, (ValueClass::Any, None), |_| {});
    }

    /// The text of a value that nothing changes: a setter that the write calls may assign to any other variable.
    fn constant(&self, value: &Expression<'a>) -> Option<String> {
        let is_constant = match value {
            Expression::Identifier(identifier) => {
                self.symbol(identifier).is_some_and(|symbol| self.scoping.symbol_flags(symbol).is_const_variable())
            }
            _ => true,
        };
        self.readable_twice(value).filter(|_| is_constant)
    }

    /// The text of an expression that can be evaluated twice in a row: the same value, and nothing runs.
    pub fn readable_twice(&self, expression: &Expression<'a>) -> Option<String> {
        match expression {
            Expression::Identifier(identifier) if self.is_variable(identifier) => Some(identifier.name.to_string()),
            Expression::ThisExpression(_) | Expression::Super(_) => Some("this".into()),
            _ => None,
        }
    }
}

/// Why a write has no event.
const NAMES_UNSEEN: &str = "the engine names a function after the text before this value";
const WRITES_UNSEEN: &str = "the engine prints the text around this write";

struct KeyKinds {
    known: SiteKind,
    computed: SiteKind,
}

/// A key that the source tells.
fn known_key(member: &MemberExpression) -> Option<String> {
    match member {
        MemberExpression::StaticMemberExpression(member) => Some(member.property.name.to_string()),
        MemberExpression::PrivateFieldExpression(member) => Some(format!("#{}", member.field.name)),
        MemberExpression::ComputedMemberExpression(member) => match &member.expression {
            Expression::StringLiteral(key) if !key.lone_surrogates => Some(key.value.to_string()),
            Expression::NumericLiteral(key) if is_index(key.value) => Some(key.value.to_string()),
            _ => None,
        },
    }
}

/// Numbers that Rust and JavaScript print alike.
pub(crate) fn is_index(number: f64) -> bool {
    number >= 0.0 && number.fract() == 0.0 && number <= f64::from(u32::MAX)
}

pub(crate) fn is_function_literal(expression: &Expression) -> bool {
    matches!(
        expression.without_parentheses(),
        Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) | Expression::ClassExpression(_)
    )
}
