//! What a program may do, by its source and by what runs were seen to do: a call graph and a points-to relation
//! ([`trace_model::ProgramFacts`]). Pure: sources in, facts out.
//!
//! `lower` reads syntax into constraints, `solver` solves them, `rules` and `calls` say what happens when an object comes to an access
//! or a function to a call, `natives` what built-ins do, and `facts` makes plain data of it. What is unsound is told in `rules`.
//! Post-dominance and control dependence are not here but in `js-syntax`, where the branches get their sites.

mod analysis;
mod budget;
mod calls;
mod facts;
mod hinting;
mod lower;
mod model;
mod modules;
mod natives;
mod rivals;
mod rules;
pub mod solver;

pub use budget::Budget;
pub use trace_model::{Hints, ObservedCall, ObservedObject, ObservedRead, ObservedWrite};

use trace_model::{CodeIndex, CodeKind, FunctionIndex, ProgramFacts, SiteTable, SourceCode, Span};

use analysis::{Analysis, Unit};
use budget::Coarseness;
use model::{Foreign, FunctionData, TokenKind};
use solver::{Ended, solve};

/// A piece of code; its number is its position in the list that is analysed.
#[derive(Clone, Copy)]
pub struct SourceUnit<'a> {
    /// As `require` and `import` would find it.
    pub path: &'a str,
    pub source: &'a str,
    pub kind: CodeKind,
    pub sites: &'a SiteTable,
}

/// After so many rounds calls that runs were seen to make get no more callees.
const MOST_ROUNDS: usize = 4;

/// How far the source is believed about calls that a run was seen to make, beyond what was called there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Belief {
    /// So many functions that ran elsewhere may be called as well, those that were seen included; if more come there, none is.
    pub few: usize,
    /// And so many that did not run at all.
    pub few_that_never_ran: usize,
}

/// Tried in turn.
const BELIEFS: [Belief; 3] = [
    Belief { few: 8, few_that_never_ran: 8 },
    Belief { few: 2, few_that_never_ran: 1 },
    Belief { few: 0, few_that_never_ran: 0 },
];

/// What the source adds may take half the steps of what was seen, and so many at least.
const AT_LEAST: u64 = 500_000;

/// Reader and solver recurse as deep as a text nests. Reserved, not used, unless a text needs it.
const DEEP_STACK: usize = 1 << 30;

pub fn analyse(program: &[SourceUnit], hints: &Hints, budget: &Budget) -> ProgramFacts {
    std::thread::scope(|scope| {
        let work = || run(program, hints, budget);
        let thread = std::thread::Builder::new().stack_size(DEEP_STACK).spawn_scoped(scope, work);
        let facts = thread.ok().and_then(|thread| thread.join().ok());
        facts.unwrap_or_else(|| ProgramFacts {
            limits: vec!["the program could not be analysed: the analysis failed".into()],
            ..ProgramFacts::default()
        })
    })
}

/// Tries to believe as much of the source as can be afforded.
fn run(program: &[SourceUnit], hints: &Hints, budget: &Budget) -> ProgramFacts {
    let (last, levels) = BELIEFS.split_last().expect("there are beliefs");
    let affordable = levels.iter().find_map(|belief| attempt(program, hints, budget, *belief, true));
    affordable.or_else(|| attempt(program, hints, budget, *last, false)).unwrap_or_default()
}

