//! Which sites of a piece of code a policy switches on. The instrumenter inserts at these and nowhere else; the query engine asks the
//! same question to know what a trace could not have seen.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    EventKinds, Filter, Function, FunctionFilter, FunctionIndex, FunctionKey, Identities, LocalSite, Need, Owner,
    Policy, Site, SiteKind, SiteTable, Span,
};

/// The sites of one piece of code that emit events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// `None`: all.
    sites: Option<Vec<Choice>>,
    /// Whether code that is only made when the program runs may hold something to record.
    reaches_evals: bool,
    /// Whether a key that only the program knows may be one that is needed.
    reaches_properties: bool,
    /// Whether a key that is a number may be one that is needed.
    reaches_elements: bool,
}

/// Whether a site emits events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    Never,
    /// Where the key turns out to be one that is needed, and only known then.
    IfKeyIsNeeded,
    Always,
}

/// A piece of code, before it is known what of it is recorded: its site table is that of the full policy.
#[derive(Clone, Copy)]
pub struct Selectable<'a> {
    pub path: &'a str,
    pub source: &'a str,
    pub table: &'a SiteTable,
}

impl Selection {
    pub fn all() -> Selection {
        Selection { sites: None, reaches_evals: true, reaches_properties: true, reaches_elements: true }
    }

    pub fn nothing() -> Selection {
        Selection { sites: Some(Vec::new()), ..Selection::all() }
    }

    pub fn of(policy: &Policy, code: Selectable) -> Selection {
        if policy.is_full() {
            return Selection::all();
        }
        match policy {
            Policy::Filtered(filter) => Selection { sites: Some(code.filtered(filter)), ..Selection::all() },
            Policy::Needed(need) => Selection {
                sites: Some(code.needed(need)),
                reaches_evals: !need.is_empty(),
                reaches_properties: need.elements || !need.properties.is_empty(),
                reaches_elements: need.reaches_elements(),
            },
        }
    }

    pub fn has(&self, site: LocalSite) -> bool {
        self.choice(site) != Choice::Never
    }

    pub fn choice(&self, site: LocalSite) -> Choice {
        match &self.sites {
            None => Choice::Always,
            Some(sites) => sites.get(site.0 as usize).copied().unwrap_or(Choice::Never),
        }
    }

    pub fn reaches_evals(&self) -> bool {
        self.reaches_evals
    }

    pub fn reaches_properties(&self) -> bool {
        self.reaches_properties
    }

    pub fn reaches_elements(&self) -> bool {
        self.reaches_elements
    }

    /// By function: whether it emits when it is entered and left.
    pub fn entered(&self, table: &SiteTable) -> Vec<bool> {
        let mut entered = vec![false; table.functions.len()];
        for (number, site) in (0..).zip(&table.sites) {
            if site.kind == SiteKind::Enter && self.has(LocalSite(number)) {
                entered[site.function.0 as usize] = true;
            }
        }
        entered
    }

    pub fn is_all(&self) -> bool {
        self.sites.is_none()
    }

    /// Whether nothing is recorded at all: the code runs as it is.
    pub fn is_empty(&self) -> bool {
        self.sites.as_ref().is_some_and(|sites| sites.iter().all(|choice| *choice == Choice::Never))
    }

    pub fn count(&self) -> Option<usize> {
        self.sites.as_ref().map(|sites| sites.iter().filter(|choice| **choice != Choice::Never).count())
    }
}

