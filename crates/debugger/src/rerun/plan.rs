//! From a question to what has to be recorded for its answer.

use std::collections::BTreeSet;
use std::path::Path;

use trace_model::{
    ExprId, Expression, Key, Literal, LocalSite, Need, Node, Policy, Position, Selectable, Selection, VariableRef,
};
use trace_store::Run;

use crate::ask::PointText;
use crate::instrumenting::site_table;
use crate::languages::RECORDED;
use crate::not_captured::units;
use crate::{Error, Question, QuestionKind, Session};

/// What would be recorded.
#[derive(Clone, Debug)]
pub struct Plan {
    /// False: everything is recorded.
    pub is_sparse: bool,
    /// Sentences: `every write of a property named total`.
    pub needs: Vec<String>,
    /// The places in the code that this means, as far as its code is known from an earlier run.
    pub hooks: Vec<Hook>,
    /// How many places of that code there are to choose from; none if the code is not known yet.
    pub n_sites: Option<usize>,
}

/// A place in the code that would tell of each time it is executed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hook {
    /// Relative to where the program was started.
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// What happens there: `Put`, `Enter`.
    pub kind: &'static str,
    pub text: String,
}

impl Question {
    /// Whether it is about the run as a whole, and is asked of a full recording.
    pub fn is_of_whole_run(&self) -> bool {
        !matches!(
            self.kind,
            QuestionKind::LastChange { .. }
                | QuestionKind::History { .. }
                | QuestionKind::Eval { .. }
                | QuestionKind::Log(_)
                | QuestionKind::LastCondition
                | QuestionKind::Here
        )
    }

    /// What has to be recorded for this question, as far as its words tell.
    pub(crate) fn policy(&self) -> Result<Policy, Error> {
        if self.is_of_whole_run() {
            return Ok(Policy::full());
        }
        let mut need = Need::default();
        let texts: Vec<&str> = match &self.kind {
            QuestionKind::LastChange { place } | QuestionKind::History { place, .. } => {
                Vec::from_iter(place.as_deref())
            }
            QuestionKind::Eval { expression } => Vec::from_iter(expression.as_deref()),
            QuestionKind::Log(request) => {
                // Who called is told with each time.
                need.frames = true;
                request.expressions.iter().map(String::as_str).collect()
            }
            _ => Vec::new(),
        };
        for text in texts.into_iter().chain(self.from.when.as_deref()) {
            add_names(&mut need, text)?;
        }
        match &self.from.at {
            Some(PointText::Line { file, line, .. }) => {
                need.lines.insert((file.clone(), *line));
            }
            // Where an exception was thrown is known from the functions that it ended.
            Some(PointText::Crash) | None => {
                need.frames = true;
                need.properties.extend(["message".to_owned(), "name".to_owned()]);
            }
            Some(PointText::Event(_)) => {
                return Err(Error::Usage("an event has another number in each run; name a line and a hit".into()));
            }
            Some(PointText::End | PointText::Answer(_) | PointText::Output { .. }) => {}
        }
        Ok(Policy::Needed(need))
    }
}

/// Whether an expression is evaluated by the program itself where it can be: the state alone does not tell what a call gives, and to interpret a
/// built-in more of the state is needed than a hook would record.
pub fn needs_program(expression: &str) -> bool {
    match RECORDED.parse_expression(expression) {
        Ok((expressions, _)) => expressions.iter().any(|expression| is_interpreted(&expression.node, &expressions)),
        Err(_) => true,
    }
}

/// Whether it is a call that names no entry as `m.get(key)` does.
fn is_interpreted(node: &Node, expressions: &[Expression]) -> bool {
    let Node::Call(call) = node else { return false };
    match &expressions[call.callee.0 as usize].node {
        Node::Member { key: Key::Name(name), .. } => RECORDED.entry_access(name).is_none(),
        _ => true,
    }
}

/// The names that a typed expression reads.
fn add_names(need: &mut Need, text: &str) -> Result<(), Error> {
    let parsed = RECORDED.parse_expression(text);
    let (expressions, _) =
        parsed.map_err(|error| Error::Expression { text: text.into(), at: error.at as usize, why: error.message })?;
    for expression in &expressions {
        match &expression.node {
            Node::Variable(VariableRef::Global(name)) if name.starts_with('#') => {
                let why = format!("{name} is an object of one run, and has another number in the next");
                return Err(Error::Usage(why));
            }
            Node::Variable(VariableRef::Global(name)) => need.variables.extend([name.clone()]),
            Node::This => need.variables.extend(["this".to_owned()]),
            Node::Arguments => need.variables.extend(["arguments".to_owned()]),
            Node::Member { key, .. } => add_key(need, key, &expressions),
            _ => {}
        }
    }
    Ok(())
}

fn add_key(need: &mut Need, key: &Key, expressions: &[Expression]) {
    let name = match key {
        Key::Name(name) => name.clone(),
        Key::Computed(ExprId(id)) => match &expressions[*id as usize].node {
            Node::Literal(Literal::String(name)) => name.to_string(),
            Node::Literal(Literal::Number(_)) => return need.elements = true,
            // Which key it is is known when the program runs.
            _ => return,
        },
    };
    if RECORDED.length_key() == Some(&name) || RECORDED.element_at(&name).is_some() {
        need.elements = true;
    } else {
        need.properties.insert(name);
    }
}

