//! The walk over the tree: which construct gets which insertion. State that all constructs share is here; the constructs
//! are in the modules beside.

use helper_names::{
    MARK_OPENING, MEET, NUMBERED, ROOM, SCOPE_VARIABLE, STAMP, TEMPORARIES, TEMPORARY, UNUSED_VARIABLE,
};
use std::collections::{HashMap, HashSet};

use js_syntax::{Parsed, SourceKind};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_span::{GetSpan, Span};
use oxc_syntax::symbol::SymbolId;
use trace_model::{Choice, FunctionIndex, FunctionKind, LocalSite, NameIndex, Selection, SiteKind, SiteTable};

use crate::anchors::{Anchors, At, Construct, Role};
use crate::edits::{Edits, MarkedText, Slot, number_text};
use crate::inference::Naming;
use crate::intervene::Wish;
use crate::numeric::is_numeric_given;
use crate::values::{ValueClass, call_opening, is_numeric, may_be_object};
use crate::variables::Scopes;

/// What the parent of an expression will do with its value.
#[derive(Clone, Copy, Default)]
pub(crate) struct Context {
    /// The parent records the value itself, so the expression need not.
    pub consumed: bool,
    /// The engine names an anonymous function in this place, so it must stay there, unwrapped.
    pub names: bool,
    /// The expression is a whole statement.
    pub statement: bool,
    /// And other statements can be put before it.
    pub apart: bool,
    /// What the result of a call is recorded as, if not simply as a result.
    pub result: Option<SiteKind>,
    /// A property of the value is read. V8 reports that at the name if the object is `new K()` or a literal, and at the dot if
    /// it is a call: what becomes a call there is put into parentheses, which are neither.
    pub object: bool,
}

/// The function being walked.
pub(crate) struct Frame {
    pub index: FunctionIndex,
    pub kind: FunctionKind,
    /// The variable that holds its frame number, if it has one and it can be declared.
    pub variable: Option<String>,
    pub variable_used: bool,
    /// Whether temporaries can be declared as locals.
    pub has_locals: bool,
    pub temps_in_use: u32,
    pub temps_declared: u32,
    /// Whether a statement put into it could change a completion value.
    pub completion_value: bool,
    pub is_async_generator: bool,
    pub uses_this: bool,
    /// Arrow functions in it do not find its `this` through their scope, and can read it.
    pub has_unseen_this: bool,
    pub uses_arguments: bool,
    /// The properties of `this` that it writes itself, each with its site, where few are recorded.
    pub writes_to_this: Vec<(String, String)>,
    /// Its parameters, where writing an element of `arguments` writes them as well.
    pub mapped: Vec<(String, SymbolId)>,
    pub has_direct_eval: bool,
    /// An `await` was walked whose resumption could not be noted in place.
    pub late_resume: bool,
}

impl Frame {
    /// Nothing is known of it yet.
    pub fn new(index: FunctionIndex, kind: FunctionKind) -> Frame {
        Frame {
            index,
            kind,
            variable: None,
            variable_used: false,
            has_locals: false,
            temps_in_use: 0,
            temps_declared: 0,
            completion_value: false,
            is_async_generator: false,
            uses_this: false,
            has_unseen_this: false,
            uses_arguments: false,
            writes_to_this: Vec::new(),
            mapped: Vec::new(),
            has_direct_eval: false,
            late_resume: false,
        }
    }
}

/// A place for a value.
#[derive(Clone)]
pub(crate) struct Temp {
    pub text: String,
    /// Its number among the locals of the frame; 0 if it is none.
    local: u32,
}

/// The text of a method begins at its key.
#[derive(Clone, Copy)]
pub(crate) struct MethodText {
    pub span: Span,
    /// How many insertions there were before it.
    pub n_changes: usize,
}

/// A variable that holds the number of a scope, to be handed to the functions created in it; no name if it has no number.
pub(crate) struct ScopeVariable {
    pub name: Option<String>,
    /// The frame it belongs to, where it is a frame's own variable.
    pub frame: Option<usize>,
}