impl Selectable<'_> {
    fn filtered(self, filter: &Filter) -> Vec<Choice> {
        let wants_function: Vec<bool> =
            self.table.functions.iter().map(|function| self.wants_function(filter, function)).collect();
        let wants = |site: &Site| {
            wants_function[site.function.0 as usize]
                && is_of_kinds(site.kind, filter.kinds)
                && match subject(site.kind) {
                    Subject::Variable => is_among(self.table, site, &filter.variables),
                    Subject::Property => is_among(self.table, site, &filter.properties),
                    _ => true,
                }
        };
        self.table.sites.iter().map(|site| if wants(site) { Choice::Always } else { Choice::Never }).collect()
    }

    fn wants_function(self, filter: &Filter, function: &Function) -> bool {
        let Some(filters) = &filter.functions else { return true };
        filters.iter().any(|filter| match filter {
            FunctionFilter::Named(wanted) => wanted == self.table.name(function.name),
            FunctionFilter::AtLine { path, line } => {
                let Span { start, end } = function.span;
                ends_with_path(self.path, path) && (self.line(start)..=self.line(end)).contains(line)
            }
        })
    }

    fn needed(self, need: &Need) -> Vec<Choice> {
        let table = self.table;
        let mut chosen: Vec<Choice> = table.sites.iter().map(|site| is_needed(table, site, need)).collect();
        for (path, sites) in &need.sites {
            if path == self.path {
                for site in sites {
                    if let Some(choice) = chosen.get_mut(site.0 as usize) {
                        *choice = Choice::Always;
                    }
                }
            }
        }
        self.choose_functions(need, &mut chosen);
        let lines: BTreeSet<u32> =
            need.lines.iter().filter(|(path, _)| ends_with_path(self.path, path)).map(|(_, line)| *line).collect();
        if !lines.is_empty() {
            self.choose_lines(&lines, need, &mut chosen);
        }
        self.complete(&mut chosen);
        chosen
    }

    /// The functions that are named by their source: everything in them, or what control does there.
    fn choose_functions(self, need: &Need, chosen: &mut [Choice]) {
        self.choose_in_functions(&need.functions, is_event, chosen);
        self.choose_in_functions(&need.flow, tells_flow, chosen);
    }

    fn choose_in_functions(
        self,
        functions: &BTreeMap<String, BTreeSet<FunctionKey>>,
        is_of_kind: fn(SiteKind) -> bool,
        chosen: &mut [Choice],
    ) {
        for (file, keys) in functions.iter().filter(|(file, _)| ends_with_path(self.path, file)) {
            let identities = Identities::of(self.table, file, self.source);
            let wanted: BTreeSet<FunctionIndex> =
                keys.iter().filter_map(|key| identities.find_function(*key)).collect();
            for (site, choice) in self.table.sites.iter().zip(&mut *chosen) {
                if is_of_kind(site.kind) && wanted.contains(&site.function) {
                    *choice = Choice::Always;
                }
            }
        }
    }

    /// The sites of lines, and the variables of these names that functions on them can see.
    fn choose_lines(self, lines: &BTreeSet<u32>, need: &Need, chosen: &mut [Choice]) {
        let table = self.table;
        let line_of = Lines::new(self.source);
        let mut seen_from: BTreeSet<FunctionIndex> = BTreeSet::new();
        for (number, site) in table.sites.iter().enumerate() {
            if lines.contains(&line_of.line(site.span.start)) && is_event(site.kind) {
                chosen[number] = Choice::Always;
                seen_from.extend(table.ancestors(site.function));
            }
        }
        for (number, site) in table.sites.iter().enumerate() {
            let is_on = match subject(site.kind) {
                Subject::Variable => {
                    let owner = site.variable.map(|variable| table.variable(variable).owner);
                    let is_seen = match owner {
                        Some(Owner::Function(function)) => seen_from.contains(&function),
                        Some(Owner::Block(scope)) => seen_from.contains(&table.site(scope).function),
                        Some(Owner::Global) | None => true,
                    };
                    is_seen && named(table, site).is_some_and(|name| need.variables.contains(name))
                }
                Subject::Receiver => {
                    let name = if site.kind == SiteKind::This { "this" } else { "arguments" };
                    seen_from.contains(&site.function) && need.variables.contains(name)
                }
                _ => false,
            };
            if is_on {
                chosen[number] = Choice::Always;
            }
        }
    }

    /// What the chosen sites need to mean something: who they belong to.
    fn complete(self, chosen: &mut [Choice]) {
        let table = self.table;
        let mut framed: BTreeSet<FunctionIndex> = BTreeSet::new();
        let mut scopes: BTreeSet<LocalSite> = BTreeSet::new();
        for (site, _) in table.sites.iter().zip(&*chosen).filter(|(_, choice)| **choice != Choice::Never) {
            // A write of a property is known by its object; whatever else by its frame.
            if !matches!(subject(site.kind), Subject::Property | Subject::Birth) {
                framed.insert(site.function);
            }
            if let Some(Owner::Block(scope)) = site.variable.map(|variable| table.variable(variable).owner) {
                scopes.insert(scope);
            }
        }
        // The variables that a closure sees are found through all functions around it.
        let around: Vec<FunctionIndex> = framed.iter().flat_map(|function| table.ancestors(*function)).collect();
        framed.extend(around);
        for (number, site) in table.sites.iter().enumerate() {
            let is_on = match site.kind {
                SiteKind::Enter | SiteKind::Exit => framed.contains(&site.function),
                // Frames are suspended and resumed, and scopes lead from a closure to the function around it.
                SiteKind::Suspend
                | SiteKind::Resume
                | SiteKind::LateResume
                | SiteKind::Scope
                | SiteKind::Catch
                | SiteKind::Finally
                | SiteKind::FinallyEnd => framed.contains(&site.function),
                SiteKind::Carry => site.variable.is_some_and(|variable| match table.variable(variable).owner {
                    Owner::Block(scope) => scopes.contains(&scope),
                    _ => false,
                }),
                _ => false,
            };
            if is_on {
                chosen[number] = Choice::Always;
            }
        }
    }

    fn line(self, offset: u32) -> u32 {
        let before = &self.source.as_bytes()[..(offset as usize).min(self.source.len())];
        1 + before.iter().filter(|byte| **byte == b'\n').count() as u32
    }
}

