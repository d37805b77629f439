//! That an event is what a hop says that it is, with that value.

use query::{Datum, Hop, HopKind, Reason};
use trace_model::{Event, EventId, ExprId, Record, SiteKind};
use trace_store::{PropertyKey, Step};

use super::{Asked, Clauses};
use crate::oracle::expressions::Reader;
use crate::oracle::happenings::{Entered, Spot, Written};
use crate::oracle::objects::{How, Object};
use crate::oracle::tally::Verdict;
use crate::oracle::values::{same, same_if_any};

impl Clauses<'_> {
    /// That the event is what the hop says it is.
    pub(super) fn event(&mut self, hop: &Hop, parent: &Hop, asked: &Asked) {
        match hop.kind {
            HopKind::Write => self.write(hop, asked),
            HopKind::Removed => {
                let is_gone = |written: &Written| written.entry.new.is_none();
                let verdict = match self.happenings.written(hop.event()).iter().any(is_gone) {
                    true => Verdict::Right,
                    false => Verdict::Wrong(format!("nothing was ({:?})", self.happenings.kind(hop.event()))),
                };
                self.add("removed: something was removed", verdict, hop, asked);
            }
            HopKind::Birth => self.birth(hop, asked),
            HopKind::Condition => self.condition(hop, asked),
            HopKind::Argument => self.argument(hop, asked),
            HopKind::Return => self.is_event(hop, asked, &[SiteKind::Return], "return: a function gave this value"),
            HopKind::Throw => self.is_event(hop, asked, &[SiteKind::Throw], "throw: this value was thrown"),
            HopKind::Call | HopKind::NoReceiver => self.call(hop, parent, asked),
            HopKind::Resume => {
                let kinds = [SiteKind::Resume, SiteKind::LateResume, SiteKind::Catch];
                self.is_event(hop, asked, &kinds, "resume: a function resumed with this value");
            }
            HopKind::Foreign => self.foreign(hop, asked),
            HopKind::Evidence => self.evidence(hop, asked),
            HopKind::Registration => self.add("registration: the callback is this one", Verdict::Unchecked, hop, asked),
            HopKind::Pending => self.add("pending: not called by then", Verdict::Unchecked, hop, asked),
            HopKind::NeverWritten => self.add("never-written as a hop", Verdict::Unchecked, hop, asked),
            HopKind::Failure | HopKind::Received | HopKind::Sent => {
                self.add("other kinds of hop", Verdict::Unchecked, hop, asked);
            }
        }
    }

    /// The event is of one of these kinds, and its value is the one that is told.
    fn is_event(&mut self, hop: &Hop, asked: &Asked, kinds: &[SiteKind], clause: &'static str) {
        let kind = self.happenings.kind(hop.event());
        let value = self.happenings.at(hop.event()).and_then(|at| at.value.clone());
        let verdict = match kind {
            Some(kind) if !kinds.contains(&kind) => Verdict::Wrong(format!("it is a {}", kind.name())),
            None => Verdict::Wrong("it is no event of the program".into()),
            Some(_) => Verdict::of(same_if_any(&value, &hop.value), "another value"),
        };
        self.add(clause, verdict, hop, asked);
    }

    fn write(&mut self, hop: &Hop, asked: &Asked) {
        let written = self.happenings.written(hop.event());
        if hop.step.site().is_none() {
            let verdict = match &hop.step.event {
                Event::Record(Record::Effect { .. }) if written.is_empty() => Verdict::Unchecked,
                Event::Record(Record::Effect { .. }) => Verdict::Right,
                _ => Verdict::Wrong("no built-in did".into()),
            };
            return self.add("write: a built-in changed it", verdict, hop, asked);
        }
        let site = self.happenings.site(hop.event());
        let name =
            site.and_then(|site| site.site.variable.map(|variable| site.name(site.code.sites.variable(variable).name)));
        let verdict = match written {
            [] => Verdict::Wrong(format!("nothing was written ({:?})", self.happenings.kind(hop.event()))),
            _ => {
                let is_it = |written: &Written| same_if_any(&written.entry.new, &hop.value);
                Verdict::of(written.iter().any(is_it), "another value")
            }
        };
        self.add("write: it became this value", verdict, hop, asked);
        let is_named = |spot: &Spot| match spot {
            Spot::Variable(..) => name == Some(hop.subject.as_str()),
            Spot::Property(_, PropertyKey::Name(key)) => {
                hop.subject.contains(key.as_str()) || hop.subject.ends_with(']')
            }
            Spot::Property(..) | Spot::Entry(..) => hop.subject.ends_with(']'),
        };
        let verdict = match written {
            [] => Verdict::Unchecked,
            written => Verdict::of(written.iter().any(|written| is_named(&written.spot)), "another place"),
        };
        self.add("write: of the place that is named", verdict, hop, asked);
    }

    fn birth(&mut self, hop: &Hop, asked: &Asked) {
        let clause = "birth: an object was made, with this in it";
        if self.happenings.n_births(hop.event()) == 0 {
            let kind = self.happenings.kind(hop.event());
            return self.add(clause, Verdict::Wrong(format!("nothing was made ({kind:?})")), hop, asked);
        }
        let is_object = |object: &query::Datum| match object {
            Datum::Object(object) => self.happenings.born(hop.event()).contains(object),
            _ => false,
        };
        let is_inside = |value: &Datum| {
            let written = self.happenings.written(hop.event()).iter();
            written.filter_map(|written| written.entry.new.as_ref()).any(|new| same(new, value))
        };
        let verdict = match &hop.value {
            None | Some(Datum::NotCaptured) => Verdict::Unchecked,
            Some(value) => Verdict::of(is_object(value) || is_inside(value), "another value"),
        };
        self.add(clause, verdict, hop, asked);
    }

    fn condition(&mut self, hop: &Hop, asked: &Asked) {
        use SiteKind::{Branch, Case, Default, Discriminant, Loop, Nullish, Var};
        let kind = self.happenings.kind(hop.event());
        let is_one =
            kind.is_some_and(|kind| matches!(kind, Branch | Loop | Nullish | Case | Discriminant | Default | Var));
        let verdict = match is_one {
            true => Verdict::Right,
            false => Verdict::Wrong(format!("a {kind:?} decides nothing")),
        };
        self.add("condition: it is a branch", verdict, hop, asked);
        self.condition_value(&hop.step, hop, (&hop.subject, hop.at.offset, &hop.value), asked);
    }

    /// What a condition is said to have been, and to have read.
    fn condition_value(
        &mut self,
        step: &Step,
        hop: &Hop,
        (subject, offset, value): (&str, u32, &Option<Datum>),
        asked: &Asked,
    ) {
        let known = self.happenings.at(step.id).and_then(|at| at.value.clone());
        let Some(code) = step.site().and_then(|site| self.trace.code(site)) else { return };
        let Some(root) = step.site().and_then(|site| code.site_facts(site).value) else {
            return self.add("condition: it was this", Verdict::Unchecked, hop, asked);
        };
        let told = self.expression(&code, root, subject, offset);
        let verdict = match told {
            // The binding of a loop over elements.
            _ if self.happenings.kind(step.id) == Some(SiteKind::Var)
                && (step.id != hop.event() || hop.because.is_none()) =>
            {
                Verdict::of(same_if_any(&known, value), "another element")
            }
            Some(told) if told == root => Verdict::of(same_if_any(&known, value), "another value"),
            Some(told) => self.read(&code, step, root, told, value.as_ref()),
            None => Verdict::Unchecked,
        };
        self.add("condition: it was this", verdict, hop, asked);
        let readings = match self.trace.deciding_text(step) {
            Some(operand) if operand == subject => self.trace.deciding_readings(step).unwrap_or_default(),
            _ => self.trace.readings(step),
        };
        for reading in readings {
            let verdict = self.read(&code, step, root, reading.expression, Some(&reading.value));
            let verdict = match verdict {
                Verdict::Wrong(what) => Verdict::Wrong(format!("{what} of {}", reading.text)),
                verdict => verdict,
            };
            self.add("condition: it read this", verdict, hop, asked);
        }
    }

    /// The expression that begins at a position and has these words.
    fn expression(&self, code: &query::Code, root: ExprId, words: &str, offset: u32) -> Option<ExprId> {
        let is_it = |id: ExprId| {
            let text = code.text(id).split_whitespace().collect::<Vec<_>>().join(" ");
            text == words || words.ends_with('…') && text.starts_with(words.trim_end_matches('…'))
        };
        if is_it(root) {
            return Some(root);
        }
        let all = (0..code.facts.expressions.len()).map(|number| ExprId(number as u32));
        all.into_iter().find(|id| code.expression(*id).span.start == offset && is_it(*id))
    }

    fn read(&self, code: &query::Code, step: &Step, root: ExprId, id: ExprId, value: Option<&Datum>) -> Verdict {
        let Some(frame) = self.happenings.at(step.id).and_then(|at| at.frame) else { return Verdict::Unchecked };
        let whole = code.expression(root).span;
        let reader = Reader { happenings: self.happenings, code, frame, before: step.id, whole };
        match (reader.value(id), value) {
            (None, _) | (_, None | Some(Datum::NotCaptured)) => Verdict::Unchecked,
            (Some(known), Some(value)) if same(&known, value) => Verdict::Right,
            (Some(known), Some(value)) => Verdict::Wrong(format!("{value:?} instead of {known:?}")),
        }
    }

    /// Frames that the call of a hop entered, with the values of their parameters.
    fn callees(&self, hop: &Hop) -> Option<Vec<(String, Vec<Datum>)>> {
        use SiteKind::{
            Call, Put, PutComputed, PutComputedDecrement, PutComputedIncrement, PutDecrement, PutIncrement,
        };
        let frame = self.happenings.at(hop.event())?.frame?;
        let (from, over) = match self.happenings.kind(hop.event())? {
            Call => (hop.event(), self.happenings.over(hop.event())),
            // A setter has run when the assignment is told.
            Put | PutComputed | PutIncrement | PutDecrement | PutComputedIncrement | PutComputedDecrement => {
                (self.happenings.previous(hop.event())?, hop.event())
            }
            _ => return None,
        };
        let callee = |entered: &Entered| {
            let site = self.happenings.site(entered.event)?;
            let mut values = Vec::new();
            for number in entered.event.0 + 1.. {
                let event = EventId(number);
                let at = self.happenings.at(event)?;
                let kind = self.happenings.kind(event);
                match kind {
                    None => continue,
                    Some(_) if at.frame != Some(entered.frame) => {}
                    Some(SiteKind::Param | SiteKind::This | SiteKind::Arguments | SiteKind::Default) => {
                        values.extend(at.value.clone());
                        continue;
                    }
                    Some(_) => {}
                }
                break;
            }
            Some((site.name(site.function().name).to_owned(), values))
        };
        Some(self.happenings.entered_by(frame, from, over).filter_map(callee).collect())
    }

    /// Whether a function that the call of a hop entered has a pattern among its parameters.
    fn takes_apart(&self, hop: &Hop) -> bool {
        let Some(frame) = self.happenings.at(hop.event()).and_then(|at| at.frame) else { return false };
        let over = self.happenings.over(hop.event());
        self.happenings.entered_by(frame, hop.event(), over).any(|entered| {
            let Some(site) = self.happenings.site(entered.event) else { return false };
            let code = self.trace.code(site.id);
            let span = site.function().span;
            let source = code.as_ref().and_then(|code| code.source()).unwrap_or_default();
            let text = source.get(span.start as usize..span.end as usize).unwrap_or_default();
            parameters_of(text).contains(['{', '['])
        })
    }

    fn argument(&mut self, hop: &Hop, asked: &Asked) {
        let clause = "argument: a function that was called got this";
        let verdict = match (self.callees(hop), &hop.value) {
            (None, _) | (_, None | Some(Datum::NotCaptured)) => Verdict::Unchecked,
            _ if hop.subject.starts_with("...") => Verdict::Unchecked,
            (Some(callees), _) if callees.is_empty() => Verdict::Wrong("nothing was called".into()),
            (Some(callees), Some(value)) => {
                // `...rest` is an array of what was passed.
                let is_it = |given: &Datum| {
                    let known = given.object().and_then(|list| self.happenings.model.objects.get(&list));
                    let is_inside = |list: &Object| {
                        let is_new = list.born.is_none_or(|born| born > hop.event());
                        is_new && list.held(asked.before).values().any(|element| same(element, value))
                    };
                    same(given, value) || known.is_some_and(is_inside)
                };
                let has_it = |(_, values): &(String, Vec<Datum>)| values.iter().any(is_it);
                match callees.iter().any(has_it) {
                    // What a pattern took apart is no value of a parameter.
                    false if value.object().is_some() && self.takes_apart(hop) => Verdict::Unchecked,
                    is_it => Verdict::of(is_it, "it got something else"),
                }
            }
        };
        self.add(clause, verdict, hop, asked);
    }

    fn call(&mut self, hop: &Hop, parent: &Hop, asked: &Asked) {
        let callees = self.callees(hop);
        let verdict = match &callees {
            None => Verdict::Unchecked,
            Some(callees) => Verdict::of(!callees.is_empty(), "it entered nothing"),
        };
        self.add("call: it entered a function", verdict, hop, asked);
        let name = hop.subject.split(['(', '?']).next().unwrap_or_default();
        let name = name.trim_start_matches("await ").trim_start_matches("new ");
        let is_generated = name.starts_with(['f', 'K', 'g']) && name.len() > 1 && name[1..].parse::<u32>().is_ok();
        let verdict = match callees.filter(|_| is_generated) {
            None => Verdict::Unchecked,
            Some(callees) => Verdict::of(callees.iter().any(|(known, _)| known == name), "another function was"),
        };
        self.add("call: the function that is named", verdict, hop, asked);
        let verdict = match (self.happenings.at(hop.event()), self.happenings.at(parent.event())) {
            (Some(caller), Some(at)) if caller.frame.is_some_and(|frame| at.stack.contains(&frame)) => Verdict::Right,
            _ => Verdict::Unchecked,
        };
        self.add("call: what it led to was inside of it", verdict, hop, asked);
    }

    /// What foreign code did shows in a look, or it was called and entered nothing.
    fn foreign(&mut self, hop: &Hop, asked: &Asked) {
        let is_foreign = |written: &Written| written.entry.how == How::Foreign;
        let verdict = match (&hop.step.event, self.callees(hop)) {
            (Event::Record(_), _) => match self.happenings.written(hop.event()) {
                [] => Verdict::Unchecked,
                written => Verdict::of(written.iter().any(is_foreign), "recorded code did it"),
            },
            (_, Some(callees)) if callees.is_empty() => Verdict::Right,
            _ => Verdict::Unchecked,
        };
        self.add("foreign: code that is not recorded did it", verdict, hop, asked);
    }

    fn evidence(&mut self, hop: &Hop, asked: &Asked) {
        let value = self.happenings.at(hop.event()).and_then(|at| at.value.clone());
        let written = self.happenings.written(hop.event());
        let is_written = written.iter().any(|written| same_if_any(&written.entry.new, &hop.value));
        let verdict = match &hop.value {
            None => Verdict::Unchecked,
            Some(_) => Verdict::of(same_if_any(&value, &hop.value) || is_written, "another value"),
        };
        self.add("evidence: here it became this", verdict, hop, asked);
    }

    /// Defaults of parameters are told before the function is entered; they name what they are for.
    fn is_default_of_parameter(&self, hop: &Hop) -> bool {
        let Some(frame) = self.happenings.at(hop.event()).and_then(|at| at.frame) else { return false };
        let before = (0..hop.event().0).rev().find(|number| {
            let is_its = self.happenings.at(EventId(*number)).is_some_and(|at| at.frame == Some(frame));
            is_its && self.happenings.kind(EventId(*number)) == Some(SiteKind::Enter)
        });
        let Some(before) = before else { return false };
        (before.saturating_sub(MOST_OF_PATTERN as u64)..before).map(EventId).any(|event| {
            let Some(site) = self.happenings.site(event).filter(|site| site.site.kind == SiteKind::Default) else {
                return false;
            };
            site.site.names.iter().any(|name| site.name(*name) == hop.subject)
        })
    }

    pub(super) fn because(&mut self, hop: &Hop, asked: &Asked) {
        let Some(because) = &hop.because else { return };
        let verdict = Verdict::of(because.step.id <= hop.event(), "it is later");
        self.add("because: before what it decided", verdict, hop, asked);
        if because.reason != Reason::Condition {
            let is_default = |event: EventId| self.happenings.kind(event) == Some(SiteKind::Default);
            // A pattern writes when all of it is bound.
            let mut earlier = std::iter::successors(Some(hop.event()), |event| self.happenings.previous(*event));
            let is_used = earlier.by_ref().take(MOST_OF_PATTERN).any(is_default) || self.is_default_of_parameter(hop);
            let verdict = Verdict::of(is_used, "no default was");
            return self.add("because: the default was used", verdict, hop, asked);
        }
        let told = (&*because.subject, because.at.offset, &because.value);
        self.condition_value(&because.step, hop, told, asked);
    }
}

/// What stands in the first parentheses of a text.
fn parameters_of(text: &str) -> &str {
    let Some(open) = text.find('(') else { return "" };
    let mut depth = 0;
    let end = text[open..].char_indices().find(|(_, c)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        depth == 0
    });
    &text[open..end.map_or(text.len(), |(at, _)| open + at)]
}

const MOST_OF_PATTERN: usize = 24;
