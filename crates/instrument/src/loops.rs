//! Loops: what each time round begins with, and whether it is a scope of its own.

use helper_names::{FRAME_MARK, LOOP_TRUTH, LOOP_VALUE, ROOM, SCOPE, VALUE};
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeId;
use trace_model::SiteKind;

use crate::anchors::{Anchors, Construct, Role};
use crate::values::call_opening;
use crate::walker::{ScopeVariable, Walker};

impl<'a, N: Anchors> Walker<'a, '_, N> {
    pub fn for_statement(&mut self, statement: &ForStatement<'a>) {
        let scope = self.open_head_scope(statement);
        match &statement.init {
            Some(ForStatementInit::VariableDeclaration(declaration)) => self.variable_declaration(declaration, false),
            Some(init) => {
                if let Some(expression) = init.as_expression() {
                    self.visit_consumed(expression);
                }
            }
            None => {}
        }
        if let Some(test) = &statement.test {
            self.condition(test, SiteKind::Loop, LOOP_TRUTH);
        }
        if let Some(scope) = &scope {
            self.renew_head_scope(statement, scope);
        }
        if let Some(update) = &statement.update {
            self.visit_consumed(update);
        }
        let endless = statement.test.is_none();
        let head = statement.at().over(Span::new(statement.span.start, statement.span.start + 3));
        self.loop_body(&statement.body, None, |walker| {
            // Without a condition there is nobody else to look for room.
            let site = if endless { walker.site(SiteKind::Loop, Role::Round, head, None) } else { None };
            site.map(|site| walker.statement_text(&format!("{}true)", call_opening(LOOP_TRUTH, &site))))
                .unwrap_or_default()
        });
        if scope.is_some() {
            self.scopes.pop();
        }
    }

    /// `for (let i = 0; …)` has a new `i` each time round. Where functions keep it, its instances are numbered in the head, as they
    /// come before each update: `for (let $w_s1=$w_S(S),i = 0; …; $w_s1=$w_S(S),$w_v(S,i),i++)`.
    fn open_head_scope(&mut self, statement: &ForStatement<'a>) -> Option<HeadScope> {
        let Some(ForStatementInit::VariableDeclaration(declaration)) = &statement.init else { return None };
        let is_let = declaration.kind == VariableDeclarationKind::Let;
        let head = statement.scope_id.get();
        if !is_let || !self.scope_info.is_captured(head) {
            return None;
        }
        let variable = self.fresh_scope_variable();
        let site = self.add_site(SiteKind::Scope, Role::HeadScope, statement.at(), Vec::new(), 0);
        self.scope_is_block(head, site);
        let number = self.emitting(site).map(|site| format!("{variable}={SCOPE}({site})"));
        self.scopes.push(ScopeVariable { name: number.is_some().then_some(variable), frame: None });
        if let Some(number) = &number {
            self.edits.insert(declaration.span.start + "let".len() as u32, format!(" {number},"));
        }
        Some(HeadScope { number })
    }

    /// The next time round begins: its variables are copies of those before.
    fn renew_head_scope(&mut self, statement: &ForStatement<'a>, scope: &HeadScope) {
        let Some(ForStatementInit::VariableDeclaration(declaration)) = &statement.init else { return };
        let mut copies: Vec<String> = scope.number.iter().cloned().collect();
        for declarator in &declaration.declarations {
            self.binding_writes(&declarator.id, SiteKind::Carry, VALUE, &mut copies);
        }
        if copies.is_empty() {
            return;
        }
        let text = copies.join(",");
        match &statement.update {
            Some(update) => self.edits.insert(update.span().start, format!("{text},")),
            None => {
                let first = self.behind_semicolon(declaration.span.end);
                let test = statement.test.as_ref().map(|test| test.span().end);
                let at = self.behind_semicolon(test.unwrap_or(first));
                self.edits.insert(at, text);
            }
        }
    }

    /// The next semicolon comes behind this place, and nothing else but blanks, comments and parentheses in between.
    fn behind_semicolon(&self, mut at: u32) -> u32 {
        loop {
            at = self.behind_blanks(at);
            at += 1;
            if self.source[..at as usize].ends_with(';') {
                return at;
            }
        }
    }

    pub fn for_of(&mut self, statement: &ForOfStatement<'a>, in_list: bool) {
        let late_before = std::mem::take(&mut self.frame_mut().late_resume);
        self.with_printed(true, |walker| walker.visit_expression(&statement.right));
        let late = std::mem::replace(&mut self.frame_mut().late_resume, late_before);
        let resumes = statement.r#await || late;
        let resume = |walker: &mut Self, role: Role| {
            let site = walker.site(SiteKind::Resume, role, statement.at().over(statement.right.span()), None);
            let Some(site) = site else { return String::new() };
            let frame = walker.frame_number();
            walker.statement_text(&format!("{FRAME_MARK}({site},{frame})"))
        };
        let first = resumes.then(|| resume(self, Role::ResumedInLoop));
        self.iteration(&statement.left, &statement.body, statement.scope_id.get(), first);
        if resumes && in_list {
            let last = resume(self, Role::ResumedBehindLoop);
            self.edits.insert(statement.span.end, last);
        }
    }

    /// The body of `for … in` and `for … of`: it begins with the write of the loop variable.
    pub fn iteration(
        &mut self,
        left: &ForStatementLeft<'a>,
        body: &Statement<'a>,
        head: Option<ScopeId>,
        first: Option<String>,
    ) {
        let mut writes = Vec::new();
        let mut checks_room = false;
        match left {
            ForStatementLeft::VariableDeclaration(declaration) => {
                for declarator in &declaration.declarations {
                    self.binding_defaults(&declarator.id);
                    self.binding_writes(&declarator.id, SiteKind::Var, LOOP_VALUE, &mut writes);
                }
                checks_room = !writes.is_empty();
            }
            left => {
                if let Some(target) = left.as_assignment_target() {
                    writes = self.pattern_writes(target);
                }
            }
        }
        // Where not everything is recorded, every helper looks for room itself.
        if self.selection.is_all() && !checks_room {
            writes.insert(0, format!("{ROOM}()"));
        }
        self.loop_body(body, head, |walker| {
            let writes: String = writes.iter().map(|write| walker.statement_text(write)).collect();
            first.unwrap_or_default() + &writes
        });
    }

    /// `prologue` gives the text that the body begins with. Where functions keep variables of the body, or of the head that are
    /// new each time round, each time round is a scope of its own.
    pub fn loop_body(
        &mut self,
        body: &Statement<'a>,
        head: Option<ScopeId>,
        prologue: impl FnOnce(&mut Self) -> String,
    ) {
        let prologue = prologue(self);
        let block = match body {
            Statement::BlockStatement(block) => Some(block),
            _ => None,
        };
        let inside = block.filter(|block| !self.declares_any(block, &prologue));
        let mut scopes = Vec::new();
        outermost_scopes(body, &mut scopes);
        let holds_captured = self.scope_info.is_captured(head)
            || scopes.iter().any(|&scope| self.scope_info.holds_captured(Some(scope)));
        let mut text = String::new();
        if holds_captured {
            let variable = self.fresh_scope_variable();
            let site = self.add_site(SiteKind::Scope, Role::BodyScope, body.at(), Vec::new(), 0);
            self.scope_is_block(head, site);
            scopes.iter().for_each(|&scope| self.scope_is_block(Some(scope), site));
            let site = self.emitting(site);
            self.scopes.push(ScopeVariable { name: site.is_some().then(|| variable.clone()), frame: None });
            text = site.map(|site| format!("const {variable}={SCOPE}({site});")).unwrap_or_default();
        }
        let at = match inside {
            Some(block) => block.span.start + 1,
            None => body.span().start,
        };
        let slot = self.edits.reserve(at);
        match block {
            Some(block) => self.visit_block_statement(block),
            None => self.visit_statement(body),
        }
        if holds_captured {
            self.scopes.pop();
        }
        text.push_str(&prologue);
        if text.is_empty() {
            return;
        }
        if inside.is_none() {
            text.insert(0, '{');
            self.edits.insert(body.span().end, "}");
        }
        self.edits.fill(slot, text);
    }

    /// Whether a name in our text would be another variable in this block: `for (const [k, v] of all) { const v = 1; }`. Then the
    /// text stands in a block around it.
    fn declares_any(&self, block: &BlockStatement, text: &str) -> bool {
        let Some(scope) = block.scope_id.get() else { return false };
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '\u{200c}' | '\u{200d}');
        let mut names = text.split(|c| !is_of_name(c)).filter(|name| !name.is_empty());
        names.any(|name| self.scoping.get_binding(scope, name.into()).is_some())
    }
}