impl Plan {
    /// What a policy means, in words and, if there is a run of the program, in its code.
    pub(crate) fn of(policy: &Policy, run: Option<&Run>) -> Plan {
        let mut plan = Plan {
            is_sparse: matches!(policy, Policy::Needed(_)),
            needs: needs(policy),
            hooks: Vec::new(),
            n_sites: None,
        };
        let Some(run) = run else { return plan };
        let mut seen = BTreeSet::new();
        for unit in units(run) {
            let Ok(code) = unit.code() else { continue };
            let Ok(source) = code.source() else { continue };
            // A file that several processes loaded is shown once.
            if !seen.insert(&unit.record.path) {
                continue;
            }
            let place = |offset: u32| {
                let place = unit.place(offset)?;
                Some((crate::event_line::relative(place.path, &run.file().folder).to_owned(), place.position))
            };
            plan.add(policy, Selectable { path: &unit.record.path, source, table: &code.sites }, &place);
        }
        plan.hooks.sort();
        plan
    }

    /// The same before there is any run: the code is that of the file that the point names, as it is now.
    pub fn before_any_run(question: &Question, folder: &Path) -> Result<Plan, Error> {
        let policy = question.policy()?;
        let mut plan = Plan::of(&policy, None);
        if let Some(PointText::Line { file, .. }) = &question.from.at
            && let Ok((source, table)) = site_table(&folder.join(file))
        {
            let place = |offset: u32| Some((file.clone(), position(&source, offset)));
            plan.add(&policy, Selectable { path: file, source: &source, table: &table }, &place);
            plan.hooks.sort();
        }
        Ok(plan)
    }

    fn add(&mut self, policy: &Policy, code: Selectable, place: &dyn Fn(u32) -> Option<(String, Position)>) {
        *self.n_sites.get_or_insert(0) += code.table.sites.len();
        let selection = Selection::of(policy, code);
        if selection.is_all() {
            return;
        }
        for (number, site) in (0..).zip(&code.table.sites) {
            let Some((file, position)) = place(site.span.start).filter(|_| selection.has(LocalSite(number))) else {
                continue;
            };
            let text = code.source.get(site.span.start as usize..site.span.end as usize).unwrap_or_default();
            self.hooks.push(Hook {
                file,
                line: position.line,
                column: position.column,
                kind: site.kind.name(),
                text: text.lines().next().unwrap_or_default().chars().take(LONGEST_TEXT).collect(),
            });
        }
    }
}

const LONGEST_TEXT: usize = 60;

fn position(source: &str, offset: u32) -> Position {
    let before = source.get(..offset as usize).unwrap_or(source);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    Position {
        line: 1 + before.matches('\n').count() as u32,
        column: 1 + before[start..].encode_utf16().count() as u32,
    }
}

fn needs(policy: &Policy) -> Vec<String> {
    let need = match policy {
        Policy::Needed(need) => need,
        Policy::Filtered(_) => return vec!["everything: the question is about the run as a whole".into()],
    };
    let mut needs = Vec::new();
    needs.extend(need.lines.iter().map(|(file, line)| format!("each time {file}:{line} is executed")));
    if !need.variables.is_empty() {
        let names: Vec<&str> = need.variables.iter().map(String::as_str).collect();
        needs.push(format!("every write of {} that can be seen from there", names.join(", ")));
    }
    needs.extend(need.properties.iter().map(|name| format!("every write of a property named {name}, of any object")));
    if need.elements {
        needs.push("every write and every move of elements of arrays".into());
    }
    if need.frames {
        needs.push("entry and exit of every function, and exceptions: where the failure was".into());
    }
    let n_sites: usize = need.sites.values().map(BTreeSet::len).sum();
    if n_sites > 0 {
        needs.push(format!("{n_sites} more places that earlier runs showed to matter"));
    }
    let n_functions: usize = need.functions.values().map(BTreeSet::len).sum();
    if n_functions > 0 {
        let functions = if n_functions == 1 { "one function".into() } else { format!("{n_functions} functions") };
        needs.push(format!("what happens in {functions}"));
    }
    let n_flow: usize = need.flow.values().map(BTreeSet::len).sum();
    if n_flow > 0 {
        let functions = if n_flow == 1 { "one function".into() } else { format!("{n_flow} functions") };
        needs.push(format!("what control does in {functions}"));
    }
    needs
}

impl Session {
    /// What asking this of the program again would record.
    pub fn plan(&self, question: &Question) -> Result<Plan, Error> {
        Ok(Plan::of(&question.policy()?, Some(self.run())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(kind: QuestionKind, at: &str) -> Need {
        match Question::at(kind, at.parse().ok()).policy() {
            Ok(Policy::Needed(need)) => need,
            other => panic!("{other:?}"),
        }
    }

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_names_of_a_question_are_needed() {
        let place = |place: &str| QuestionKind::LastChange { place: Some(place.into()) };
        let path = need(place("cart.lines[2].price"), "app.js:22#3");
        assert_eq!((path.variables, path.properties), (names(&["cart"]), names(&["lines", "price"])));
        assert!(path.elements && !path.frames);
        assert_eq!(path.lines, BTreeSet::from([("app.js".to_owned(), 22)]));
        assert_eq!(need(place("this['a b']"), "app.js:1").properties, names(&["a b"]));
        assert_eq!(need(place("this.x"), "app.js:1").variables, names(&["this"]));
        // Which property it is, only the program knows.
        let computed = need(place("o[k]"), "app.js:1");
        assert_eq!((computed.variables, computed.properties), (names(&["k", "o"]), names(&[])));
    }

    #[test]
    fn a_failure_is_found_by_the_functions_that_it_ended() {
        assert!(need(QuestionKind::LastCondition, "crash").frames);
    }

    #[test]
    fn what_has_another_name_in_each_run_is_refused() {
        let object = QuestionKind::LastChange { place: Some("#17.price".into()) };
        assert!(Question::of(object).policy().is_err());
        assert!(Question::at(QuestionKind::LastCondition, "@17".parse().ok()).policy().is_err());
        assert_eq!(Question::of(QuestionKind::Failures(Default::default())).policy().unwrap(), Policy::full());
    }
}
