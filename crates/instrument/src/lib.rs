//! Source text + policy → source text that emits events + its site table. Pure.
//!
//! # Why the program cannot tell
//!
//! The text is never printed anew: short pieces are inserted between its characters, none of which holds a line break. So
//! lines, comments, literals and directives stay, and positions can be taken back ([`Instrumented::original_position`]).
//! What is inserted keeps to these rules, each of which has a test in `tests/hazards`:
//!
//! - A value is recorded by passing it through a call (`$w_v(S,x = 1)`), so order of evaluation, receivers, short circuits and
//!   the number of conversions stay those of the engine.
//! - Anonymous functions get their name from the place they stand in; there the whole assignment is wrapped, not the function,
//!   or the place is imitated (`let f = $w_n(S,{"f":() => 1}["f"])`).
//! - Other functions without a name get one from V8 alone, for stack traces, by what stands before them: [`inference`] and [`stack_names`].
//! - V8 prints the source text of a callee, of what is destructured and of what is iterated in its error messages
//!   (`o.m is not a function`). Nothing is inserted there ([`Walker::printed`](walker::Walker)).
//! - A statement is inserted only where it cannot change a completion value, or in a form that has none (`{let $w_q=…}`).
//! - A statement that ended without a semicolon gets one: the next line could continue the call that was made of it.
//! - Nothing inside `with` is touched: our names could be looked up in its object.
//! - Parameters are left alone, but for the values of defaults: [`initialisers`].
//! - Code that the parser rejects is not touched: the engine says what it has to say.

mod anchors;
mod calls;
mod control;
mod edits;
mod frames;
mod functions;
mod inference;
mod initialisers;
mod intervene;
mod literals;
mod loops;
mod numeric;
mod sites;
mod stack_names;
mod typescript;
mod values;
mod variables;
mod visiting;
mod walker;
mod wrapping;
mod writes;

pub use anchors::{AnchoredSites, Role};
pub use edits::{Insertion, NumberAt};
pub use js_syntax::{
    Decorators, Dialect, Fields, Imports, Jsx, SourceKind, has_decorators, has_module_syntax, strip_types,
};
pub use oxc_syntax::identifier::is_identifier_name as is_identifier;
pub use stack_names::{Renamed, Rules, StackName, stack_names};

use helper_names::{PREFIX, TEMPORARY};
use js_syntax::{DecoratedMethod, Inserted, Parsed, Positions};
use oxc_allocator::Allocator;
use trace_model::{Intervention, Making, Need, Policy, Position, Selectable, Selection, SiteTable};

use anchors::NoAnchors;
use walker::Walker;

/// Bump this when the same source and policy give another text, so that caches forget the old one.
pub const VERSION: u32 = 39;

/// Instrumented text that can be placed at any site numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instrumented {
    /// The text, with sites numbered from 0; [`Instrumented::rebased`] gives it other numbers.
    pub code: String,
    pub sites: SiteTable,
    /// Where the numbers are in `code`.
    pub numbers: Vec<NumberAt>,
    pub insertions: Vec<Insertion>,
    /// Sites of marked functions and classes, in rising order, with the UTF-16 length of their new text.
    pub marked: Vec<(u32, u32)>,
}

/// Why a text runs as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotInstrumented {
    /// In the words of the parser.
    SyntaxError(String),
    Unfaithful(String),
}

/// A text, and how it is compiled.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    pub source: &'a str,
    pub kind: SourceKind,
    /// Of TypeScript and JSX: what [`js_syntax::strip_types`] leaves is instrumented, and reported at its places in the source.
    pub dialect: Option<&'a Dialect>,
    /// Marks carry the original text: for realms in which no addon can be asked for it.
    pub for_prelude: bool,
    /// What is different in it; see [`intervene`].
    pub intervention: Option<&'a Intervention>,
}