/// `None` if what the source adds to what was seen is more than can be told apart.
fn attempt(
    program: &[SourceUnit],
    hints: &Hints,
    budget: &Budget,
    belief: Belief,
    may_fail: bool,
) -> Option<ProgramFacts> {
    let mut analysis = Analysis::new(*budget);
    let has = |words: &[&str]| program.iter().any(|unit| words.iter().any(|word| unit.source.contains(word)));
    analysis.has_iterators = has(&["Symbol.iterator", "Symbol.asyncIterator", "@@iterator"]);
    analysis.has_conversions =
        has(&["toString =", "toString(){", "toString() {", "valueOf =", "valueOf() {", "toString:", "valueOf:"]);
    analysis.extends_objects = has(&["Object.prototype, ", "Object.prototype.__", "Object.prototype,"]);
    for (number, unit) in program.iter().enumerate() {
        add_unit(&mut analysis, number as u32, unit);
    }
    analysis.prepare_hints(program, hints);
    for (number, unit) in program.iter().enumerate() {
        let SourceUnit { path, source, kind, sites } = *unit;
        let read =
            js_syntax::read(SourceCode { source, kind, path, made: sites.made.as_ref() }, |parsed, positions| {
                lower::lower(&mut analysis, number as u32, unit.kind, unit.sites, unit.source, parsed, positions);
            });
        if let Err(error) = read {
            analysis.limits.push(format!("{} could not be read: {error}", unit.path));
        }
    }
    analysis.add_foreign_names();
    analysis.apply_hints(hints);
    let mut ended = solve(&mut analysis);
    // What was seen goes first; what the source adds to it then, as long as it is little.
    let is_exact = ended == Ended::Solved && analysis.coarseness == Coarseness::Exact;
    if may_fail && is_exact && !analysis.deferred.is_empty() {
        let n_steps = analysis.graph.n_steps / 2 * 3 + AT_LEAST;
        analysis.affordable = Some(n_steps.min(budget.n_steps));
    }
    for _ in 0..MOST_ROUNDS {
        if ended == Ended::Stopped || !analysis.link_deferred(belief) {
            break;
        }
        ended = solve(&mut analysis);
    }
    // What the first round found nothing for gets the benefit of the doubt, and what that brings about is followed.
    if ended == Ended::Solved {
        analysis.doubt(hints);
        ended = solve(&mut analysis);
    }
    if analysis.is_beyond_means() {
        return None;
    }
    match (ended, analysis.coarseness) {
        (Ended::Stopped, _) => analysis.limits.push(format!(
            "the analysis was stopped after {} million steps: calls and objects may be missing from it",
            analysis.graph.n_steps / 1_000_000
        )),
        (_, Coarseness::ByName) => analysis
            .limits
            .push("the program is too large to tell objects apart: properties of one name were taken for one".into()),
        _ => {}
    }
    Some(analysis.facts(hints))
}

fn add_unit(analysis: &mut Analysis, number: u32, unit: &SourceUnit) {
    let code = CodeIndex(number);
    let id = model::FunctionId(analysis.functions.len() as u32);
    let token = analysis.token(TokenKind::Function(id), None);
    let [this, returned, thrown, new_target] = std::array::from_fn(|_| analysis.node());
    let top = analysis.add_function(FunctionData {
        code,
        index: Some(FunctionIndex(0)),
        span: Span { start: 0, end: unit.source.len() as u32 },
        is_arrow: false,
        is_class_init: false,
        parameters: Vec::new(),
        rest: None,
        arguments: None,
        this,
        returned,
        thrown,
        new_target,
        token,
        given: None,
    });
    let [module, exports, namespace] = analysis.add_unit_tokens(number);
    analysis.modules.add(unit.path, number);
    let is_module = unit.kind == CodeKind::Module;
    analysis.units.push(Unit { path: unit.path.to_owned(), is_module, top, module, exports, namespace });
}

impl Analysis {
    /// Names that nothing declares and nobody assigns are brought by something that is not analysed.
    fn add_foreign_names(&mut self) {
        for name in std::mem::take(&mut self.free_names) {
            if self.assigned_names.contains(&name) {
                continue;
            }
            let key = self.keys.of(&name);
            let slot = self.slot(self.global, key);
            if self.graph.tokens(slot).is_empty() {
                let token = self.foreign(Foreign::Global(name.into()));
                self.graph.add_token(slot, token);
            }
        }
    }
}
