//! Decorators, which V8 does not know. Their expressions stay where they are, but are handed to helpers of the runtime
//! (`load/decorators.cjs`), which apply them when the language, or TypeScript, would.
//!
//! Legacy: `@d m() {}` → `static{$w_legacyMember(this,()=>[d],"m",0)} m() {}`; all is evaluated and applied when the class is
//! there. Standard: `@d m() {}` → `[$w_decorators([d],"m")]() {}`; evaluated as part of the key, and applied by the first
//! element of the class, `static #w_=$w_decorate(this,…)`, which keeps what instances need.

use helper_names::{
    BEHIND_FIELD, DECORATE, DECORATED_FIELD, DECORATED_INSTANCE, EVALUATED_DECORATORS, LEGACY_KEY, LEGACY_MEMBER,
    LEGACY_PARAMETER, SAME_KEY,
};
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::{Decorators, Stripper};

/// What is decorated in a class.
pub struct Decorated {
    kind: Decorators,
    class_name: String,
    n_class_decorators: usize,
    has_decorated_parameters: bool,
    /// Of legacy decorators: members, and computed keys among them.
    n_legacy: u32,
    n_legacy_keys: u32,
    /// Of standard decorators: what `$w_decorate` must know of each member.
    members: Vec<String>,
    has_instance_methods: bool,
    is_any_member_decorated: bool,
}

/// What a decorator is told that it decorates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MemberKind {
    Method,
    Getter,
    Setter,
    Field,
    Accessor,
}

impl Decorated {
    pub fn of(class: &Class, name: &str, kind: Decorators) -> Decorated {
        let is_decorated = |element: &ClassElement| match element {
            ClassElement::MethodDefinition(method) => !method.decorators.is_empty(),
            ClassElement::PropertyDefinition(property) => !property.decorators.is_empty(),
            ClassElement::AccessorProperty(property) => !property.decorators.is_empty(),
            _ => false,
        };
        let constructor = class.body.body.iter().find_map(|element| match element {
            ClassElement::MethodDefinition(method) if method.kind.is_constructor() => Some(&method.value.params),
            _ => None,
        });
        let has_decorated_parameters = constructor
            .is_some_and(|parameters| parameters.items.iter().any(|parameter| !parameter.decorators.is_empty()));
        Decorated {
            kind,
            class_name: name.to_owned(),
            n_class_decorators: class.decorators.len(),
            has_decorated_parameters,
            n_legacy: 0,
            n_legacy_keys: class
                .body
                .body
                .iter()
                .filter(|element| is_decorated(element) && has_dynamic_key(element))
                .count() as u32,
            members: Vec::new(),
            has_instance_methods: false,
            is_any_member_decorated: class.body.body.iter().any(is_decorated),
        }
    }

    /// Whether something else may take the place of the class.
    pub fn is_replaced(&self) -> bool {
        self.n_class_decorators > 0 || (self.kind == Decorators::Legacy && self.has_decorated_parameters)
    }

    pub fn needs_name(&self) -> bool {
        self.is_replaced() || self.is_any_member_decorated
    }

    pub fn has_legacy_members(&self) -> bool {
        self.n_legacy > 0
    }

    /// The first elements of the class.
    pub fn beginning(&self, alias: Option<&str>) -> String {
        if self.kind == Decorators::Legacy || (self.members.is_empty() && self.n_class_decorators == 0) {
            return String::new();
        }
        let name = &self.class_name;
        let has_class = self.n_class_decorators > 0;
        let mut text = format!("static #w_={DECORATE}(this,{name:?},[{}],{has_class});", self.members.join(","));
        if let Some(alias) = alias {
            text.push_str(&format!("static{{{alias}={name}.#w_.replacement}}"));
        }
        if self.has_instance_methods {
            text.push_str(&format!("#w_i={DECORATED_INSTANCE}(this,{name}.#w_);"));
        }
        text
    }

    /// How code inside the class reaches what was made of its decorators.
    fn state(&self) -> String {
        format!("{}.#w_", self.class_name)
    }
}

/// A member of a class that has decorators, or is an accessor.
pub struct Member<'m, 'a> {
    pub start: u32,
    pub decorators: &'m [Decorator<'a>],
    pub key: &'m PropertyKey<'a>,
    pub computed: bool,
    pub is_static: bool,
    pub kind: MemberKind,
}