impl<'a> Text<'a> {
    pub fn new(source: &'a str, kind: SourceKind) -> Text<'a> {
        Text { source, kind, dialect: None, for_prelude: false, intervention: None }
    }
}

/// The text as it is, but for the one thing that is different. `table` is that of the full instrumentation.
pub fn intervened(
    source: &str,
    kind: SourceKind,
    table: SiteTable,
    intervention: &Intervention,
) -> Result<String, NotInstrumented> {
    let text = Text { intervention: Some(intervention), ..Text::new(source, kind) };
    let nothing = Policy::Needed(Need::default());
    let selection = Selection::of(&nothing, Selectable { path: &intervention.path, source, table: &table });
    Ok(instrument_selected(text, table, &selection)?.code)
}

/// The path is that by which a policy names code.
pub fn instrument(text: Text, path: &str, policy: &Policy) -> Result<Instrumented, NotInstrumented> {
    let full = instrument_fully(text)?;
    let selection = Selection::of(policy, Selectable { path, source: text.source, table: &full.sites });
    match selection.is_all() {
        true => Ok(full),
        false => instrument_selected(text, full.sites, &selection),
    }
}

pub fn instrument_fully(text: Text) -> Result<Instrumented, NotInstrumented> {
    run(text, &Selection::all(), None)
}

/// As [`instrument`], where the table of the full instrumentation is known: it is the same whatever is selected, but for the
/// flags that say which functions are recorded.
pub fn instrument_selected(
    text: Text,
    mut table: SiteTable,
    selection: &Selection,
) -> Result<Instrumented, NotInstrumented> {
    let entered = selection.entered(&table);
    let is_plain = text.dialect.is_none() && text.intervention.is_none();
    if selection.is_empty() && is_plain && !(selection.reaches_evals() && may_eval(text.source)) {
        for function in &mut table.functions {
            function.exact_exit = false;
            function.recorded = false;
        }
        return Ok(Instrumented {
            code: text.source.to_owned(),
            sites: table,
            numbers: Vec::new(),
            insertions: Vec::new(),
            marked: Vec::new(),
        });
    }
    let made = run(text, selection, Some(&entered))?;
    // Else the numbers in the text would mean other places, and frames be named that nobody declares.
    match made.sites.sites == table.sites {
        true => Ok(made),
        false => Err(NotInstrumented::Unfaithful("its sites depend on what is recorded of it".into())),
    }
}

/// A text, and what the walk over it made.
pub struct Walked<'t, 'a> {
    pub parsed: &'t Parsed<'a>,
    /// From the places of the text that was parsed to those of the source.
    pub positions: &'t Positions,
    /// With the places of the source.
    pub sites: SiteTable,
    /// Which construct got which of them.
    pub anchored: AnchoredSites,
}

/// The walk that instruments a text, for who wants to know its sites and inserts nothing: they are the same whatever is inserted.
pub fn walk<T: Send>(text: Text, read: impl FnOnce(Walked) -> T + Send) -> Result<T, NotInstrumented> {
    on_deep_stack(text.source, || {
        let Some(dialect) = text.dialect else { return walk_here(text, &[], &[], read) };
        let stripped = js_syntax::strip_types(text.source, text.kind == SourceKind::Module, dialect)
            .map_err(NotInstrumented::SyntaxError)?;
        walk_here(Text { source: &stripped.code, ..text }, &stripped.insertions, &stripped.methods, read)
    })
}

fn walk_here<T>(
    text: Text,
    lowered: &[Inserted],
    methods: &[DecoratedMethod],
    read: impl FnOnce(Walked) -> T,
) -> Result<T, NotInstrumented> {
    let allocator = Allocator::default();
    let parsed = js_syntax::parse(&allocator, text.source, text.kind).map_err(NotInstrumented::SyntaxError)?;
    let nothing = Selection::nothing();
    let mut walker = Walker::new(text.source, text.kind, &nothing, &parsed, AnchoredSites::default());
    walker.program(parsed.program);
    walker.variable_table();
    let (mut sites, mut anchored) = (walker.table, walker.anchors);
    anchored.sort();
    let positions = Positions::new(lowered);
    typescript::table_to_source(&mut sites, &positions);
    typescript::name_methods(&mut sites, methods);
    Ok(read(Walked { parsed: &parsed, positions: &positions, sites, anchored }))
}

/// Whether there may be a direct eval in it.
fn may_eval(source: &str) -> bool {
    source.contains("eval")
}

fn run(text: Text, selection: &Selection, entered: Option<&[bool]>) -> Result<Instrumented, NotInstrumented> {
    refuse_own_names(text.source)?;
    let dialect = text.dialect.map(Dialect::to_text).unwrap_or_default();
    let mut instrumented = run_on_deep_stack(text, selection, entered)?;
    instrumented.sites.made = Some(Making { version: VERSION, dialect });
    Ok(instrumented)
}

fn run_on_deep_stack(
    text: Text,
    selection: &Selection,
    entered: Option<&[bool]>,
) -> Result<Instrumented, NotInstrumented> {
    on_deep_stack(text.source, || {
        let Some(dialect) = text.dialect else { return run_here(text, selection, entered) };
        let stripped = js_syntax::strip_types(text.source, text.kind == SourceKind::Module, dialect)
            .map_err(NotInstrumented::SyntaxError)?;
        // An intervention is made in JavaScript only: the places of the source are not those of this text.
        let text = Text { source: &stripped.code, intervention: None, ..text };
        let mut instrumented = run_here(text, selection, entered)?;
        typescript::back_to_source(&mut instrumented, &stripped.insertions);
        typescript::name_methods(&mut instrumented.sites, &stripped.methods);
        Ok(instrumented)
    })
}

fn refuse_own_names(source: &str) -> Result<(), NotInstrumented> {
    if source.contains(PREFIX) {
        return Err(NotInstrumented::Unfaithful(format!(
            "it uses names that begin with {TEMPORARY}, as the recorder does"
        )));
    }
    Ok(())
}

/// Parser and walker recurse as deep as the text nests, which V8 allows to be deeper than the stack of the thread we are on.
fn on_deep_stack<T: Send>(
    source: &str,
    work: impl FnOnce() -> Result<T, NotInstrumented> + Send,
) -> Result<T, NotInstrumented> {
    if source.len() < SHALLOW {
        return work();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(DEEP_STACK);
        match thread.spawn_scoped(scope, work) {
            Ok(thread) => {
                thread.join().unwrap_or_else(|_| Err(NotInstrumented::Unfaithful("instrumenting it failed".into())))
            }
            Err(error) => Err(NotInstrumented::Unfaithful(error.to_string())),
        }
    })
}

