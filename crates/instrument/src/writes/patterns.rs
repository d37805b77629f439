//! Destructuring assignments.

use helper_names::{GIVE_FIRST, PUT_BY_PATTERN, PUT_BY_PATTERN_IF_NEEDED, VALUE};
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;
use trace_model::{Choice, SiteKind};

use super::{NAMES_UNSEEN, known_key};
use crate::anchors::{Anchors, Construct, Role};
use crate::control::js_string;
use crate::inference::{infers, pattern_infers};
use crate::walker::{Context, Walker};

impl<'a, N: Anchors> Walker<'a, '_, N> {
    pub(super) fn destructuring_assignment(&mut self, assignment: &AssignmentExpression<'a>) {
        let temps = self.frame().temps_in_use;
        let opening = self.edits.reserve(assignment.span.start);
        let writes = self.pattern_writes(&assignment.left);
        self.with_printed(true, |walker| walker.visit_expression(&assignment.right));
        if !writes.is_empty() {
            let open = match pattern_infers(&assignment.left) {
                true => self.without_name(assignment.span, &format!("{GIVE_FIRST}(")),
                false => format!("{GIVE_FIRST}("),
            };
            self.edits.fill(opening, open);
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
                match with_default.binding.as_member_expression().filter(|_| infers(&with_default.init)) {
                    Some(member) => {
                        self.not_captured(member.span(), NAMES_UNSEEN);
                        self.with_printed(true, |walker| walker.visit_member_expression(member));
                    }
                    None => self.pattern_target(&with_default.binding, writes),
                }
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
        if self.printed || !is_plain {
            return self.with_printed(true, |walker| walker.visit_member_expression(member));
        }
        let kept = self.kept_member(member, key.is_none());
        let site = self.site(SiteKind::PutComputed, Role::Write, member.at(), None);
        let Some(site) = site else { return };
        let by_key = self.newest_choice() == Choice::IfKeyIsNeeded;
        let (object, key_temp) = self.keep(kept, &site, by_key);
        let key = key.map(|key| js_string(&key)).or(key_temp).unwrap_or_default();
        let helper = if by_key { PUT_BY_PATTERN_IF_NEEDED } else { PUT_BY_PATTERN };
        writes.push(format!("{helper}({site},{object},{key})"));
    }

    /// `$w_v(site,x)` for a variable that was just written by a destructuring.
    fn write_of(&mut self, identifier: &IdentifierReference<'a>) -> Option<String> {
        let name = identifier.name.as_str();
        if !self.is_variable(identifier) {
            return None;
        }
        let site = self.site(SiteKind::Var, Role::Write, identifier.at(), Some(name));
        self.site_writes_reference(identifier);
        Some(format!("{VALUE}({},{name})", site?))
    }

    pub fn pattern_default(&mut self, init: &Expression<'a>, names: bool) {
        let unnamed = !(names && init.is_anonymous_function_definition());
        if unnamed && !self.printed {
            self.default_value(init);
        } else {
            self.context = Context { consumed: true, names: true, ..Context::default() };
            self.visit_expression(init);
        }
    }
}