pub(crate) struct Walker<'a, 'p, N> {
    pub source: &'a str,
    pub kind: SourceKind,
    /// Where something is inserted. The sites are the same whatever it is.
    pub selection: &'p Selection,
    /// By function: whether it is entered with an event; nothing if all are.
    pub entered: Option<&'p [bool]>,
    pub scoping: &'p Scoping,
    pub scope_info: Scopes,
    pub edits: Edits,
    pub table: SiteTable,
    /// Who is told which construct got which site.
    pub anchors: N,
    pub marked: Vec<MarkedText>,
    /// The site of each marked text.
    pub marked_sites: Vec<u32>,
    pub frames: Vec<Frame>,
    pub scopes: Vec<ScopeVariable>,
    pub context: Context,
    /// The engine may print the text of the expression in an error message, so nothing may be inserted into it.
    pub printed: bool,
    /// The base of a `?.` that has its site before the chain.
    pub looked_at: Option<Span>,
    /// The property about to be written gives names to functions in its value.
    pub keeps_names: bool,
    /// How the functions in this expression get names.
    pub naming: Naming,
    /// Functions here stay as they are: their marks would be taken for that of the function around them.
    pub no_functions: bool,
    /// How deep the expression nests in its function.
    pub depth: u32,
    /// Where the innermost statement begins.
    pub statement_start: u32,
    /// The statement being walked stands in a list, so that others can be put beside it.
    pub in_list: bool,
    /// What an anonymous function would be called here.
    pub name_hint: Option<String>,
    /// The site that records the class about to be walked.
    pub class_site: Option<u32>,
    /// What `toString` shows of the method about to be walked.
    pub method_text: Option<MethodText>,
    pub in_derived_class: bool,
    /// Instances of the class being walked have fields before its constructor begins.
    pub in_class_with_fields: bool,
    /// The class being walked has fields that nothing can be put around, under keys that the source does not tell.
    pub in_class_with_unseen_fields: bool,
    /// When it was last looked for room.
    n_sites_with_room: usize,
    /// Variables that hold numbers only; none where it does not matter.
    pub numeric: HashSet<SymbolId>,
    /// The text is for a realm without addon and without private symbols: marks carry the original text, and objects are asked
    /// for their numbers by the helpers alone.
    pub for_prelude: bool,
    /// What is to be different.
    pub wish: Option<Wish>,
    names: HashMap<String, NameIndex>,
    next_scope: u32,
}

/// The parameters of the function that Node writes around a CommonJS module.
const COMMONJS_PARAMETERS: [&str; 5] = ["exports", "require", "module", "__filename", "__dirname"];

impl<'a, 'p, N: Anchors> Walker<'a, 'p, N> {
    pub fn new(
        source: &'a str,
        kind: SourceKind,
        selection: &'p Selection,
        parsed: &'p Parsed<'a>,
        anchors: N,
    ) -> Walker<'a, 'p, N> {
        Walker {
            source,
            kind,
            selection,
            entered: None,
            scoping: &parsed.scoping,
            scope_info: Scopes::new(&parsed.scoping),
            edits: Edits::default(),
            table: SiteTable::default(),
            anchors,
            marked: Vec::new(),
            marked_sites: Vec::new(),
            frames: Vec::new(),
            scopes: Vec::new(),
            context: Context::default(),
            printed: false,
            looked_at: None,
            keeps_names: false,
            naming: Naming::Unknown,
            no_functions: false,
            depth: 0,
            statement_start: 0,
            in_list: false,
            name_hint: None,
            class_site: None,
            method_text: None,
            in_derived_class: false,
            in_class_with_fields: false,
            in_class_with_unseen_fields: false,
            n_sites_with_room: 0,
            numeric: HashSet::new(),
            for_prelude: false,
            wish: None,
            names: HashMap::new(),
            next_scope: 0,
        }
    }