/// A text shorter than this cannot nest deeper than any stack.
const SHALLOW: usize = 1000;
/// Reserved, not used, unless the text needs it.
const DEEP_STACK: usize = 1 << 30;

fn run_here(text: Text, selection: &Selection, entered: Option<&[bool]>) -> Result<Instrumented, NotInstrumented> {
    let Text { source, kind, .. } = text;
    let allocator = Allocator::default();
    let parsed = js_syntax::parse(&allocator, source, kind).map_err(NotInstrumented::SyntaxError)?;
    let mut walker = Walker::new(source, kind, selection, &parsed, NoAnchors);
    walker.entered = entered;
    if !selection.is_all() && !selection.reaches_elements() {
        walker.numeric = numeric::numeric_variables(parsed.program, &parsed.scoping, kind);
    }
    walker.for_prelude = text.for_prelude;
    walker.wish = text.intervention.map(intervene::Wish::new).transpose().map_err(NotInstrumented::Unfaithful)?;
    walker.program(parsed.program);
    if walker.wish.as_ref().is_some_and(|wish| !wish.is_done()) {
        return Err(NotInstrumented::Unfaithful(intervene::NOT_THERE.into()));
    }
    walker.variable_table();

    let applied = walker.edits.apply(source, &walker.marked);
    let mut marked: Vec<(u32, u32)> = walker.marked_sites.into_iter().zip(applied.lengths).collect();
    marked.sort_unstable();
    Ok(Instrumented {
        code: applied.code,
        sites: walker.table,
        numbers: applied.numbers,
        insertions: applied.insertions,
        marked,
    })
}

impl Instrumented {
    /// The text with all site numbers moved up by `base`.
    pub fn rebased(&self, base: u32) -> String {
        const DIGITS: usize = 7;
        let mut bytes = self.code.clone().into_bytes();
        for &NumberAt(at) in &self.numbers {
            let digits = &mut bytes[at as usize..at as usize + DIGITS];
            let local = std::str::from_utf8(digits).ok().and_then(|text| u32::from_str_radix(text, 16).ok());
            let number = format!("{:07x}", local.expect("a number was written here") + base);
            digits.copy_from_slice(number.as_bytes());
        }
        String::from_utf8(bytes).expect("digits were replaced by digits")
    }

    /// Where a position of the new text was in the original. Lines are the same; columns move.
    pub fn original_position(&self, source: &str, at: Position) -> Position {
        edits::original_position(source, &self.insertions, at)
    }

    /// The original text of the function or class marked with this local number, if its new text has this UTF-16 length.
    pub fn original_text<'s>(&self, source: &'s str, number: u32, length: u32) -> Option<&'s str> {
        let found = self.marked.binary_search_by_key(&number, |&(site, _)| site).ok()?;
        if self.marked[found].1 != length {
            return None;
        }
        let span = self.sites.sites[number as usize].span;
        Some(&source[span.start as usize..span.end as usize])
    }
}

#[cfg(test)]
mod tests;
