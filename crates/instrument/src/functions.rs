//! Functions and the top level: entry, parameters, every way out.
//!
//! ```text
//! function f(a) {/*@w…*/const $w_f2=$w_E(S,$w_f1);try{$w_t(S,this,n);$w_p(S,a,n); … ;$w_m(S)}finally{$w_m(S)}}
//! ```
//!
//! `try … finally` makes the exit exact: it also sees exceptions that nobody in the recorded code catches, generators that are
//! abandoned, and it does not catch, so the engine's own report of an uncaught exception stays that of the plain run. Where the
//! body cannot be put into a block without changing what its names mean, it is left out, and the site table says so.

use helper_names::{ARGUMENTS, ENTER, FRAME_VARIABLE, FUNCTION, MARK, MEET_NEWBORN, NUMBERED, RECEIVER, TEMPORARY};
use std::collections::HashSet;

use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};
use oxc_syntax::symbol::SymbolId;
use trace_model::{FunctionIndex, FunctionKind, Owner, SiteKind, VariableKind};

use crate::anchors::{Anchors, At, Construct, Role};
use crate::edits::Slot;
use crate::frames::Frame;
use crate::inference::Naming;
use crate::values::{ValueClass, call_opening, record_undefined};
use crate::walker::{Context, FunctionLiteral, MethodText, ScopeVariable, Walker};