    pub fn name(&mut self, name: &str) -> NameIndex {
        if let Some(&index) = self.names.get(name) {
            return index;
        }
        let index = NameIndex(self.table.names.len() as u32);
        self.table.names.push(name.to_owned());
        self.names.insert(name.to_owned(), index);
        index
    }

    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("the top level is a frame")
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the top level is a frame")
    }

    pub fn is_entered(&self, function: FunctionIndex) -> bool {
        self.entered.is_none_or(|entered| entered[function.0 as usize])
    }

    /// A new site, as the literal that stands for it in the new text; nothing where it emits no events.
    pub fn site(&mut self, kind: SiteKind, role: Role, at: At, name: Option<&str>) -> Option<String> {
        let names: Vec<NameIndex> = name.map(|name| self.name(name)).into_iter().collect();
        self.site_with(kind, role, at, names, 0)
    }

    pub fn site_with(
        &mut self,
        kind: SiteKind,
        role: Role,
        at: At,
        names: Vec<NameIndex>,
        extra: u32,
    ) -> Option<String> {
        let number = self.add_site(kind, role, at, names, extra);
        self.emitting(number)
    }

    /// The literal of a site that emits events.
    pub fn emitting(&self, number: u32) -> Option<String> {
        self.selection.has(LocalSite(number)).then(|| literal(number))
    }

    /// Whether the newest site emits events.
    pub fn newest_choice(&self) -> Choice {
        self.selection.choice(LocalSite(self.table.sites.len() as u32 - 1))
    }

    /// A write that records a value of this class.
    pub fn value_site(&mut self, kind: SiteKind, at: At, name: Option<&str>, class: ValueClass<'a>) -> Option<String> {
        self.value_site_as(kind, Role::Write, at, name, class)
    }

    /// A site that records a value of this class: the variable or key it concerns, then the literal if it is one; the function
    /// that the value is, if it is one.
    pub fn value_site_as(
        &mut self,
        kind: SiteKind,
        role: Role,
        at: At,
        name: Option<&str>,
        class: ValueClass<'a>,
    ) -> Option<String> {
        let mut names: Vec<NameIndex> = name.map(|name| self.name(name)).into_iter().collect();
        if let ValueClass::Literal(text) = class {
            names.push(self.name(text));
        }
        let extra = if class == ValueClass::FunctionLiteral { self.table.functions.len() as u32 + 1 } else { 0 };
        let number = self.add_site(kind, role, at, names, extra);
        self.class_site = (class == ValueClass::ClassLiteral).then_some(number);
        self.emitting(number)
    }

    pub fn add_site(&mut self, kind: SiteKind, role: Role, at: At, names: Vec<NameIndex>, extra: u32) -> u32 {
        let number = self.add_unanchored(kind, at.span, names, extra);
        self.anchors.site(at.node, role, LocalSite(number));
        number
    }

    /// The newest site has this role as well.
    pub fn newest_is_also(&mut self, role: Role, at: At) {
        let newest = LocalSite(self.table.sites.len() as u32 - 1);
        self.anchors.site(at.node, role, newest);
    }

    /// A site that is no event.
    fn add_unanchored(&mut self, kind: SiteKind, span: Span, names: Vec<NameIndex>, extra: u32) -> u32 {
        let function = self.frame().index;
        let number = self.table.sites.len() as u32;
        let span = trace_model::Span { start: span.start, end: span.end };
        self.table.sites.push(trace_model::Site { kind, span, function, names, extra, variable: None });
        number
    }

    /// Surrounds a stretch of the source: `open`, what `inside` inserts into it, `close`.
    pub fn wrap(&mut self, span: Span, open: String, close: &str, inside: impl FnOnce(&mut Self)) {
        let (open, close) = self.quieted((open, close.to_owned()));
        self.edits.insert(span.start, open);
        inside(self);
        self.edits.insert(span.end, close);
    }

    /// Surrounds it with `helper(site,` and `)`, if there is a site.
    pub fn wrap_call(&mut self, span: Span, helper: &str, site: Option<String>, inside: impl FnOnce(&mut Self)) {
        match site {
            Some(site) => self.wrap(span, call_opening(helper, &site), ")", inside),
            None => inside(self),
        }
    }

    /// As [`Walker::wrap`], if there is something to surround it with.
    pub fn wrap_around(&mut self, span: Span, around: Option<(String, String)>, inside: impl FnOnce(&mut Self)) {
        match around {
            Some((open, close)) => self.wrap(span, open, &close, inside),
            None => inside(self),
        }
    }

    /// Surrounds an expression, as one argument of a call.
    pub fn wrap_value(
        &mut self,
        value: &Expression<'a>,
        around: Option<(String, String)>,
        inside: impl FnOnce(&mut Self),
    ) {
        let Some((mut open, mut close)) = around else { return inside(self) };
        if matches!(value, Expression::SequenceExpression(_)) {
            open.push('(');
            close.insert(0, ')');
        }
        self.wrap(value.span(), open, &close, inside);
    }

    /// The expression that gives the current frame's number.
    pub fn frame_number(&mut self) -> String {
        let frame = self.frame_mut();
        match &frame.variable {
            Some(variable) => {
                let variable = variable.clone();
                frame.variable_used = true;
                variable
            }
            None => "0".into(),
        }
    }

    /// The expression that gives the number of the scope around a function that is created here.
    pub fn scope_number(&mut self) -> String {
        let Some(scope) = self.scopes.last() else { return "0".into() };
        let name = scope.name.clone();
        if let Some(frame) = scope.frame {
            self.frames[frame].variable_used = true;
        }
        name.unwrap_or_else(|| "0".into())
    }

    pub fn fresh_scope_variable(&mut self) -> String {
        self.next_scope += 1;
        format!("{SCOPE_VARIABLE}{}", self.next_scope)
    }

    /// A place to keep a value while the expression that needs it is evaluated.
    pub fn take_temp(&mut self) -> String {
        let temp = self.reserve_temp();
        self.declare_temp(temp)
    }

    /// A place that may turn out to be needed.
    pub fn reserve_temp(&mut self) -> Temp {
        let next_site = self.table.sites.len() as u32;
        let frame = self.frame_mut();
        frame.temps_in_use += 1;
        if !frame.has_locals {
            let text = match frame.temps_in_use {
                1 => format!("{TEMPORARIES}[{}]", literal(next_site)),
                more => format!("{TEMPORARIES}[{}+{more}]", literal(next_site)),
            };
            return Temp { text, local: 0 };
        }
        Temp { text: format!("{TEMPORARY}{}", frame.temps_in_use), local: frame.temps_in_use }
    }

    /// It is needed.
    pub fn declare_temp(&mut self, temp: Temp) -> String {
        let frame = self.frame_mut();
        frame.temps_declared = frame.temps_declared.max(temp.local);
        temp.text
    }

    pub fn give_back_temps(&mut self, in_use: u32) {
        self.frame_mut().temps_in_use = in_use;
    }

    /// The number of an object that can be read twice, asked for in place, where the engine knows the shapes that come by. What
    /// has no number has 0: the engine compares integers faster than what may be none.
    pub fn stamp(&self, object: &str) -> String {
        if self.for_prelude { "0".into() } else { format!("{object}?.[{STAMP}]|0") }
    }

    /// The number of an object that is about to be written to. Where not everything is recorded, it may never have been met:
    /// then it is looked at before that.
    pub fn stamp_before_write(&self, site: &str, object: &str) -> String {
        let stamp = self.stamp(object);
        match self.selection.is_all() {
            true => stamp,
            false => format!("{MEET}({site},{object},{stamp})"),
        }
    }

    /// As [`Walker::stamp`], for what may be no object: the engine looks at a type faster than it finds nothing in a primitive.
    pub fn stamp_if_object(&self, value: &str) -> String {
        if self.for_prelude { "0".into() } else { format!("typeof {value}==\"object\"?{value}?.[{STAMP}]|0:0") }
    }

    /// What stands before and behind a value that is recorded on its way. Where it may be an object, its number is asked for
    /// in place.
    pub fn around_value(
        &mut self,
        site: Option<String>,
        class: ValueClass<'a>,
        value: &Expression<'a>,
    ) -> Option<(String, String)> {
        let site = site?;
        let asks = class == ValueClass::Any && may_be_object(value);
        if asks && let Some(text) = self.readable_twice(value) {
            return Some((format!("{NUMBERED}({site},"), format!(",{})", self.stamp_if_object(&text))));
        }
        if !asks || !self.frame().has_locals || self.is_quiet() {
            return Some((call_opening(class.helper(), &site), ")".into()));
        }
        // Needed only when all of the value is there, so what is inside may use it too.
        let temps = self.frame().temps_in_use;
        let temp = self.take_temp();
        self.give_back_temps(temps);
        // The temporary must not keep the object alive for longer than the program does.
        Some((format!("{NUMBERED}({site},{temp}="), format!(",{},{temp}=0)", self.stamp_if_object(&temp))))
    }

    /// Text that does `expression` as a statement without touching the completion value of the code around it.
    pub fn statement_text(&self, expression: &str) -> String {
        if self.frame().completion_value {
            format!("{{let {UNUSED_VARIABLE}={expression}}}")
        } else {
            format!("{expression};")
        }
    }

    pub fn is_too_deep(&self) -> bool {
        self.depth > DEEPEST
    }

    pub fn not_captured(&mut self, span: Span, why: &str) {
        let why = self.name(why);
        self.table.not_captured.push((trace_model::Span { start: span.start, end: span.end }, why));
    }

    /// The symbol of an identifier that certainly is a variable, so that reading it twice runs nothing.
    pub fn is_variable(&self, identifier: &IdentifierReference<'a>) -> bool {
        let known = self.symbol(identifier).is_some_and(|symbol| self.is_local(symbol));
        known || self.kind == SourceKind::CommonJs && COMMONJS_PARAMETERS.contains(&identifier.name.as_str())
    }

    fn is_local(&self, symbol: SymbolId) -> bool {
        // Top-level `var`s and functions of a script are properties of the global object, which may have accessors; those of
        // eval code may live anywhere.
        !self.kind.has_completion_value() || self.scoping.symbol_scope_id(symbol) != self.scoping.root_scope_id()
    }

    /// Whether a key names an element for certain, and nobody asks for elements.
    pub fn is_unasked_element(&self, key: &Expression<'a>) -> bool {
        !self.selection.reaches_elements() && (is_numeric(key) || is_numeric_given(key, self.scoping, &self.numeric))
    }

    pub fn symbol(&self, identifier: &IdentifierReference<'a>) -> Option<SymbolId> {
        identifier.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id())
    }

    pub fn text(&self, span: Span) -> &'a str {
        &self.source[span.start as usize..span.end as usize]
    }

    pub fn with_printed(&mut self, printed: bool, inside: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.printed, printed);
        inside(self);
        self.printed = before;
    }

    /// Walks an expression whose value the parent records.
    pub fn visit_consumed(&mut self, expression: &Expression<'a>) {
        self.context = Context { consumed: true, ..Context::default() };
        self.visit_expression(expression);
    }

    /// Walks what is returned: a function literal needs no birth of its own.
    pub fn visit_returned(&mut self, expression: &Expression<'a>) {
        self.context = Context { consumed: true, names: true, ..Context::default() };
        self.visit_expression(expression);
    }

    /// Marks a function or class whose text was changed since there were `n_changes`; the mark is to be put behind the brace
    /// that opens its body. It has a site in any case.
    pub fn mark_text(&mut self, kind: SiteKind, span: Span, last_insertion: Option<Slot>, n_changes: usize) -> String {
        let site = self.add_unanchored(kind, span, Vec::new(), 0);
        if self.edits.n_changes() == n_changes {
            return String::new();
        }
        self.marked.push(MarkedText { start: span.start, end: span.end, last_insertion });
        self.marked_sites.push(site);
        let original = if self.for_prelude { format!(":{}", base64url(self.text(span))) } else { String::new() };
        format!("{MARK_OPENING}0{}{original}*/", number_text(site))
    }
}