impl<'a> Member<'_, 'a> {
    /// With the brackets of a computed one.
    pub fn key_end(&self, stripper: &Stripper<'a, '_>) -> u32 {
        let end = self.key.span().end;
        if self.computed { stripper.skip_space(end) + 1 } else { end }
    }

    pub fn modifiers_start(&self) -> u32 {
        self.decorators.last().map_or(self.start, |decorator| decorator.span.end)
    }

    fn static_word(&self) -> &'static str {
        if self.is_static { "static " } else { "" }
    }
}

impl<'a> Stripper<'a, '_> {
    /// `@a @b(1)` → `a, b(1),`.
    pub(super) fn decorator_list(&mut self, decorators: &[Decorator<'a>]) {
        for decorator in decorators {
            self.blank(Span::new(decorator.span.start, decorator.expression.span().start));
            self.visit_expression(&decorator.expression);
            self.insert(decorator.span.end, ",");
        }
    }

    /// A static block in front of the member, which keeps its decorators and those of its parameters for the end of the class.
    pub(super) fn legacy_member(&mut self, member: &Member<'_, 'a>, parameters: &[String], decorated: &mut Decorated) {
        if member.decorators.is_empty() && parameters.is_empty() {
            return;
        }
        decorated.n_legacy += 1;
        let start = member.decorators.first().map_or(member.start, |decorator| decorator.span.start);
        self.insert(start, format!(";static{{{LEGACY_MEMBER}(this,()=>["));
        self.decorator_list(member.decorators);
        let key = match literal_key(member.key) {
            Some(key) if !member.computed || !has_dynamic_name(member.key) => key,
            _ => {
                let key = member.key.span();
                self.insert(key.start, format!("{LEGACY_KEY}("));
                self.insert(key.end, ")");
                let n = decorated.n_legacy_keys;
                format!("[{n}]")
            }
        };
        let flags = u32::from(member.is_static) + if member.kind == MemberKind::Field { 2 } else { 0 };
        let end = member.decorators.last().map_or(member.start, |decorator| decorator.span.end);
        self.insert(end, format!("{}],{key},{flags})}}", parameters.join(",")));
    }

    /// Decorators of the parameters of a constructor are those of its class.
    pub(super) fn legacy_constructor(&mut self, start: u32, parameters: &[String]) {
        if !parameters.is_empty() {
            self.insert(start, format!(";static{{{LEGACY_MEMBER}(this,()=>[{}],null,0)}}", parameters.join(",")));
        }
    }

    /// `f(@d x)` → `$w_legacyParameter(0,d)`, to be put among the decorators of the function.
    pub(super) fn parameter_decorators(&mut self, function: &Function<'a>) -> Vec<String> {
        let mut texts = Vec::new();
        for (i, parameter) in function.params.items.iter().enumerate() {
            for decorator in &parameter.decorators {
                if self.dialect.decorators == Decorators::Standard {
                    self.unsupported("decorators of parameters, without experimentalDecorators,", decorator.span);
                }
                let text = self.lifted(&decorator.expression);
                self.blank(decorator.span);
                texts.push(format!("{LEGACY_PARAMETER}({i},{text})"));
            }
        }
        texts
    }

    /// The words before the key of a decorated member (`words`, as the member needs them), and its key.
    pub(super) fn standard_member(&mut self, member: &Member<'_, 'a>, words: &str, decorated: &mut Decorated) {
        let key = member.key.span();
        let start = member.decorators.first().map_or(member.start, |decorator| decorator.span.start);
        let is_field = matches!(member.kind, MemberKind::Field | MemberKind::Accessor);
        decorated.has_instance_methods |= !member.is_static && member.kind != MemberKind::Field;
        let kind = match member.kind {
            MemberKind::Method => "method",
            MemberKind::Getter => "getter",
            MemberKind::Setter => "setter",
            MemberKind::Field => "field",
            MemberKind::Accessor => "accessor",
        };
        let is_static = member.is_static;
        if let PropertyKey::PrivateIdentifier(name) = member.key {
            if !(is_field && member.kind == MemberKind::Field) {
                return self.unsupported("decorators of private methods and accessors", key);
            }
            let decorators: Vec<String> = member
                .decorators
                .iter()
                .map(|decorator| {
                    let text = self.lifted(&decorator.expression);
                    self.blank(decorator.span);
                    text
                })
                .collect();
            let name = &name.name;
            decorated.members.push(format!(
                "[{kind:?},{is_static},[{}],\"#{name}\",o=>o.#{name},(o,v)=>{{o.#{name}=v}},o=>#{name} in o]",
                decorators.join(",")
            ));
            return;
        }
        decorated.members.push(format!("[{kind:?},{is_static}]"));
        self.insert(start, format!(";{}{words}[{EVALUATED_DECORATORS}([", member.static_word()));
        self.decorator_list(member.decorators);
        self.blank(Span::new(member.modifiers_start(), key.start));
        self.insert(member.modifiers_start(), "],");
        let end = member.key_end(self);
        match literal_key(member.key) {
            Some(text) if !member.computed => {
                self.blank(key);
                self.insert(key.start, text);
            }
            _ => {
                self.visit_property_key(member.key);
                self.blank(Span::new(key.end, end));
            }
        }
        self.insert(end, ")]");
    }

    /// The value of a decorated field goes through its decorators.
    pub(super) fn decorated_value(&mut self, value: Option<&Expression<'a>>, key_end: u32, decorated: &Decorated) {
        let (state, number) = (decorated.state(), decorated.members.len() - 1);
        match value {
            Some(value) => {
                self.insert(value.span().start, format!("{DECORATED_FIELD}(this,{state},{number},"));
                self.visit_expression(value);
                self.insert(value.span().end, ")");
            }
            None => self.insert(key_end, format!("={DECORATED_FIELD}(this,{state},{number})")),
        }
    }

    /// What decorators of a field want done when the field is there.
    pub(super) fn after_field(&mut self, end: u32, is_static: bool, decorated: &Decorated) {
        let (state, number) = (decorated.state(), decorated.members.len() - 1);
        let word = if is_static { "static " } else { "" };
        self.insert(end, format!(";{word}#w_{number}={BEHIND_FIELD}(this,{state},{number});"));
    }

    /// `accessor x = 1` → `get x(){return this.#w_a}set x(v){this.#w_a=v} #w_a = 1`.
    pub(super) fn accessor(&mut self, property: &AccessorProperty<'a>, decorated: &mut Decorated) {
        let member = Member {
            start: property.span.start,
            decorators: &property.decorators,
            key: &property.key,
            computed: property.computed,
            is_static: property.r#static,
            kind: MemberKind::Accessor,
        };
        let is_decorated = !member.decorators.is_empty();
        let key = member.key.span();
        let end = member.key_end(self);
        let word = member.static_word();
        let is_dynamic = property.computed && has_dynamic_name(member.key);
        let is_standard = is_decorated && self.dialect.decorators == Decorators::Standard;
        if is_standard {
            self.standard_member(&member, "get ", decorated);
        } else {
            if is_decorated {
                self.legacy_member(&member, &[], decorated);
            }
            self.blank(Span::new(member.modifiers_start(), key.start));
            let open = if is_dynamic { format!("[{EVALUATED_DECORATORS}(null,") } else { String::new() };
            self.insert(member.modifiers_start(), format!(";{word}get {open}"));
            if is_dynamic {
                self.visit_property_key(member.key);
            } else {
                let text = literal_key(member.key).unwrap_or_else(|| self.text(key).to_owned());
                self.blank(key);
                self.insert(key.start, text);
            }
            self.blank(Span::new(key.end, end));
            self.insert(end, if is_dynamic { ")]" } else { "" });
        }
        self.n_private_names += 1;
        let store = format!("#w_a{}", self.n_private_names);
        let again = match member.key {
            PropertyKey::PrivateIdentifier(name) => format!("#{}", name.name),
            _ if is_dynamic || is_standard => format!("[{SAME_KEY}()]"),
            _ => literal_key(member.key).unwrap_or_default(),
        };
        self.insert(end, format!("(){{return this.{store}}}{word}set {again}(v){{this.{store}=v}}{word}{store}"));
        if property.definite {
            self.blank_mark(end, b'!');
        }
        if let Some(annotation) = &property.type_annotation {
            self.blank(annotation.span);
        }
        match is_standard {
            true => {
                self.decorated_value(property.value.as_ref(), end, decorated);
                self.after_field(property.span.end, property.r#static, decorated);
            }
            false => {
                if let Some(value) = &property.value {
                    self.visit_expression(value);
                }
                self.insert(property.span.end, ";");
            }
        }
    }
}

/// As a literal of JavaScript, if the key is known from the text.
fn literal_key(key: &PropertyKey) -> Option<String> {
    match key {
        PropertyKey::PrivateIdentifier(_) => None,
        _ => key.static_name().map(|name| super::jsx_text::literal(&name)),
    }
}

fn has_dynamic_name(key: &PropertyKey) -> bool {
    key.static_name().is_none() && !matches!(key, PropertyKey::PrivateIdentifier(_))
}

fn has_dynamic_key(element: &ClassElement) -> bool {
    element.property_key().is_some_and(|key| element.computed() && has_dynamic_name(key))
}
