//! What following the events of a thread needs to know of a site, small and at hand: every event asks.

use std::collections::HashMap;

use event_encoding::SiteShape;
use trace_model::{FunctionIndex, LocalSite, Owner, Site, SiteId, SiteKind, SiteTable, Tail, VariableIndex};

use crate::key::{KeyHash, is_numeral, name_hash};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SiteBrief {
    pub shape: SiteShape,
    pub function: FunctionIndex,
    /// A number of the kind that `about` says.
    number: u32,
    /// Of a variable: the function or block that owns it.
    owner: u32,
    about: About,
    flags: u8,
}

/// What `number` and `owner` are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum About {
    Nothing,
    VariableOfFunction,
    VariableOfBlock,
    GlobalVariable,
    Key,
    EnclosingScope,
}

const EXACT_EXIT: u8 = 1;
const KEEPS_SCOPE: u8 = 2;
const MOVES_STACK: u8 = 4;
const IS_BIRTH: u8 = 8;
const WRITES_PROPERTY: u8 = 16;
const HAS_LITERAL: u8 = 32;
const HAS_NUMERAL: u8 = 64;

impl SiteBrief {
    pub fn kind(&self) -> SiteKind {
        self.shape.kind()
    }

    /// Whether every way out of the function emits `Exit`.
    pub fn exact_exit(&self) -> bool {
        self.flags & EXACT_EXIT != 0
    }

    /// Of `Enter` and `Scope`: whether its number may be a scope that something else lives in, so that its parent must be known
    /// later on.
    pub fn keeps_scope(&self) -> bool {
        self.flags & KEEPS_SCOPE != 0
    }

    /// Whether its events do more to the stack than to be in a frame.
    pub(crate) fn moves_stack(&self) -> bool {
        self.flags & MOVES_STACK != 0
    }

    /// Whether the object that is the value of its events is born there.
    pub(crate) fn is_birth(&self) -> bool {
        self.flags & IS_BIRTH != 0
    }

    /// Whether the number behind the value of its events is the object whose property they write, with a key known from the source.
    pub(crate) fn writes_property(&self) -> bool {
        self.flags & WRITES_PROPERTY != 0
    }

    /// Whether its events that have no value of their own have a literal of the source.
    pub(crate) fn has_literal(&self) -> bool {
        self.flags & HAS_LITERAL != 0
    }

    /// Whether the key that the source tells is a whole number.
    pub(crate) fn has_numeral(&self) -> bool {
        self.flags & HAS_NUMERAL != 0
    }

    /// The variable that its events write.
    pub fn variable(&self) -> Option<(VariableIndex, Owner)> {
        let owner = match self.about {
            About::VariableOfFunction => Owner::Function(FunctionIndex(self.owner)),
            About::VariableOfBlock => Owner::Block(LocalSite(self.owner)),
            About::GlobalVariable => Owner::Global,
            About::Nothing | About::Key | About::EnclosingScope => return None,
        };
        Some((VariableIndex(self.number), owner))
    }

    /// Of a site that writes or deletes a property whose key the source tells.
    pub fn key(&self) -> Option<KeyHash> {
        (self.about == About::Key).then_some(KeyHash(self.number))
    }

    /// Of `Scope`: the innermost one around it in the same function.
    pub fn enclosing(&self) -> Option<LocalSite> {
        (self.about == About::EnclosingScope).then_some(LocalSite(self.number))
    }
}

/// Finds what is known of a site: the first site of its code, and the rest.
pub trait Briefs {
    fn brief(&mut self, site: SiteId) -> Option<(SiteId, &SiteBrief)>;
}

/// The briefs of all sites of a table.
pub fn briefs_of(table: &SiteTable) -> Vec<SiteBrief> {
    let scopes = ScopeNesting::of(table);
    let mut has_inner = vec![false; table.functions.len()];
    for parent in table.functions.iter().filter_map(|function| function.parent) {
        if let Some(known) = has_inner.get_mut(parent.0 as usize) {
            *known = true;
        }
    }
    let brief = |(at, site): (usize, &Site)| {
        let function = &table.functions[site.function.0 as usize];
        let keeps_scope = match site.kind {
            SiteKind::Enter => has_inner[site.function.0 as usize],
            kind => kind == SiteKind::Scope,
        };
        let (about, number, owner) = about(table, site, scopes.enclosing(LocalSite(at as u32)));
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        SiteBrief {
            shape: SiteShape::of(site),
            function: site.function,
            number,
            owner,
            about,
            flags: flag(function.exact_exit, EXACT_EXIT)
                | flag(keeps_scope, KEEPS_SCOPE)
                | flag(moves_stack(site.kind), MOVES_STACK)
                | flag(is_birth(site.kind), IS_BIRTH)
                | flag(site.kind.tail() == Tail::Object, WRITES_PROPERTY)
                | flag(site.literal().is_some(), HAS_LITERAL)
                | flag(key_name(site).is_some_and(|name| is_numeral(table.name(name))), HAS_NUMERAL),
        }
    };
    table.sites.iter().enumerate().map(brief).collect()
}

fn about(table: &SiteTable, site: &Site, enclosing: Option<LocalSite>) -> (About, u32, u32) {
    if let Some(variable) = site.variable {
        return match table.variable(variable).owner {
            Owner::Function(function) => (About::VariableOfFunction, variable.0, function.0),
            Owner::Block(block) => (About::VariableOfBlock, variable.0, block.0),
            Owner::Global => (About::GlobalVariable, variable.0, 0),
        };
    }
    if let Some(name) = key_name(site) {
        return (About::Key, name_hash(table.name(name)).0, 0);
    }
    enclosing.map_or((About::Nothing, 0, 0), |outer| (About::EnclosingScope, outer.0, 0))
}

fn moves_stack(kind: SiteKind) -> bool {
    use SiteKind::*;
    matches!(kind, Enter | Scope | Exit | Return | Suspend | Call | Result | Catch | Finally | Resume | LateResume)
}

fn is_birth(kind: SiteKind) -> bool {
    use SiteKind::*;
    matches!(kind, ObjectLiteral | ArrayLiteral | Literal | FunctionBirth | ClassBirth | Arguments)
}

fn key_name(site: &Site) -> Option<trace_model::NameIndex> {
    use SiteKind::*;
    matches!(site.kind, Put | PutIncrement | PutDecrement | Field | Delete).then(|| site.names.first().copied())?
}

/// Which `Scope` sites lie in which, within a function: by their spans.
struct ScopeNesting {
    enclosing: HashMap<LocalSite, LocalSite>,
}

impl ScopeNesting {
    fn of(table: &SiteTable) -> ScopeNesting {
        let mut scopes: Vec<(LocalSite, &Site)> = (0..).map(LocalSite).zip(&table.sites).collect();
        scopes.retain(|(_, site)| site.kind == SiteKind::Scope);
        // An outer scope comes before those in it.
        scopes.sort_by_key(|(_, site)| (site.function, site.span.start, u32::MAX - site.span.end));
        let mut enclosing = HashMap::new();
        let mut open: Vec<(LocalSite, &Site)> = Vec::new();
        for (id, site) in scopes {
            while open.pop_if(|(_, outer)| outer.function != site.function || outer.span.end < site.span.end).is_some()
            {
            }
            if let Some((outer, _)) = open.last() {
                enclosing.insert(id, *outer);
            }
            open.push((id, site));
        }
        ScopeNesting { enclosing }
    }

    fn enclosing(&self, scope: LocalSite) -> Option<LocalSite> {
        self.enclosing.get(&scope).copied()
    }
}