/// Site number × 16, as the helpers take it.
pub(crate) fn literal(site: u32) -> String {
    format!("0x{}0", number_text(site))
}

/// Their events are far shorter than what is left of a chunk that has room.
const MOST_SITES_IN_A_ROW: usize = 4096;

/// V8 parses calls inside calls by recursion, and has less stack for it than for chains of operators.
const DEEPEST: u32 = 300;

impl<'a, N: Anchors> Visit<'a> for Walker<'a, '_, N> {
    fn visit_expression(&mut self, expression: &Expression<'a>) {
        self.depth += 1;
        let printed = self.printed;
        self.printed |= self.is_too_deep();
        match self.around_wished_expression(expression) {
            Some((open, close)) => {
                self.edits.insert(expression.span().start, open);
                self.expression(expression);
                self.edits.insert(expression.span().end, close);
            }
            None => self.expression(expression),
        }
        self.printed = printed;
        self.depth -= 1;
    }

    fn visit_this_expression(&mut self, _: &ThisExpression) {
        self.note_this();
    }

    fn visit_super(&mut self, _: &Super) {
        self.note_this();
    }
    fn visit_identifier_reference(&mut self, identifier: &IdentifierReference<'a>) {
        if identifier.name == "arguments" && self.symbol(identifier).is_none() {
            for frame in self.frames.iter_mut().rev() {
                frame.uses_arguments = true;
                if frame.kind != FunctionKind::Arrow {
                    break;
                }
            }
        }
    }

