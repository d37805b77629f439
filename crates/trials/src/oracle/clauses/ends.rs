//! What a way back is said to end in.

use query::omissions::About;
use query::{Datum, Hop, Place, Terminator};
use trace_model::{EventId, ExprId, Node, SiteKind};

use super::{Asked, Clauses};
use crate::oracle::tally::Verdict;

impl Clauses<'_> {
    pub(super) fn end(&mut self, hop: &Hop, asked: &Asked) {
        let Some(end) = &hop.end else { return };
        match end.terminator {
            Terminator::NeverWritten => {
                let verdict = match (&hop.lacks, &asked.place) {
                    (Some(lacks), _) => self.never_written(&lacks.about, lacks.before),
                    (None, _) => Verdict::Unchecked,
                };
                self.add("end: nothing ever wrote it", verdict, hop, asked);
            }
            Terminator::Literal => {
                let text = end.about.as_deref().or(hop.source.as_deref()).unwrap_or(&hop.subject);
                let verdict = match self.is_literal(hop, text) {
                    Verdict::Right if !self.is_written_out(hop, text) => Verdict::Wrong("it is computed".into()),
                    verdict => verdict,
                };
                self.add("end: it is a literal in the source", verdict, hop, asked);
            }
            Terminator::Computed => {
                let text = end.about.as_deref().or(hop.source.as_deref()).unwrap_or(&hop.subject);
                let verdict = match self.is_literal(hop, text) {
                    Verdict::Right if self.is_written_out(hop, text) => Verdict::Wrong("it is written out".into()),
                    verdict => verdict,
                };
                self.add("end: it is computed from literals", verdict, hop, asked);
            }
            Terminator::Birth => {
                let verdict = self.is_made_here(hop, end.about.is_some());
                self.add("end: it was made here", verdict, hop, asked);
            }
            Terminator::OutsideInput => self.add("end: came from outside", Verdict::Unchecked, hop, asked),
            Terminator::ForeignCode | Terminator::BuiltIn => {
                self.add("end: code that is not recorded did it", Verdict::Unchecked, hop, asked);
            }
            Terminator::StartOfRecording => self.add("end: the recording starts", Verdict::Unchecked, hop, asked),
            Terminator::NotCaptured => self.add("end: not captured", Verdict::Unchecked, hop, asked),
        }
    }

    fn never_written(&self, about: &About, before: EventId) -> Verdict {
        let model = self.happenings.model;
        match about {
            About::Variable(place) => Verdict::of(model.variable(place, before).is_none(), "the variable was"),
            About::Property(object, key) => {
                let place = Place::Property { object: *object, key: key.clone() };
                let answer = model.last_change(&place, before);
                match answer.kind {
                    "never-written" => Verdict::Right,
                    "not-captured" => Verdict::Unchecked,
                    kind if answer.change.is_some_and(|change| change.new.is_none()) => {
                        Verdict::Wrong(format!("the property was, and removed ({kind})"))
                    }
                    kind => Verdict::Wrong(format!("the property was ({kind})")),
                }
            }
            About::Object(_) | About::Code => Verdict::Unchecked,
        }
    }

    /// Whether what the source has there reads nothing.
    fn is_literal(&self, hop: &Hop, text: &str) -> Verdict {
        let Some((code, found)) = self.expressions_of(hop, text) else { return Verdict::Unchecked };
        if found.is_empty() {
            return Verdict::Unchecked;
        }
        let reads = |id: &ExprId| {
            let whole = code.expression(*id).span;
            if matches!(code.expression(*id).node, Node::Literal(_)) {
                return false;
            }
            code.facts.expressions.iter().any(|inner| {
                let is_inside = whole.start <= inner.span.start && inner.span.end <= whole.end;
                let is_name = matches!(&inner.node, Node::Variable(trace_model::VariableRef::Known(_)));
                is_inside && (is_name || matches!(inner.node, Node::Call(_) | Node::This | Node::Parameter { .. }))
            })
        };
        let kind = code.expression(found[0]).node.clone();
        // What an initialiser writes stands at the same place as what it gives.
        match found.iter().any(|id| !reads(id)) {
            true => Verdict::Right,
            false => Verdict::Wrong(format!("`{text}` reads something: {kind:?}")),
        }
    }

    /// Whether the source has a value there as it is, without an operator.
    fn is_written_out(&self, hop: &Hop, text: &str) -> bool {
        let Some((code, found)) = self.expressions_of(hop, text) else { return false };
        found.iter().any(|id| match &code.expression(*id).node {
            Node::Unary { operator: "-", operand } => matches!(code.expression(*operand).node, Node::Literal(_)),
            Node::Template { values, .. } => values.is_empty(),
            Node::Unary { .. } | Node::Binary { .. } | Node::Logical { .. } | Node::Conditional { .. } => false,
            _ => true,
        })
    }

    /// The expressions of this text in the statement of a hop.
    fn expressions_of(&self, hop: &Hop, text: &str) -> Option<(query::Code<'_>, Vec<ExprId>)> {
        let code = self.trace.code(hop.at.unit)?;
        let site = hop.step.site().filter(|site| code.unit.record.holds(*site))?;
        let statement = code.facts.statements[code.site_facts(site).statement? as usize].span;
        let is_of_it = |span: trace_model::Span| statement.start <= span.start && span.end <= statement.end;
        let all = (0..code.facts.expressions.len()).map(|number| ExprId(number as u32));
        let is_it = |id: &ExprId| {
            is_of_it(code.expression(*id).span)
                && code.text(*id).split_whitespace().collect::<Vec<_>>().join(" ") == text
        };
        let found = all.filter(is_it).collect();
        Some((code, found))
    }

    /// Whether the object that a hop tells of was made in its statement.
    fn is_made_here(&self, hop: &Hop, is_about_part: bool) -> Verdict {
        let Some(Datum::Object(object)) = hop.value.as_ref().filter(|_| !is_about_part) else {
            return Verdict::Unchecked;
        };
        let born = self.happenings.model.objects.get(object).and_then(|object| object.born);
        let (Some(born), Some(code)) = (born, self.trace.code(hop.at.unit)) else { return Verdict::Unchecked };
        let site = hop.step.site().filter(|site| code.unit.record.holds(*site));
        let statement = site.and_then(|site| code.site_facts(site).statement);
        let Some(statement) = statement.map(|statement| code.facts.statements[statement as usize].span) else {
            return Verdict::Unchecked;
        };
        // What a constructor makes is born in there.
        let Some(site) = self.happenings.site(born).filter(|site| site.site.kind != SiteKind::This) else {
            return Verdict::Unchecked;
        };
        let span = site.site.span;
        Verdict::of(statement.start <= span.start && span.end <= statement.end, "elsewhere")
    }
}