/// The scopes in a statement that no other scope of it is around.
fn outermost_scopes(statement: &Statement, scopes: &mut Vec<ScopeId>) {
    match statement {
        Statement::BlockStatement(block) => scopes.extend(block.scope_id.get()),
        Statement::ForStatement(inner) => scopes.extend(inner.scope_id.get()),
        Statement::ForInStatement(inner) => scopes.extend(inner.scope_id.get()),
        Statement::ForOfStatement(inner) => scopes.extend(inner.scope_id.get()),
        Statement::SwitchStatement(inner) => scopes.extend(inner.scope_id.get()),
        Statement::WhileStatement(inner) => outermost_scopes(&inner.body, scopes),
        Statement::DoWhileStatement(inner) => outermost_scopes(&inner.body, scopes),
        Statement::LabeledStatement(inner) => outermost_scopes(&inner.body, scopes),
        Statement::IfStatement(inner) => {
            outermost_scopes(&inner.consequent, scopes);
            inner.alternate.iter().for_each(|alternate| outermost_scopes(alternate, scopes));
        }
        Statement::TryStatement(inner) => {
            scopes.extend(inner.block.scope_id.get());
            scopes.extend(inner.handler.iter().filter_map(|handler| handler.scope_id.get()));
            scopes.extend(inner.finalizer.iter().filter_map(|finalizer| finalizer.scope_id.get()));
        }
        _ => {}
    }
}

/// A `for` statement whose variables are numbered each time round.
struct HeadScope {
    /// The text that takes the next number, if there are any.
    number: Option<String>,
}