impl<'a, N: Anchors> Walker<'a, '_, N> {
    pub fn program(&mut self, program: &Program<'a>) {
        let kind = self.kind;
        let index = self.add_function(FunctionKind::Module, "", program.span, false, false);
        let is_body = kind.is_function_body();
        let is_module = kind == js_syntax::SourceKind::Module;
        let has_variable = is_body || is_module;
        if has_variable {
            self.scope_info.set_owner(program.scope_id.get(), Owner::Function(index));
        }
        let variable = (has_variable && self.is_entered(index)).then(|| format!("{FRAME_VARIABLE}0"));
        self.frames.push(Frame {
            variable: variable.clone(),
            has_locals: has_variable,
            completion_value: kind.has_completion_value(),
            ..Frame::new(index, FunctionKind::Module)
        });
        self.scopes.push(ScopeVariable { name: variable, frame: Some(0) });

        // Behind hashbang and comments: `-->` may open the first line of a script.
        let first = program.body.first().map_or(program.span.end, |first| first.span().start);
        let start = program.directives.last().map_or(first, |directive| directive.span.end);
        let opening = self.edits.reserve(start);
        for name in self.commonjs_names() {
            self.add_implicit(name, VariableKind::Parameter);
        }
        let hoisted = self.hoisted_text(&program.body);
        self.statements(&program.body);

        let Some(last) = program.body.last() else {
            self.frames.pop();
            self.scopes.pop();
            return;
        };
        if kind != js_syntax::SourceKind::Eval {
            let body = Body { statements: &program.body, parameters: None };
            let ends = TopLevel { program: program.at(), end: last.span().end };
            self.top_level(opening, !program.directives.is_empty(), hoisted, &body, ends);
        } else {
            let declarations = self.declarations(is_module);
            self.edits.fill(opening, format!("{declarations}{hoisted}"));
        }
        self.frames.pop();
        self.scopes.pop();
    }

    fn top_level(&mut self, opening: Slot, after_directive: bool, hoisted: String, body: &Body<'_, 'a>, at: TopLevel) {
        let TopLevel { program, end } = at;
        let start = program.over(Span::new(program.span.start, program.span.start));
        let behind = program.over(Span::new(end, end));
        let enter = self.site(SiteKind::Enter, Role::Enter, start, None);
        let exit = self.site(SiteKind::Exit, Role::Exit, behind, None);
        let is_module = self.kind == js_syntax::SourceKind::Module;
        let semicolon = |text: String| if after_directive && !text.is_empty() { format!(";{text}") } else { text };
        if self.frame().completion_value {
            let enter = enter.map(|enter| self.statement_text(&format!("{ENTER}({enter},0)"))).unwrap_or_default();
            self.edits.fill(opening, semicolon(format!("{enter}{hoisted}")));
            if let Some(exit) = exit {
                let exit = self.statement_text(&format!("{MARK}({exit})"));
                self.edits.insert(end, format!(";{exit}"));
            }
            return;
        }
        let enter = enter.map(|enter| match self.frame().variable_used {
            // A function of a module can be called through an import cycle before the module's body runs.
            true if is_module => format!("var {FRAME_VARIABLE}0={ENTER}({enter},0);"),
            true => format!("const {FRAME_VARIABLE}0={ENTER}({enter},0);"),
            false => format!("{ENTER}({enter},0);"),
        });
        let declarations = self.declarations(is_module);
        let given = self.commonjs_parameters(start);
        let index = self.frame().index;
        let ret = self.site(SiteKind::Return, Role::End, behind, None);
        let ret = ret.map(|ret| format!(";{}", record_undefined(&ret))).unwrap_or_default();
        let exact = !is_module && self.can_be_block(body);
        let (open, close) = match (enter, exit) {
            (Some(enter), Some(exit)) if exact => {
                self.table.functions[index.0 as usize].exact_exit = true;
                (format!("{enter}{declarations}try{{{given}"), format!("{ret}}}finally{{{MARK}({exit})}}"))
            }
            (enter, exit) => {
                let exit = exit.map(|exit| format!(";{MARK}({exit});")).unwrap_or_default();
                (format!("{}{declarations}{given}", enter.unwrap_or_default()), format!("{ret}{exit}"))
            }
        };
        self.edits.fill(opening, semicolon(format!("{open}{hoisted}")));
        self.edits.insert(end, close);
    }

    /// What Node passes to a CommonJS module, as far as the module uses it.
    fn commonjs_parameters(&mut self, start: At) -> String {
        let mut writes = String::new();
        for name in self.commonjs_names() {
            let site = self.site(SiteKind::Param, Role::Given, start, Some(name));
            self.table.sites.last_mut().expect("it was made above").variable = self.implicit_variable(name);
            if let Some(site) = site {
                writes.push_str(&format!("{NUMBERED}({site},{name},{});", self.stamp(name)));
            }
        }
        writes
    }

    fn declarations(&self, is_module: bool) -> String {
        let frame = self.frame();
        if frame.temps_declared == 0 {
            return String::new();
        }
        let names: Vec<String> = (1..=frame.temps_declared).map(|i| format!("{TEMPORARY}{i}")).collect();
        format!("{} {};", if is_module { "var" } else { "let" }, names.join(","))
    }

    /// A function in an expression; its birth is recorded unless the parent does that.
    pub fn function_expression(&mut self, literal: FunctionLiteral<'_, 'a>, context: Context, hint: Option<String>) {
        let kind = match literal {
            FunctionLiteral::Arrow(_) => FunctionKind::Arrow,
            FunctionLiteral::Function(_) => FunctionKind::Plain,
        };
        let wraps = !context.names && !self.printed;
        if !wraps || self.no_functions {
            return self.function(literal, kind, hint);
        }
        let extra = self.table.functions.len() as u32 + 1;
        let site = self.site_with(SiteKind::FunctionBirth, Role::Birth, literal.at(), Vec::new(), extra);
        let around = site.map(|site| self.around_literal(call_opening(FUNCTION, &site), literal.span()));
        self.wrap_around(literal.span(), around, |walker| walker.function(literal, kind, hint));
    }

    pub fn function(&mut self, literal: FunctionLiteral<'_, 'a>, kind: FunctionKind, hint: Option<String>) {
        if self.no_functions {
            return;
        }
        let (parameters, is_async, is_generator, own_name, scope) = match literal {
            FunctionLiteral::Function(f) => {
                (&f.params, f.r#async, f.generator, f.id.as_ref().map(|id| id.name.as_str()), f.scope_id.get())
            }
            FunctionLiteral::Arrow(f) => (&f.params, f.r#async, false, None, f.scope_id.get()),
        };
        let body = match literal {
            FunctionLiteral::Function(f) => match &f.body {
                Some(body) => FunctionBodyOf::Block(body),
                None => return,
            },
            FunctionLiteral::Arrow(f) => match &f.body {
                ArrowFunctionBody::FunctionBody(body) => FunctionBodyOf::Block(body),
                body => FunctionBodyOf::Expression(body.to_expression()),
            },
        };
        let name = own_name.map(str::to_owned).or(hint).unwrap_or_default();
        let own_text = MethodText { span: literal.span(), n_changes: self.edits.n_changes() };
        let MethodText { span, n_changes } = self.method_text.take().unwrap_or(own_text);
        let index = self.add_function(kind, &name, span, is_async, is_generator);
        let at = literal.at().over(span);
        self.anchors.function(at.node, index);
        self.scope_info.set_owner(scope, Owner::Function(index));
        self.note_parameters(parameters);

        let is_entered = self.is_entered(index);
        let depth = self.frames.len();
        let variable = is_entered.then(|| format!("{FRAME_VARIABLE}{depth}"));
        let parent_scope = if is_entered { self.scope_number() } else { "0".into() };
        let saved = self.enter_frame(Frame {
            variable: variable.clone(),
            has_locals: true,
            is_async_generator: is_async && is_generator,
            mapped: self.mapped_parameters(literal, parameters),
            ..Frame::new(index, kind)
        });
        self.parameter_defaults(parameters, &name);
        self.scopes.push(ScopeVariable { name: variable, frame: Some(depth) });
        match body {
            FunctionBodyOf::Block(body) => {
                let brace = body.span.start + 1;
                let mark = self.edits.reserve(brace);
                let after_directives = body.directives.last().map_or(brace, |directive| directive.span.end);
                let opening = self.edits.reserve(after_directives);
                let hoisted = self.hoisted_text(&body.statements);
                self.statements(&body.statements);
                let of = Body { statements: &body.statements, parameters: Some(parameters) };
                let exact = self.can_be_block(&of);
                let (open, close) = self.entry_and_exit(&parent_scope, Some(parameters), at, exact);
                let falls_off = !matches!(
                    body.statements.last(),
                    Some(Statement::ReturnStatement(_) | Statement::ThrowStatement(_))
                );
                let end = Span::new(body.span.end - 1, body.span.end);
                let ret = if falls_off { self.site(SiteKind::Return, Role::End, at.over(end), None) } else { None };
                let ret = ret.map(|ret| format!(";{}", record_undefined(&ret))).unwrap_or_default();
                let separator = if close.starts_with('}') || close.is_empty() { "" } else { ";" };
                let begun = self.begun_instance(literal, &body.statements).unwrap_or_default();
                let opened = format!("{open}{begun}{hoisted}");
                let semicolon = if body.directives.is_empty() || opened.is_empty() { "" } else { ";" };
                self.edits.fill(opening, format!("{semicolon}{opened}"));
                self.edits.insert(body.span.end - 1, format!("{ret}{separator}{close}"));
                let text = self.mark_text(SiteKind::Function, span, None, n_changes);
                self.edits.fill(mark, text);
            }
            FunctionBodyOf::Expression(value) => {
                let opening = self.edits.reserve(value.span().start);
                let class = ValueClass::of(self.source, value);
                let ret = self.value_site_as(SiteKind::Return, Role::End, at.over(value.span()), None, class);
                self.visit_returned(value);
                let closing = self.edits.reserve(value.span().end);
                let (open, close) = self.entry_and_exit(&parent_scope, Some(parameters), at, true);
                // It becomes a block where there are statements to be put into it.
                let (open, close) = match ret {
                    Some(ret) => {
                        (format!("{open}return {}", call_opening(class.helper(), &ret)), format!("){close}}}"))
                    }
                    None if !open.is_empty() => (format!("{open}return "), format!("{close}}}")),
                    None => (String::new(), String::new()),
                };
                let is_block = !open.is_empty();
                self.edits.fill(opening, open.clone());
                let mark = self.mark_text(SiteKind::Function, span, Some(closing), n_changes);
                if !mark.is_empty() {
                    self.edits.fill(opening, format!("{}{mark}{open}", if is_block { "{" } else { "" }));
                    self.edits.fill(closing, close);
                }
            }
        }
        self.scopes.pop();
        self.leave_frame(saved);
    }

    /// Where few properties are recorded, the object that a constructor makes is met as it begins, if it is certain to write one of
    /// them: there is nothing in it yet, and nobody has to look. Where `this` is recorded it has its number already, and must not get another.
    fn begun_instance(&self, literal: FunctionLiteral<'_, 'a>, statements: &[Statement<'a>]) -> Option<String> {
        let FunctionLiteral::Function(function) = literal else { return None };
        let frame = self.frame();
        let makes_bare_objects = match frame.kind {
            FunctionKind::Plain => !function.r#async && !function.generator,
            FunctionKind::Constructor => !self.in_derived_class && !self.in_class_with_fields,
            _ => false,
        };
        if !makes_bare_objects || frame.records_this {
            return None;
        }
        let is_certain = |key: &str| statements.iter().filter_map(assigned_to_this).any(|written| written == key);
        let (_, site) = frame.writes_to_this.iter().find(|(key, _)| is_certain(key))?;
        Some(format!("new.target===undefined||{MEET_NEWBORN}({site},this,new.target);"))
    }

    /// In sloppy functions with nothing but plain parameters, the elements of `arguments` and the parameters are the same.
    fn mapped_parameters(
        &self,
        literal: FunctionLiteral<'_, 'a>,
        parameters: &FormalParameters<'a>,
    ) -> Vec<(String, SymbolId)> {
        let FunctionLiteral::Function(function) = literal else { return Vec::new() };
        let is_strict = function.scope_id.get().is_some_and(|scope| self.scoping.scope_flags(scope).is_strict_mode());
        let is_simple = parameters.rest.is_none() && parameters.items.iter().all(|item| item.initializer.is_none());
        if is_strict || !is_simple {
            return Vec::new();
        }
        let plain = |item: &FormalParameter<'a>| match &item.pattern {
            BindingPattern::BindingIdentifier(id) => Some((id.name.to_string(), id.symbol_id.get()?)),
            _ => None,
        };
        let mapped: Option<Vec<_>> = parameters.items.iter().map(plain).collect();
        let mapped = mapped.unwrap_or_default();
        let distinct: HashSet<&String> = mapped.iter().map(|(name, _)| name).collect();
        if distinct.len() == mapped.len() { mapped } else { Vec::new() }
    }

    /// What stands at the start of a body, and at its end.
    fn entry_and_exit(
        &mut self,
        parent_scope: &str,
        parameters: Option<&FormalParameters<'a>>,
        at: At,
        exact: bool,
    ) -> (String, String) {
        let declarations = self.declarations(false);
        let mut writes = Vec::new();
        if self.frame().uses_this
            && self.this_is_readable()
            && let Some(site) = self.site(SiteKind::This, Role::This, at, None)
        {
            writes.push(format!("{RECEIVER}({site},this,{})", self.stamp("this")));
            self.frame_mut().records_this = true;
        }
        for parameter in parameters.iter().flat_map(|parameters| &parameters.items) {
            self.binding_writes(&parameter.pattern, SiteKind::Param, NUMBERED, &mut writes);
        }
        if let Some(rest) = parameters.and_then(|parameters| parameters.rest.as_ref()) {
            self.binding_writes(&rest.rest.argument, SiteKind::Param, NUMBERED, &mut writes);
        }
        if self.frame().uses_arguments
            && self.frame().kind != FunctionKind::Arrow
            && let Some(site) = self.site(SiteKind::Arguments, Role::Arguments, at, None)
        {
            writes.push(format!("{ARGUMENTS}({site},arguments)"));
        }
        let writes: String = writes.iter().map(|write| format!("{write};")).collect();
        let end = Span::new(at.span.end.saturating_sub(1), at.span.end);
        let enter = self.site(SiteKind::Enter, Role::Enter, at, None);
        let exit = self.site(SiteKind::Exit, Role::Exit, at.over(end), None);
        let (Some(enter), Some(exit)) = (enter, exit) else {
            return (format!("{declarations}{writes}"), String::new());
        };
        let enter = match (&self.frame().variable, self.frame().variable_used) {
            (Some(variable), true) => format!("const {variable}={ENTER}({enter},{parent_scope});"),
            _ => format!("{ENTER}({enter},{parent_scope});"),
        };
        let index = self.frame().index;
        self.table.functions[index.0 as usize].exact_exit = exact;
        if exact {
            (format!("{enter}{declarations}try{{{writes}"), format!("}}finally{{{MARK}({exit})}}"))
        } else {
            (format!("{enter}{declarations}{writes}"), format!("{MARK}({exit});"))
        }
    }

    /// In the constructor of a derived class `this` does not exist before `super()`. Arrow functions have that of the function around
    /// them, which is found through their scope, but for initialisers.
    fn this_is_readable(&self) -> bool {
        let frame = self.frame();
        match frame.kind {
            FunctionKind::Arrow => self.has_unseen_this(),
            FunctionKind::Constructor => !self.in_derived_class,
            _ => true,
        }
    }

    /// Whether the statements can be put into a block: the functions they declare must not be anything else as well.
    fn can_be_block(&self, body: &Body<'_, 'a>) -> bool {
        if self.frame().has_direct_eval {
            return false;
        }
        let parameter_names: Vec<&str> = match body.parameters {
            Some(parameters) => {
                let items = parameters.items.iter().map(|item| &item.pattern);
                let rest = parameters.rest.iter().map(|rest| &rest.rest.argument);
                items.chain(rest).flat_map(|p| p.get_binding_identifiers()).map(|id| id.name.as_str()).collect()
            }
            None => vec!["exports", "require", "module", "__filename", "__dirname"],
        };
        let clashes = |id: &BindingIdentifier<'a>| {
            let redeclared = id.symbol_id.get().is_some_and(|id| !self.scoping.symbol_redeclarations(id).is_empty());
            redeclared || id.name == "arguments" || parameter_names.contains(&id.name.as_str())
        };
        !body.statements.iter().any(|statement| match statement {
            Statement::FunctionDeclaration(function) => function.id.as_ref().is_some_and(clashes),
            Statement::ClassDeclaration(class) => class.id.as_ref().is_some_and(clashes),
            Statement::VariableDeclaration(declaration) if declaration.kind.is_lexical() => declaration
                .declarations
                .iter()
                .any(|declarator| declarator.id.get_binding_identifiers().iter().any(|id| clashes(id))),
            // A label before a function declaration means something else in a block.
            Statement::LabeledStatement(labeled) => contains_function(&labeled.body),
            _ => false,
        })
    }

    pub fn add_function(
        &mut self,
        kind: FunctionKind,
        name: &str,
        span: Span,
        is_async: bool,
        is_generator: bool,
    ) -> FunctionIndex {
        let parent = self.frames.last().map(|frame| frame.index);
        let name = self.name(name);
        let index = FunctionIndex(self.table.functions.len() as u32);
        self.table.functions.push(trace_model::Function {
            kind,
            name,
            span: trace_model::Span { start: span.start, end: span.end },
            parent,
            is_async,
            is_generator,
            exact_exit: false,
            recorded: self.is_entered(index),
        });
        index
    }

    /// A static block is a function that is called at once, with the class as `this`.
    pub fn static_block(&mut self, block: &StaticBlock<'a>) {
        let span = block.span;
        let index = self.add_function(FunctionKind::ClassInit, "<static_initializer>", span, false, false);
        let at = block.at();
        self.anchors.initialiser(at.node, index);
        self.scope_info.set_owner(block.scope_id.get(), Owner::Function(index));
        let depth = self.frames.len();
        let is_entered = self.is_entered(index);
        let variable = is_entered.then(|| format!("{FRAME_VARIABLE}{depth}"));
        let parent_scope = if is_entered { self.scope_number() } else { "0".into() };
        let saved = self.enter_frame(Frame {
            variable: variable.clone(),
            has_locals: true,
            ..Frame::new(index, FunctionKind::ClassInit)
        });
        self.scopes.push(ScopeVariable { name: variable, frame: Some(depth) });
        let opening = self.edits.reserve(self.behind_blanks(span.start + "static".len() as u32) + 1);
        let hoisted = self.hoisted_text(&block.body);
        self.statements(&block.body);
        let exact = self.can_be_block(&Body { statements: &block.body, parameters: None });
        let ret = self.site(SiteKind::Return, Role::End, at.over(Span::new(span.end - 1, span.end)), None);
        let (open, close) = self.entry_and_exit(&parent_scope, None, at, exact);
        let ret = ret.map(|ret| format!(";{}", record_undefined(&ret))).unwrap_or_default();
        let separator = if close.starts_with('}') || close.is_empty() { "" } else { ";" };
        self.edits.fill(opening, format!("{open}{hoisted}"));
        self.edits.insert(span.end - 1, format!("{ret}{separator}{close}"));
        self.scopes.pop();
        self.leave_frame(saved);
    }

    pub fn enter_frame(&mut self, frame: Frame) -> Outside {
        self.frames.push(frame);
        Outside {
            printed: std::mem::take(&mut self.printed),
            naming: std::mem::take(&mut self.naming),
            in_list: std::mem::take(&mut self.in_list),
            in_derived_class: self.in_derived_class,
            depth: std::mem::take(&mut self.depth),
        }
    }

    pub fn leave_frame(&mut self, outside: Outside) {
        self.frames.pop();
        self.printed = outside.printed;
        self.naming = outside.naming;
        self.in_list = outside.in_list;
        self.in_derived_class = outside.in_derived_class;
        self.depth = outside.depth;
    }
}