impl SiteTable {
    /// A function and those around it, innermost first.
    pub fn ancestors(&self, function: FunctionIndex) -> impl Iterator<Item = FunctionIndex> {
        std::iter::successors(Some(function), |function| self.function(*function).parent)
    }
}

/// What a site is about, as far as policies tell sites apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Subject {
    /// No event.
    None,
    Call,
    Receiver,
    Branch,
    Variable,
    Property,
    Birth,
}

fn subject(kind: SiteKind) -> Subject {
    use SiteKind::*;
    match kind {
        Function | Class => Subject::None,
        This | Arguments => Subject::Receiver,
        Branch | Loop | Nullish | Case | Discriminant | Default => Subject::Branch,
        Var | VarIncrement | VarDecrement | Param | Carry => Subject::Variable,
        Put | PutIncrement | PutDecrement | PutComputed | PutComputedIncrement | PutComputedDecrement | Field
        | Delete | DeleteComputed => Subject::Property,
        ObjectLiteral | ArrayLiteral | Literal | FunctionBirth | ClassBirth => Subject::Birth,
        Enter | Scope | Exit | Call | Result | Argument | Return | Throw | Catch | Finally | FinallyEnd | Suspend
        | Resume | LateResume => Subject::Call,
    }
}

fn is_event(kind: SiteKind) -> bool {
    subject(kind) != Subject::None
}

/// Whether an event of this kind tells what control did, and needs no value for it.
pub fn tells_flow(kind: SiteKind) -> bool {
    use SiteKind::*;
    matches!(
        kind,
        Enter | Exit | Call | Branch | Loop | Nullish | Case | Default | Throw | Catch | Suspend | Resume | LateResume
    )
}

fn is_of_kinds(kind: SiteKind, kinds: EventKinds) -> bool {
    match subject(kind) {
        Subject::None => false,
        Subject::Call | Subject::Receiver => kinds.calls,
        Subject::Branch => kinds.branches,
        Subject::Variable => kinds.variables,
        Subject::Property => kinds.properties,
        Subject::Birth => kinds.births,
    }
}

