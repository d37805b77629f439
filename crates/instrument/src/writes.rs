//! Writes of variables and properties. The assignment stays as it is, inside a call that gets its value and records it
//! afterwards; a base or key that is more than a name is kept in a temporary on its way.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::symbol::SymbolId;
use trace_model::{FunctionKind, SiteKind};

use crate::control::{js_string, keep_name};
use crate::values::{ValueClass, is_numeric, is_numeric_assignment, may_be_object};
use crate::walker::{Context, Walker};

impl<'a> Walker<'a, '_> {
    pub fn assignment(&mut self, assignment: &AssignmentExpression<'a>) {
        if assignment.operator.is_logical() && !self.printed {
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
                    self.property_write(assignment.span, member, kinds, class, |walker| {
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
        if self.printed || !self.records_variable(name) {
            return self.right_side(assignment, false);
        }
        let class = self.class_of(assignment);
        let site = self.value_site(SiteKind::Var, assignment.span, Some(name), class);
        self.site_writes_reference(identifier);
        let asks = class == ValueClass::Any && assignment.operator == AssignmentOperator::Assign;
        let (helper, close) = if asks && self.is_variable(identifier) && may_be_object(&assignment.right) {
            ("$w_p", format!(",{})", self.stamp_if_object(name)))
        } else {
            (class.helper(), ")".into())
        };
        self.wrap(assignment.span, format!("{helper}({site},"), &close, |walker| {
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
        self.with_printed(false, |walker| {
            let consumed = assignment.operator == AssignmentOperator::Assign;
            walker.context = Context { consumed, names, ..Context::default() };
            walker.visit_expression(&assignment.right);
            walker.name_hint = None;
        });
    }

    /// `a ||= b` writes only where `b` is evaluated, so it is recorded there.
    fn logical_assignment(&mut self, assignment: &AssignmentExpression<'a>) {
        let value = &assignment.right;
        let class = ValueClass::of(self.source, value);
        match &assignment.left {
            AssignmentTarget::AssignmentTargetIdentifier(identifier) => {
                let name = identifier.name.as_str();
                self.visit_identifier_reference(identifier);
                let names = is_function_literal(value);
                if !self.records_variable(name) || names && name == "__proto__" {
                    return self.right_side(assignment, true);
                }
                let site = self.value_site(SiteKind::Var, assignment.span, Some(name), class);
                self.site_writes_reference(identifier);
                let (open, close) = if names { keep_name(name) } else { (String::new(), String::new()) };
                let open = format!("{}({site},{open}", class.helper());
                self.wrap(value.span(), open, &format!("{close})"), |walker| {
                    walker.name_hint = Some(name.to_owned());
                    walker.right_side(assignment, names);
                });
            }
            target => {
                let Some(member) = target.as_member_expression() else {
                    return walk::walk_assignment_expression(self, assignment);
                };
                let key = known_key(member);
                if !self.records_property(key.as_deref()) || matches!(member.object(), Expression::Super(_)) {
                    self.with_printed(true, |walker| walker.visit_member_expression(member));
                    return self.right_side(assignment, false);
                }
                let temps = self.frame().temps_in_use;
                let (object, key_temp) = self.kept_member(member, key.is_none());
                let stamp = self.stamp(&object);
                let (open, close) = match (&key, key_temp) {
                    (Some(key), _) => {
                        let site = self.site(SiteKind::Put, assignment.span, Some(key));
                        (format!("$w_F({site},{object},{stamp},"), ")".to_owned())
                    }
                    (None, key_temp) => {
                        let site = self.site(SiteKind::PutComputed, assignment.span, None);
                        let key = key_temp.unwrap_or_else(|| "undefined".into());
                        (format!("$w_H({site},{object},{stamp},"), format!(",{key})"))
                    }
                };
                self.wrap(value.span(), open, &close, |walker| walker.right_side(assignment, false));
                self.give_back_temps(temps);
            }
        }
    }

    /// Walks a member whose object, and key where it is computed, are needed again behind it: gives their texts.
    fn kept_member(&mut self, member: &MemberExpression<'a>, keeps_key: bool) -> (String, Option<String>) {
        let object = member.object();
        let text = match self.readable_twice(object) {
            Some(text) => {
                self.visit_expression(object);
                text
            }
            None => {
                let temp = self.take_temp();
                self.wrap(object.span(), format!("({temp}="), ")", |walker| walker.visit_expression(object));
                temp
            }
        };
        let key = match member {
            MemberExpression::ComputedMemberExpression(computed) if keeps_key => {
                let temp = self.take_temp();
                let key = &computed.expression;
                self.wrap_value(key, format!("{temp}="), "", |walker| walker.visit_expression(key));
                Some(temp)
            }
            _ => None,
        };
        (text, key)
    }

    /// A value that is used only where another is missing.
    fn default_value(&mut self, value: &Expression<'a>) {
        let site = self.site(SiteKind::Default, value.span(), None);
        self.wrap(value.span(), format!("$w_v({site},"), ")", |walker| walker.visit_consumed(value));
    }

    /// The member is walked, then `rest` walks what stands behind it.
    fn property_write(
        &mut self,
        span: Span,
        member: &MemberExpression<'a>,
        kinds: KeyKinds,
        class: ValueClass<'a>,
        rest: impl FnOnce(&mut Self),
    ) {
        let key = known_key(member);
        if self.printed || !self.records_property(key.as_deref()) {
            self.with_printed(true, |walker| walker.visit_member_expression(member));
            return rest(self);
        }
        let temps = self.frame().temps_in_use;
        let object = member.object();
        let mapped = if kinds.known == SiteKind::Delete { Vec::new() } else { self.mapped_to(object) };
        if !mapped.is_empty() {
            self.edits.insert(span.start, "$w_a(");
        }
        let base = self.readable_twice(object);
        let (site, before_value, after_value) = match (&key, class) {
            (Some(key), ValueClass::Literal(_)) if base.is_some() => {
                (self.value_site(kinds.known, span, Some(key), class), "$w_C", "$w_D")
            }
            (Some(key), ValueClass::Numeric) => (self.site(kinds.known, span, Some(key)), "$w_B", "$w_D"),
            (Some(key), _) => (self.site(kinds.known, span, Some(key)), "$w_P", "$w_D"),
            (None, _) => (self.site(kinds.computed, span, None), "$w_Q", "$w_G"),
        };
        let mut behind = String::new();
        let mut clear = String::new();
        if let Some(text) = base {
            let stamp = self.stamp(&text);
            self.edits.insert(span.start, format!("{before_value}({site},{text},{stamp},"));
            self.visit_expression(object);
        } else {
            let temp = self.take_temp();
            self.edits.insert(span.start, format!("{after_value}({site},"));
            self.wrap(object.span(), format!("({temp}="), ")", |walker| walker.visit_expression(object));
            behind.push_str(&format!(",{temp},{}", self.stamp(&temp)));
            // The temporary must not keep the object alive for longer than the program does.
            clear = format!(",{temp}=0");
        }
        let mut index = key.clone().unwrap_or_default();
        if let (None, MemberExpression::ComputedMemberExpression(computed)) = (&key, member) {
            let temp = self.take_temp();
            let key = &computed.expression;
            self.wrap_value(key, format!("{temp}="), "", |walker| walker.visit_expression(key));
            behind.push_str(&format!(",{temp}"));
            index = temp;
        }
        rest(self);
        self.edits.insert(span.end, format!("{behind}{clear})"));
        if !mapped.is_empty() {
            let writes = self.parameter_writes(span, &mapped, key.is_none(), &index);
            self.edits.insert(span.end, format!("{writes})"));
        }
        self.give_back_temps(temps);
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
    fn parameter_writes(
        &mut self,
        span: Span,
        mapped: &[(String, SymbolId)],
        is_computed: bool,
        index: &str,
    ) -> String {
        let mut writes = String::new();
        for (at, (name, symbol)) in mapped.iter().enumerate() {
            let is_it = is_computed || index == at.to_string();
            if !is_it || !self.records_variable(name) {
                continue;
            }
            let site = self.site(SiteKind::Var, span, Some(name));
            self.site_writes(Some(*symbol));
            let condition = if is_computed { format!("{index}==={at}&&") } else { String::new() };
            writes.push_str(&format!(",{condition}arguments.length>{at}&&$w_v({site},{name})"));
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
                if self.printed || !self.records_variable(name) {
                    return;
                }
                let kind = kind(SiteKind::Var, SiteKind::VarIncrement, SiteKind::VarDecrement);
                let site = self.site(kind, update.span, Some(name));
                self.site_writes_reference(identifier);
                self.wrap(update.span, format!("$w_u({site},"), ")", |_| {});
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
                self.property_write(update.span, member, kinds, ValueClass::Integer, |_| {});
            }
        }
    }

    pub fn delete(&mut self, delete: &UnaryExpression<'a>) {
        let Some(member) = delete.argument.as_member_expression() else {
            return self.with_printed(true, |walker| walker.visit_expression(&delete.argument));
        };
        if matches!(member.object(), Expression::Super(_)) {
            return walk::walk_unary_expression(self, delete);
        }
        let kinds = KeyKinds { known: SiteKind::Delete, computed: SiteKind::DeleteComputed };
        self.property_write(delete.span, member, kinds, ValueClass::Any, |_| {});
    }

    fn destructuring_assignment(&mut self, assignment: &AssignmentExpression<'a>) {
        let temps = self.frame().temps_in_use;
        let opening = self.edits.reserve(assignment.span.start);
        let writes = self.pattern_writes(&assignment.left);
        self.with_printed(true, |walker| walker.visit_expression(&assignment.right));
        if !writes.is_empty() {
            self.edits.fill(opening, "$w_a(".into());
            self.edits.insert(assignment.span.end, format!(",{})", writes.join(",")));
        }
        self.give_back_temps(temps);
    }

    /// Walks a pattern; gives the calls that record what it wrote, to be made behind it.
    pub fn pattern_writes(&mut self, pattern: &AssignmentTarget<'a>) -> Vec<String> {
        let mut writes = Vec::new();
        self.pattern_target(pattern, &mut writes);
        writes
    }

    fn pattern_target(&mut self, target: &AssignmentTarget<'a>, writes: &mut Vec<String>) {
        match target {
            AssignmentTarget::AssignmentTargetIdentifier(identifier) => {
                self.visit_identifier_reference(identifier);
                if !self.printed {
                    writes.extend(self.write_of(identifier));
                }
            }
            AssignmentTarget::ArrayAssignmentTarget(array) => {
                for element in array.elements.iter().flatten() {
                    self.pattern_element(element, writes);
                }
                if let Some(rest) = &array.rest {
                    self.pattern_target(&rest.target, writes);
                }
            }
            AssignmentTarget::ObjectAssignmentTarget(object) => {
                for property in &object.properties {
                    match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(property) => {
                            self.visit_identifier_reference(&property.binding);
                            if let Some(init) = &property.init {
                                self.pattern_default(init, true);
                            }
                            if !self.printed {
                                writes.extend(self.write_of(&property.binding));
                            }
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                            self.pattern_element(&property.binding, writes);
                        }
                    }
                }
                if let Some(rest) = &object.rest {
                    self.pattern_target(&rest.target, writes);
                }
            }
            target => {
                if let Some(member) = target.as_member_expression() {
                    self.pattern_member(member, writes);
                }
            }
        }
    }

    fn pattern_element(&mut self, target: &AssignmentTargetMaybeDefault<'a>, writes: &mut Vec<String>) {
        match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(with_default) => {
                self.pattern_target(&with_default.binding, writes);
                let names = matches!(&with_default.binding, AssignmentTarget::AssignmentTargetIdentifier(_));
                self.pattern_default(&with_default.init, names);
            }
            target => {
                if let Some(target) = target.as_assignment_target() {
                    self.pattern_target(target, writes);
                }
            }
        }
    }

    /// What a pattern put into a property is read back by the helper, without running a getter.
    fn pattern_member(&mut self, member: &MemberExpression<'a>, writes: &mut Vec<String>) {
        let key = known_key(member);
        let is_plain = !matches!(member, MemberExpression::PrivateFieldExpression(_))
            && !matches!(member.object(), Expression::Super(_));
        if self.printed || !is_plain || !self.records_property(key.as_deref()) {
            return self.with_printed(true, |walker| walker.visit_member_expression(member));
        }
        let (object, key_temp) = self.kept_member(member, key.is_none());
        let key = match (key, key_temp) {
            (Some(key), _) => js_string(&key),
            (None, Some(temp)) => temp,
            (None, None) => return,
        };
        let site = self.site(SiteKind::PutComputed, member.span(), None);
        writes.push(format!("$w_W({site},{object},{key})"));
    }

    /// `$w_v(site,x)` for a variable that was just written by a destructuring.
    fn write_of(&mut self, identifier: &IdentifierReference<'a>) -> Option<String> {
        let name = identifier.name.as_str();
        if !self.is_variable(identifier) || !self.records_variable(name) {
            return None;
        }
        let site = self.site(SiteKind::Var, identifier.span, Some(name));
        self.site_writes_reference(identifier);
        Some(format!("$w_v({site},{name})"))
    }

    pub fn pattern_default(&mut self, init: &Expression<'a>, names: bool) {
        let unnamed = !(names && init.is_anonymous_function_definition());
        if unnamed && !self.printed && self.active() && self.policy.kinds.branches {
            self.default_value(init);
        } else {
            self.context = Context { consumed: true, names: true, ..Context::default() };
            self.visit_expression(init);
        }
    }

    /// The text of an expression that can be evaluated twice in a row: the same value, and nothing runs.
    pub fn readable_twice(&self, expression: &Expression<'a>) -> Option<String> {
        match expression {
            Expression::Identifier(identifier) if self.is_variable(identifier) => Some(identifier.name.to_string()),
            Expression::ThisExpression(_) | Expression::Super(_) => Some("this".into()),
            _ => None,
        }
    }

    pub fn records_variable(&self, name: &str) -> bool {
        self.active()
            && self.policy.kinds.variables
            && self.policy.variables.as_ref().is_none_or(|names| names.contains(name))
    }

    /// A computed key may be any name.
    pub fn records_property(&self, name: Option<&str>) -> bool {
        self.active()
            && self.policy.kinds.properties
            && match (&self.policy.properties, name) {
                (Some(names), Some(name)) => names.contains(name),
                _ => true,
            }
    }
}

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