    fn visit_statement(&mut self, statement: &Statement<'a>) {
        let in_list = std::mem::take(&mut self.in_list);
        self.statement_start = statement.span().start;
        match self.around_wished_statement(statement) {
            Some((open, close)) => {
                self.edits.insert(statement.span().start, open);
                self.statement(statement, in_list);
                self.edits.insert(statement.span().end, close);
            }
            None => self.statement(statement, in_list),
        }
    }

    fn visit_block_statement(&mut self, block: &BlockStatement<'a>) {
        let start = block.span.start + 1;
        self.hoisted_functions(start, &block.body);
        self.statements(&block.body);
    }

    fn visit_function(&mut self, function: &Function<'a>, _: oxc_syntax::scope::ScopeFlags) {
        let hint = self.name_hint.take();
        self.function(FunctionLiteral::Function(function), FunctionKind::Plain, hint);
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        let hint = self.name_hint.take();
        self.class(class, hint);
    }
}

impl<'a, N: Anchors> Walker<'a, '_, N> {
    fn expression(&mut self, expression: &Expression<'a>) {
        let context = std::mem::take(&mut self.context);
        let hint =
            if matches!(expression, Expression::ParenthesizedExpression(_)) { None } else { self.name_hint.take() };
        match expression {
            Expression::ParenthesizedExpression(inner) => {
                // `statement` must not reach inside: what is inserted there would follow the parenthesis.
                self.context = Context { statement: false, apart: false, ..context };
                self.visit_expression(&inner.expression);
            }
            Expression::StaticMemberExpression(member) => self.object_of_member(&member.object),
            Expression::PrivateFieldExpression(member) => self.object_of_member(&member.object),
            Expression::ComputedMemberExpression(member) => {
                self.object_of_member(&member.object);
                self.visit_expression(&member.expression);
            }
            Expression::CallExpression(call) => self.call(call, context),
            Expression::NewExpression(new) => self.new_expression(new, context),
            Expression::ChainExpression(chain) => self.chain(chain, context),
            Expression::TaggedTemplateExpression(tagged) => self.tagged_template(tagged, context),
            Expression::ImportExpression(import) => self.import_call(import, context),
            Expression::AssignmentExpression(assignment) => self.assignment(assignment),
            Expression::UpdateExpression(update) => self.update(update),
            Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::Delete => self.delete(unary),
            Expression::LogicalExpression(logical) => self.logical(logical),
            Expression::ConditionalExpression(conditional) => self.conditional(conditional),
            Expression::AwaitExpression(r#await) => self.await_expression(r#await),
            Expression::YieldExpression(r#yield) => self.yield_expression(r#yield),
            Expression::FunctionExpression(function) => {
                self.function_expression(FunctionLiteral::Function(function), context, hint)
            }
            Expression::ArrowFunctionExpression(arrow) => {
                self.function_expression(FunctionLiteral::Arrow(arrow), context, hint)
            }
            Expression::ClassExpression(class) => self.class_expression(class, context, hint),
            Expression::ObjectExpression(object) => self.object_literal(object, context),
            Expression::ArrayExpression(array) => self.array_literal(array, context),
            _ => walk::walk_expression(self, expression),
        }
    }
}

impl<'a, N: Anchors> Walker<'a, '_, N> {
    fn note_this(&mut self) {
        for frame in self.frames.iter_mut().rev() {
            frame.uses_this = true;
            if frame.kind != FunctionKind::Arrow {
                break;
            }
        }
    }

    fn object_of_member(&mut self, object: &Expression<'a>) {
        self.context = Context { object: true, ..Context::default() };
        self.visit_expression(object);
    }

    /// What opens and closes a wrapping call around an expression that is none itself; `None` where it would open a statement
    /// with a parenthesis, which the line before could take for its own.
    pub fn parentheses(&self, context: Context, span: Span) -> Option<(&'static str, &'static str)> {
        match context.object {
            false => Some(("", "")),
            true if span.start == self.statement_start => None,
            true => Some(("(", ")")),
        }
    }

    /// Most events do not look whether the chunk has room for them: entries and loops do. A long list of statements has neither.
    fn ask_for_room(&mut self, at: u32) {
        if self.has_long_way_behind() {
            let text = self.statement_text(&format!("{ROOM}()"));
            self.edits.insert(at, text);
        }
    }

    /// Whether somebody has to look for room now, which the caller then sees to.
    pub fn has_long_way_behind(&mut self) -> bool {
        let n_sites = self.table.sites.len();
        let is_long = self.selection.is_all() && n_sites - self.n_sites_with_room >= MOST_SITES_IN_A_ROW;
        if is_long {
            self.n_sites_with_room = n_sites;
        }
        is_long
    }

    pub fn statements(&mut self, statements: &[Statement<'a>]) {
        for statement in statements {
            self.ask_for_room(statement.span().start);
            self.in_list = true;
            self.visit_statement(statement);
        }
        self.in_list = false;
    }
}

/// The two syntaxes of functions.
#[derive(Clone, Copy)]
pub(crate) enum FunctionLiteral<'t, 'a> {
    Function(&'t Function<'a>),
    Arrow(&'t ArrowFunctionExpression<'a>),
}

impl<'a> FunctionLiteral<'_, 'a> {
    pub fn span(&self) -> Span {
        self.at().span
    }

    pub fn at(&self) -> At {
        match self {
            FunctionLiteral::Function(function) => function.at(),
            FunctionLiteral::Arrow(arrow) => arrow.at(),
        }
    }
}

fn base64url(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::with_capacity(text.len().div_ceil(3) * 4);
    for chunk in text.as_bytes().chunks(3) {
        let bytes = [chunk[0], *chunk.get(1).unwrap_or(&0), *chunk.get(2).unwrap_or(&0)];
        let bits = u32::from_be_bytes([0, bytes[0], bytes[1], bytes[2]]);
        for i in 0..=chunk.len() {
            out.push(DIGITS[(bits >> (18 - 6 * i)) as usize & 63] as char);
        }
    }
    out
}
