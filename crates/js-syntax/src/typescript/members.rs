//! Members of classes.

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

use super::decorators::{Decorated, Member, MemberKind};
use super::edits::Lowered;
use super::{DecoratedMethod, Decorators, Fields, Stripper};

/// What is known of the members of a class so far.
pub struct Members {
    pub decorated: Decorated,
    /// Where fields are only assigned, and parameters are properties: the assignments, which come behind those of the
    /// parameters.
    pub waiting: Option<Vec<Lowered>>,
}

impl<'a> Stripper<'a, '_> {
    pub(super) fn member(&mut self, element: &ClassElement<'a>, members: &mut Members) {
        let decorated = &mut members.decorated;
        match element {
            ClassElement::MethodDefinition(method) => self.method(method, decorated),
            ClassElement::PropertyDefinition(property) => {
                self.property(property, decorated);
                let waits = members.waiting.as_mut().is_some_and(|waiting| self.wait(property, waiting));
                if !waits {
                    self.end_statement(property.span);
                }
            }
            ClassElement::TSIndexSignature(signature) => self.blank_statement(signature.span),
            ClassElement::StaticBlock(block) => walk::walk_static_block(self, block),
            ClassElement::AccessorProperty(property)
                if property.r#type == AccessorPropertyType::TSAbstractAccessorProperty =>
            {
                self.blank_statement(property.span);
            }
            ClassElement::AccessorProperty(property) => self.accessor(property, decorated),
        }
    }

    fn method(&mut self, method: &MethodDefinition<'a>, decorated: &mut Decorated) {
        if method.value.body.is_none() {
            return self.blank_statement(whole(method.span, &method.decorators));
        }
        let kind = match method.kind {
            MethodDefinitionKind::Get => MemberKind::Getter,
            MethodDefinitionKind::Set => MemberKind::Setter,
            _ => MemberKind::Method,
        };
        let member = Member {
            start: method.span.start,
            decorators: &method.decorators,
            key: &method.key,
            computed: method.computed,
            is_static: method.r#static,
            kind,
        };
        let parameters = self.parameter_decorators(&method.value);
        let is_constructor = method.kind.is_constructor();
        if !method.decorators.is_empty() && self.dialect.decorators == Decorators::Standard {
            self.standard_member(&member, &words_of(method), decorated);
            if let Some(name) = method.key.static_name() {
                let (key_start, end) = (method.key.span().start, method.value.span.end);
                self.methods.push(DecoratedMethod { name: name.into_owned(), key_start, end });
            }
        } else {
            if is_constructor {
                self.legacy_constructor(method.span.start, &parameters);
            } else {
                self.legacy_member(&member, &parameters, decorated);
            }
            let could_continue = method.computed || method.value.generator;
            self.blank_modifiers(member.modifiers_start(), method.key.span().start, could_continue);
            self.visit_property_key(&method.key);
        }
        if method.optional {
            self.blank_mark(member.key_end(self), b'?');
        }
        self.visit_function(&method.value, ScopeFlags::Function);
    }

    /// `x = this.y` → `#w_1=()=>(this.y);`, for the constructor to assign.
    fn wait(&mut self, property: &PropertyDefinition<'a>, waiting: &mut Vec<Lowered>) -> bool {
        let PropertyKey::StaticIdentifier(key) = &property.key else { return false };
        let Some(value) = property.value.as_ref().filter(|_| !property.r#static) else { return false };
        self.n_private_names += 1;
        let store = format!("#w_f{}", self.n_private_names);
        self.blank(key.span);
        self.insert(key.span.start, &*store);
        self.insert_around(value.span(), "()=>(", ");");
        waiting.push(Lowered { text: format!("this.{}=this.{store}();", key.name), span: property.span });
        true
    }

    fn property(&mut self, property: &PropertyDefinition<'a>, decorated: &mut Decorated) {
        let only_type = property.declare
            || property.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition
            || (self.dialect.fields == Fields::OnlyTypes
                && property.value.is_none()
                && !property.key.is_private_identifier());
        if only_type && property.decorators.is_empty() {
            return self.blank_statement(property.span);
        }
        let member = Member {
            start: property.span.start,
            decorators: &property.decorators,
            key: &property.key,
            computed: property.computed,
            is_static: property.r#static,
            kind: MemberKind::Field,
        };
        let end = member.key_end(self);
        let is_standard = !property.decorators.is_empty() && self.dialect.decorators == Decorators::Standard;
        if is_standard {
            self.standard_member(&member, "", decorated);
            if property.key.is_private_identifier() {
                self.blank_modifiers(member.modifiers_start(), property.key.span().start, false);
            }
        } else {
            self.legacy_member(&member, &[], decorated);
            if only_type {
                return self.blank_statement(Span::new(member.modifiers_start(), property.span.end));
            }
            self.blank_modifiers(member.modifiers_start(), property.key.span().start, property.computed);
            self.visit_property_key(&property.key);
        }
        if property.optional {
            self.blank_mark(end, b'?');
        }
        if property.definite {
            self.blank_mark(end, b'!');
        }
        if let Some(annotation) = &property.type_annotation {
            self.blank(annotation.span);
        }
        if is_standard {
            self.decorated_value(property.value.as_ref(), end, decorated);
            self.after_field(property.span.end, property.r#static, decorated);
        } else if let Some(value) = &property.value {
            self.visit_expression(value);
        } else if matches!(self.text(property.key.span()), "get" | "set" | "static" | "async" | "accessor") {
            // Without its type, the next line could be what the word is about.
            self.insert(end, ";");
        }
    }
}

/// `async`, `*`, `get` and `set`.
fn words_of(method: &MethodDefinition) -> String {
    let kind = match method.kind {
        MethodDefinitionKind::Get => "get ",
        MethodDefinitionKind::Set => "set ",
        _ => "",
    };
    let asynchronous = if method.value.r#async { "async " } else { "" };
    let generator = if method.value.generator { "*" } else { "" };
    format!("{kind}{asynchronous}{generator}")
}

fn whole(span: Span, decorators: &[Decorator]) -> Span {
    Span::new(decorators.first().map_or(span.start, |first| first.span.start.min(span.start)), span.end)
}
