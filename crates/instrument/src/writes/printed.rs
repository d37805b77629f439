//! Assignments inside what the engine prints when a call fails. The target must stay as it is: what is about to be written is
//! recorded on the right.

use helper_names::{BEFORE_PUT, BEFORE_PUT_READ_AGAIN, READ_AGAIN};
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;
use trace_model::SiteKind;

use super::logical::behind_decision;
use super::{NAMES_UNSEEN, WRITES_UNSEEN, is_function_literal, known_key};
use crate::anchors::{Anchors, Construct, Role};
use crate::control::{js_string, keep_name};
use crate::values::{ValueClass, call_opening};
use crate::walker::Walker;

impl<'a, N: Anchors> Walker<'a, '_, N> {
    pub(super) fn printed_assignment(&mut self, assignment: &AssignmentExpression<'a>) {
        let is_plain = assignment.operator == AssignmentOperator::Assign || assignment.operator.is_logical();
        let can_record = is_plain && !self.no_functions && !self.is_too_deep();
        match &assignment.left {
            AssignmentTarget::AssignmentTargetIdentifier(identifier) if can_record => {
                self.variable_write_on_the_right(assignment, identifier);
            }
            AssignmentTarget::ArrayAssignmentTarget(_) | AssignmentTarget::ObjectAssignmentTarget(_) => {
                self.destructuring_assignment(assignment);
            }
            target => {
                let member = target.as_member_expression();
                member.iter().for_each(|member| self.visit_member_expression(member));
                self.member_on_the_right(assignment, member.filter(|_| can_record), WRITES_UNSEEN);
            }
        }
    }

    /// An assignment to a property from which functions get names: the text of the target must not change.
    pub(super) fn naming_assignment(&mut self, assignment: &AssignmentExpression<'a>, member: &MemberExpression<'a>) {
        self.with_printed(true, |walker| walker.visit_member_expression(member));
        let can_record = !self.no_functions && !self.is_too_deep();
        self.member_on_the_right(assignment, Some(member).filter(|_| can_record), NAMES_UNSEEN);
    }

    fn member_on_the_right(
        &mut self,
        assignment: &AssignmentExpression<'a>,
        member: Option<&MemberExpression<'a>>,
        otherwise: &'static str,
    ) {
        match member.and_then(|member| self.member_again(member)) {
            Some(again) => {
                self.quietly(&assignment.right, |walker| walker.property_write_on_the_right(assignment, again));
            }
            None => {
                self.not_captured(assignment.left.span(), otherwise);
                self.right_side(assignment, false);
            }
        }
    }

    fn property_write_on_the_right(&mut self, assignment: &AssignmentExpression<'a>, again: MemberAgain) {
        let temps = self.frame().temps_in_use;
        let MemberAgain { object, key } = again;
        let around = match key {
            KeyAgain::Known(key) => {
                let names = vec![self.name(&key)];
                let again = trace_model::Site::READ_AGAIN;
                self.site_with(SiteKind::Put, Role::Write, assignment.at(), names, again).map(|site| {
                    if self.is_quiet() {
                        let stamp = self.stamp_before_write(&site, &object);
                        return (format!("{BEFORE_PUT}({site},{object},{stamp},"), ")".to_owned());
                    }
                    let temp = self.take_temp();
                    let stamp = self.stamp_before_write(&site, &temp);
                    (format!("{BEFORE_PUT}({site},{temp}={object},{stamp},"), format!(",{temp}=0)"))
                })
            }
            KeyAgain::Read(key) => {
                let again = trace_model::Site::READ_AGAIN;
                let site = self.site_with(SiteKind::PutComputed, Role::Write, assignment.at(), Vec::new(), again);
                site.map(|site| (format!("{BEFORE_PUT_READ_AGAIN}({site},{object},{key},"), ")".to_owned()))
            }
        };
        let decided = self.decision(assignment);
        let around = behind_decision(decided, around.map(|around| self.quieted(around)));
        self.wrap_around(assignment.right.span(), around, |walker| walker.right_side(assignment, false));
        self.give_back_temps(temps);
    }

    pub(super) fn variable_write_on_the_right(
        &mut self,
        assignment: &AssignmentExpression<'a>,
        identifier: &IdentifierReference<'a>,
    ) {
        let value = &assignment.right;
        let class = ValueClass::of(self.source, value);
        let name = identifier.name.as_str();
        self.visit_identifier_reference(identifier);
        let names = is_function_literal(value);
        let is_constant = self.symbol(identifier).is_some_and(|id| self.scoping.symbol_flags(id).is_const_variable());
        // To assign to a constant throws.
        if is_constant {
            return self.right_side(assignment, names);
        }
        if names && name == "__proto__" {
            self.not_captured(assignment.left.span(), WRITES_UNSEEN);
            return self.right_side(assignment, true);
        }
        let site = self.value_site(SiteKind::Var, assignment.at(), Some(name), class);
        self.site_writes_reference(identifier);
        let (open, close) = if names { keep_name(name) } else { (String::new(), String::new()) };
        let decided = self.decision(assignment);
        let around = match site {
            Some(site) => Some((call_opening(class.helper(), &site) + &open, format!("{close})"))),
            None => decided.as_ref().map(|_| (open, close)),
        };
        let inside = |walker: &mut Self| {
            let around = behind_decision(decided, around.map(|around| walker.quieted(around)));
            walker.wrap_around(value.span(), around, |walker| {
                walker.name_hint = Some(name.to_owned());
                walker.right_side(assignment, names);
            });
        };
        if names { inside(self) } else { self.quietly(value, inside) }
    }

    /// How to find the object and the key of a member a second time without running anything of the program.
    fn member_again(&self, member: &MemberExpression<'a>) -> Option<MemberAgain> {
        if !self.mapped_to(member.object()).is_empty() || matches!(member.object(), Expression::Super(_)) {
            return None;
        }
        let object = self.read_again(member.object())?;
        let key = match (known_key(member), member) {
            (Some(key), _) => KeyAgain::Known(key),
            (None, MemberExpression::ComputedMemberExpression(computed)) => {
                KeyAgain::Read(self.read_again(&computed.expression)?)
            }
            (None, _) => return None,
        };
        Some(MemberAgain { object, key })
    }

    /// A text that gives what an expression gave, or undefined where reading it again would run code.
    fn read_again(&self, expression: &Expression<'a>) -> Option<String> {
        if let Some(text) = self.readable_twice(expression) {
            return Some(text);
        }
        let member = expression.as_member_expression().filter(|member| !member.optional())?;
        let object = self.read_again(member.object())?;
        let key = match (known_key(member), member) {
            (Some(key), _) => js_string(&key),
            (None, MemberExpression::ComputedMemberExpression(computed)) => self.read_again(&computed.expression)?,
            (None, _) => return None,
        };
        Some(format!("{READ_AGAIN}({object},{key})"))
    }
}

/// Texts that find a member again.
struct MemberAgain {
    object: String,
    key: KeyAgain,
}

enum KeyAgain {
    Known(String),
    Read(String),
}
