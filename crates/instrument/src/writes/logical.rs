//! `a ||= b` and its like, and default values.

use helper_names::{BEFORE_PUT, BEFORE_PUT_COMPUTED, GIVE_FIRST, PRESENCE, TRUTH, VALUE};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use trace_model::SiteKind;

use super::{WRITES_UNSEEN, known_key};
use crate::anchors::{Anchors, Construct, Role};
use crate::values::call_opening;
use crate::walker::Walker;

impl<'a, N: Anchors> Walker<'a, '_, N> {
    /// `a ||= b` writes only where `b` is evaluated, so it is recorded there.
    pub(super) fn logical_assignment(&mut self, assignment: &AssignmentExpression<'a>) {
        let value = &assignment.right;
        match &assignment.left {
            AssignmentTarget::AssignmentTargetIdentifier(identifier) => {
                self.variable_write_on_the_right(assignment, identifier);
            }
            target => {
                let Some(member) = target.as_member_expression() else {
                    return walk::walk_assignment_expression(self, assignment);
                };
                if self.quietly(value, |walker| walker.is_quiet()) {
                    return self.naming_assignment(assignment, member);
                }
                let key = known_key(member);
                if matches!(member.object(), Expression::Super(_)) {
                    self.not_captured(assignment.left.span(), WRITES_UNSEEN);
                    self.with_printed(true, |walker| walker.visit_member_expression(member));
                    return self.right_side(assignment, false);
                }
                let temps = self.frame().temps_in_use;
                let begins_statement = assignment.span.start == self.statement_start;
                let opening = self.edits.reserve(assignment.span.start);
                let kept = self.kept_member(member, key.is_none());
                let site = match &key {
                    Some(key) => self.site(SiteKind::Put, Role::Write, assignment.at(), Some(key)),
                    None => self.site(SiteKind::PutComputed, Role::Write, assignment.at(), None),
                };
                let around = site.map(|site| {
                    let (object, key_temp) = self.keep(kept, &site, false);
                    let stamp = self.stamp(&object);
                    match &key {
                        Some(_) => (format!("{BEFORE_PUT}({site},{object},{stamp},"), ")".to_owned()),
                        None => {
                            let key = key_temp.unwrap_or_else(|| "undefined".into());
                            (format!("{BEFORE_PUT_COMPUTED}({site},{object},{stamp},"), format!(",{key})"))
                        }
                    }
                });
                let is_on = around.is_some();
                let around = behind_decision(self.decision(assignment), around);
                self.wrap_around(value.span(), around, |walker| walker.right_side(assignment, false));
                // No statement begins with a parenthesis that the line before could take for its own.
                if is_on && begins_statement && !self.selection.is_all() {
                    self.edits.fill(opening, format!("{GIVE_FIRST}("));
                    self.edits.insert(assignment.span.end, ")");
                }
                self.give_back_temps(temps);
            }
        }
    }

    /// That the right side of a logical assignment is evaluated tells what its left side was.
    pub(super) fn decision(&mut self, assignment: &AssignmentExpression<'a>) -> Option<String> {
        let (kind, helper, way) = match assignment.operator.to_logical_operator()? {
            LogicalOperator::Or => (SiteKind::Branch, TRUTH, "false"),
            LogicalOperator::And => (SiteKind::Branch, TRUTH, "true"),
            LogicalOperator::Coalesce => (SiteKind::Nullish, PRESENCE, "void 0"),
        };
        let site = self.site(kind, Role::Decision, assignment.left.at(), None)?;
        Some(format!("{}{way})", call_opening(helper, &site)))
    }

    /// A value that is used only where another is missing.
    pub(super) fn default_value(&mut self, value: &Expression<'a>) {
        let site = self.site(SiteKind::Default, Role::Default, value.at(), None);
        self.quietly(value, |walker| {
            walker.wrap_call(value.span(), VALUE, site, |walker| walker.visit_consumed(value));
        });
    }
}

/// What stands around a value, with an event before it.
pub(super) fn behind_decision(decided: Option<String>, around: Option<(String, String)>) -> Option<(String, String)> {
    let Some(decided) = decided else { return around };
    let (open, close) = around.unwrap_or_default();
    Some((format!("({decided},{open}"), format!("{close})")))
}