fn is_needed(table: &SiteTable, site: &Site, need: &Need) -> Choice {
    use SiteKind::*;
    let is_on = match site.kind {
        Put | PutIncrement | PutDecrement | Field | Delete => {
            named(table, site).is_some_and(|name| need.has_property(name))
        }
        // A key that is not known from the source may be any.
        PutComputed | PutComputedIncrement | PutComputedDecrement | DeleteComputed if need.has_properties() => {
            return Choice::IfKeyIsNeeded;
        }
        ObjectLiteral => site.names.iter().any(|name| need.has_property(table.name(*name))),
        ArrayLiteral => need.elements,
        // Its contents follow as a look, and may be anything.
        Literal => need.has_properties(),
        Enter | Exit | Throw => need.frames,
        _ => false,
    };
    if is_on { Choice::Always } else { Choice::Never }
}

/// The variable or key that a site concerns.
fn named<'t>(table: &'t SiteTable, site: &Site) -> Option<&'t str> {
    site.names.first().map(|name| table.name(*name))
}

fn is_among(table: &SiteTable, site: &Site, names: &Option<BTreeSet<String>>) -> bool {
    match (names, named(table, site)) {
        (Some(names), Some(name)) => names.contains(name),
        _ => true,
    }
}

/// Whether a path is named by its end, in whole parts.
pub fn ends_with_path(path: &str, end: &str) -> bool {
    let end = end.strip_prefix("./").unwrap_or(end);
    path == end
        || path.strip_suffix(end).is_some_and(|start| start.is_empty() || start.ends_with('/') || start.ends_with('\\'))
}

/// Where lines begin.
struct Lines(Vec<u32>);

impl Lines {
    fn new(source: &str) -> Lines {
        let breaks = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
        Lines(std::iter::once(0).chain(breaks).collect())
    }

    /// From 1.
    fn line(&self, offset: u32) -> u32 {
        self.0.partition_point(|start| *start <= offset) as u32
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{FunctionKind, NameIndex};

    /// A file with a function in a function, one on each line, each with its entry and a throw.
    fn nested() -> SiteTable {
        let span = |line: u32| Span { start: line * 2, end: line * 2 + 1 };
        let function = |number: u32| Function {
            kind: if number == 0 { FunctionKind::Module } else { FunctionKind::Plain },
            name: NameIndex(0),
            span: span(number),
            parent: number.checked_sub(1).map(FunctionIndex),
            is_async: false,
            is_generator: false,
            exact_exit: true,
            recorded: true,
        };
        let site = |kind, number: u32| Site {
            kind,
            span: span(number),
            function: FunctionIndex(number),
            names: Vec::new(),
            extra: 0,
            variable: None,
        };
        let sites = (0..3).flat_map(|number| [site(SiteKind::Enter, number), site(SiteKind::Throw, number)]);
        let functions = (0..3).map(function).collect();
        SiteTable { functions, sites: sites.collect(), names: vec![String::new()], ..SiteTable::default() }
    }

    fn chosen(need: Need) -> Vec<u32> {
        let table = nested();
        let code = Selectable { path: "/app.js", source: "a\nb\nc\n", table: &table };
        let selection = Selection::of(&Policy::Needed(need), code);
        (0..6).filter(|site| selection.has(LocalSite(*site))).collect()
    }

    #[test]
    fn the_functions_around_a_line_tell_of_themselves() {
        let lines = BTreeSet::from([("app.js".to_owned(), 3)]);
        assert_eq!(chosen(Need { lines, ..Need::default() }), [0, 2, 4, 5]);
    }

    #[test]
    fn a_function_that_is_named_by_its_key_tells_everything() {
        let keys = Identities::of(&nested(), "app.js", "a\nb\nc\n");
        let named = |file: &str| BTreeMap::from([(file.to_owned(), BTreeSet::from([keys.function(FunctionIndex(1))]))]);
        // The functions around it tell of themselves.
        assert_eq!(chosen(Need { functions: named("app.js"), ..Need::default() }), [0, 2, 3]);
        assert_eq!(chosen(Need { functions: named("other.js"), ..Need::default() }), [0; 0]);
    }

    #[test]
    fn exceptions_are_thrown_where_frames_are_wanted() {
        assert_eq!(chosen(Need { frames: true, ..Need::default() }), [0, 1, 2, 3, 4, 5]);
    }
}
