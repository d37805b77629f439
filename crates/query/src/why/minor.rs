//! Hops that cannot be wrong by themselves: a loop that handed out an element, what an accumulator began with, a function that was
//! resumed, a message that arrived, what the failing statement did on the way. They are told inside the hop that they explain, and take
//! no place of those where a mistake can be. (An empty list or object is no such thing: it may be of the wrong kind.)

use trace_model::{Literal, Node, SiteKind, Span};

use super::{Hop, HopKind, Search};
use crate::Code;

impl Search<'_, '_> {
    pub(super) fn is_minor(&self, hop: &Hop) -> bool {
        let Some(parent) = hop.parent.and_then(|parent| self.hops.get(parent)) else { return false };
        if self.is_of_failing_statement(hop) {
            return true;
        }
        if hop.because.is_some() || hop.rounds.is_some() {
            return false;
        }
        match hop.kind {
            HopKind::Resume | HopKind::Received => true,
            HopKind::Condition => self.is_handed_out(hop),
            HopKind::Write => self.is_handed_out(hop) || self.begins(hop, parent),
            _ => false,
        }
    }

    /// What the failing statement itself did on the way, in a function that is written in it: `assert(list.every((x) => x > 0))`.
    fn is_of_failing_statement(&self, hop: &Hop) -> bool {
        let Some(root) = self.hops.first().filter(|root| root.at.unit == hop.at.unit) else { return false };
        let Some(code) = self.trace.code(root.at.unit) else { return false };
        let holds = |span: Span| span.start <= root.at.offset && root.at.offset < span.end;
        let around = code.facts.statements.iter().map(|statement| statement.span).filter(|span| holds(*span));
        let Some(span) = around.min_by_key(|span| span.end - span.start) else { return false };
        self.failing_frame.is_some() && span.start <= hop.at.offset && hop.at.offset < span.end
    }

    /// What it wrote, in the source.
    fn source<'c>(code: &'c Code, hop: &Hop) -> Option<&'c Node> {
        let site = hop.step.site()?;
        let value = code.site_facts(site).value?;
        Some(&code.expression(value).node)
    }

    /// `for (const line of lines)` handed out an element.
    fn is_handed_out(&self, hop: &Hop) -> bool {
        let Some(code) = hop.step.site().and_then(|site| self.trace.code(site)) else { return false };
        let is_head = hop.step.site().is_some_and(|site| self.trace.is_head(&code, code.site_facts(site)));
        is_head && matches!(Self::source(&code, hop), Some(Node::Element { .. }))
    }

    /// `let total = 0;` below `total += …`.
    pub(super) fn begins(&self, hop: &Hop, parent: &Hop) -> bool {
        let Some(code) = hop.step.site().and_then(|site| self.trace.code(site)) else { return false };
        let is_variable = self.trace.kind(&hop.step) == Some(SiteKind::Var);
        let is_same = hop.subject == parent.subject && hop.at.unit == parent.at.unit && hop.kind == parent.kind;
        is_variable && is_same && Self::source(&code, hop).is_some_and(is_neutral)
    }
}

/// What sums, products and texts begin with.
fn is_neutral(node: &Node) -> bool {
    match node {
        Node::Literal(Literal::Number(number)) => *number == 0.0 || *number == 1.0,
        Node::Literal(Literal::String(text)) => text.is_empty(),
        _ => false,
    }
}
