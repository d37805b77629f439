//! Patterns, which V8 parses as the literals that they look like.

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

use super::{Parse, Value};

impl<'a> Parse<'a> {
    pub fn target(&mut self, target: &'a AssignmentTarget<'a>) {
        match target {
            AssignmentTarget::ObjectAssignmentTarget(object) => {
                for property in &object.properties {
                    self.state(|parse| {
                        parse.target_property(property);
                        parse.infer();
                    });
                }
                self.rest_target(object.rest.as_deref(), true);
            }
            AssignmentTarget::ArrayAssignmentTarget(array) => {
                array.elements.iter().flatten().for_each(|element| self.target_or_default(element));
                self.rest_target(array.rest.as_deref(), false);
            }
            simple => {
                if let Some(simple) = simple.as_simple_assignment_target() {
                    self.simple_target(simple);
                }
            }
        }
    }

    pub fn simple_target(&mut self, target: &'a SimpleAssignmentTarget<'a>) {
        match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => self.variable(name.name.as_str()),
            SimpleAssignmentTarget::ComputedMemberExpression(member) => self.computed_member(member),
            SimpleAssignmentTarget::StaticMemberExpression(member) => self.static_member(member),
            SimpleAssignmentTarget::PrivateFieldExpression(member) => self.private_member(member),
            _ => {}
        }
    }

    /// `target = value`, where `whole` is all of it.
    pub fn assign(&mut self, whole: Span, target: &'a AssignmentTarget<'a>, value: &'a Expression<'a>) {
        let is_in_parentheses = self.assigned(whole, target);
        let value = self.assignment_expression(value);
        self.infer_from(value);
        if let (AssignmentTarget::AssignmentTargetIdentifier(name), false) = (target, is_in_parentheses) {
            self.own_name(value, name.name.as_str());
        }
    }

    /// Gives whether the target is in parentheses, which end its names.
    pub fn assigned(&mut self, whole: Span, target: &'a AssignmentTarget<'a>) -> bool {
        let is_in_parentheses = target.span().start != whole.start;
        match is_in_parentheses {
            true => self.state(|parse| parse.target(target)),
            false => self.target(target),
        }
        is_in_parentheses
    }

    fn target_property(&mut self, property: &'a AssignmentTargetProperty<'a>) {
        match property {
            AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(short) => {
                self.shorthand(short.binding.name.as_str(), short.init.as_ref());
            }
            AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                self.property_key(&property.name, property.computed);
                self.target_or_default(&property.binding);
            }
        }
    }

    fn rest_target(&mut self, rest: Option<&'a AssignmentTargetRest<'a>>, is_property: bool) {
        if let Some(rest) = rest {
            self.state(|parse| parse.target(&rest.target));
            if is_property {
                self.infer_open();
            }
        }
    }

    fn target_or_default(&mut self, target: &'a AssignmentTargetMaybeDefault<'a>) {
        self.state(|parse| match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(with_default) => {
                parse.assign(with_default.span, &with_default.binding, &with_default.init);
            }
            target => {
                if let Some(target) = target.as_assignment_target() {
                    parse.target(target);
                }
            }
        });
    }

    /// `{ a }` and `{ a = 1 }`.
    fn shorthand(&mut self, name: &'a str, default: Option<&'a Expression<'a>>) {
        self.key(name);
        self.variable(name);
        if let Some(default) = default {
            let value = self.assignment_expression(default);
            self.own_name(value, name);
        }
    }

    /// The name of a variable, or a literal with such.
    pub fn pattern(&mut self, pattern: &'a BindingPattern<'a>) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => self.variable(name.name.as_str()),
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    self.state(|parse| {
                        parse.pattern_property(property);
                        parse.infer();
                    });
                }
                if let Some(rest) = &object.rest {
                    self.state(|parse| parse.pattern(&rest.argument));
                    self.infer_open();
                }
            }
            BindingPattern::ArrayPattern(array) => {
                array.elements.iter().flatten().for_each(|element| self.pattern_or_default(element));
                if let Some(rest) = &array.rest {
                    self.state(|parse| parse.pattern(&rest.argument));
                }
            }
            BindingPattern::AssignmentPattern(with_default) => {
                self.pattern(&with_default.left);
                let value = self.assignment_expression(&with_default.right);
                self.infer_from(value);
                self.name_by(value, &with_default.left);
            }
        }
    }

    pub fn pattern_or_default(&mut self, pattern: &'a BindingPattern<'a>) {
        self.state(|parse| parse.pattern(pattern));
    }

    fn pattern_property(&mut self, property: &'a BindingProperty<'a>) {
        match &property.value {
            BindingPattern::BindingIdentifier(name) if property.shorthand => self.shorthand(name.name.as_str(), None),
            BindingPattern::AssignmentPattern(with_default) if property.shorthand => {
                if let BindingPattern::BindingIdentifier(name) = &with_default.left {
                    self.shorthand(name.name.as_str(), Some(&with_default.right));
                }
            }
            value => {
                self.property_key(&property.key, property.computed);
                self.pattern_or_default(value);
            }
        }
    }

    /// A function that is the value of a variable gets its name.
    pub fn name_by(&mut self, value: Value, pattern: &'a BindingPattern<'a>) {
        if let BindingPattern::BindingIdentifier(name) = pattern {
            self.own_name(value, name.name.as_str());
        }
    }

    /// As at the end of a property that left no names.
    fn infer_open(&mut self) {
        self.state(Self::infer);
    }
}