/// What the walker was doing when it entered a function.
pub(crate) struct Outside {
    printed: bool,
    naming: Naming,
    in_list: bool,
    in_derived_class: bool,
    depth: u32,
}

enum FunctionBodyOf<'t, 'a> {
    Block(&'t FunctionBody<'a>),
    Expression(&'t Expression<'a>),
}

struct Body<'t, 'a> {
    statements: &'t [Statement<'a>],
    /// None for the function that Node writes around a CommonJS module, and for static blocks.
    parameters: Option<&'t FormalParameters<'a>>,
}

/// Where the top level is, and where it ends.
struct TopLevel {
    program: At,
    end: u32,
}

/// The property that a statement `this.x = …` assigns to.
fn assigned_to_this<'t>(statement: &'t Statement) -> Option<&'t str> {
    let Statement::ExpressionStatement(statement) = statement else { return None };
    let Expression::AssignmentExpression(assignment) = &statement.expression else { return None };
    let AssignmentTarget::StaticMemberExpression(member) = &assignment.left else { return None };
    matches!(member.object, Expression::ThisExpression(_)).then(|| member.property.name.as_str())
}

fn contains_function(statement: &Statement) -> bool {
    match statement {
        Statement::FunctionDeclaration(_) => true,
        Statement::LabeledStatement(labeled) => contains_function(&labeled.body),
        _ => false,
    }
}
