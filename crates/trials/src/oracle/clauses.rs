//! What `why` tells, clause by clause, against what the oracle knows: that an event is what it is said to be, with that value; that
//! a write is the newest of its place; that a condition read this; that a hop is before the one that it explains.

use query::{
    Datum, Explanation, Failure, FailureKind, Hop, HopKind, Limits, Place, Terminator, Trace, omissions::About, why,
    why_held,
};
use trace_model::{Event, EventId, ExprId, Node, Record, SiteKind};
use trace_store::{PropertyKey, Step};

use super::Tally;
use super::expressions::Reader;
use super::happenings::{Happenings, Spot, Written};
use super::model::Model;
use super::objects::{How, last};
use super::tally::Verdict;
use super::values::{same, same_if_any};
use crate::random::Random;

/// Has so many explanations of each program checked: of places at random moments, and, every third, of an exception.
pub fn check(trace: &Trace, model: &Model, programs: &[Vec<EventId>], n_explanations: usize, tally: &mut Tally) {
    if n_explanations == 0 {
        return;
    }
    let happenings = Happenings::of(model);
    let mut clauses = Clauses { trace, happenings: &happenings, tally, random: Random::new(2) };
    for program in programs {
        let is_catch = |event: &&EventId| happenings.kind(**event) == Some(SiteKind::Catch);
        let catches: Vec<EventId> = program.iter().filter(is_catch).copied().collect();
        for number in 0..n_explanations {
            if number % 3 == 1 && clauses.of_exception(&catches).is_some() {
                continue;
            }
            // Not every moment has a place that holds something.
            (0..MOST_TRIES).find_map(|_| clauses.of_place(program));
        }
    }
}

const MOST_TRIES: usize = 10;

struct Clauses<'a> {
    trace: &'a Trace<'a>,
    happenings: &'a Happenings<'a>,
    tally: &'a mut Tally,
    random: Random,
}

/// What is known of the explanation that a clause is of.
struct Asked<'e> {
    hops: &'e [Hop],
    /// All that it tells was before.
    before: EventId,
    place: Option<Place>,
    words: String,
}

impl Clauses<'_> {
    fn of_place(&mut self, program: &[EventId]) -> Option<()> {
        let id = *self.random.pick(program)?;
        let step = self.trace.thread.step(id)?;
        let place = self.random_place(&step)?;
        let explanation = why_held(self.trace, &step, place.clone(), Limits::default());
        let words = format!("why {} @{}", place.text(), id.0);
        self.explanation(&explanation, &Asked { hops: &explanation.hops, before: id, place: Some(place), words });
        Some(())
    }

    /// Why something was thrown that the program caught: as if nobody had.
    fn of_exception(&mut self, catches: &[EventId]) -> Option<()> {
        let catch = self.trace.thread.step(*self.random.pick(catches)?)?;
        let thrown = self.trace.thrown_before(&catch)?;
        let error = self.trace.step_value(&catch);
        let message = error.as_ref().map_or(String::new(), |error| self.trace.error_message(error, catch.id));
        let before = thrown.before;
        let words = format!("why {message:?} caught @{}", catch.id.0);
        let failure = Failure { kind: FailureKind::Caught, error, message, ..Failure::about(thrown) };
        let explanation = why(self.trace, failure, Limits::default());
        self.explanation(&explanation, &Asked { hops: &explanation.hops, before, place: None, words });
        Some(())
    }

    /// A variable in scope, or a property or entry of an object in reach.
    fn random_place(&mut self, step: &Step) -> Option<Place> {
        let scene = self.trace.scene(step)?;
        let names = self.trace.names_in_scope(scene);
        let variable = *self.random.pick(&names)?;
        let place = self.trace.variable_place(scene, variable)?;
        let name = self.trace.code(place.unit)?.variable_name(variable).to_owned();
        let mut found = Place::Variable { place, name };
        let mut held = self.happenings.model.variable(&place, step.id)?.new.clone()?;
        while let Datum::Object(object) = held {
            let Some(known) = self.happenings.model.objects.get(&object).filter(|_| self.random.below(3) > 0) else {
                break;
            };
            let mut inside: Vec<(Place, Datum)> = Vec::new();
            let properties = known.held(step.id).into_iter();
            inside.extend(properties.map(|(key, value)| (Place::Property { object, key }, value)));
            let entries = known.held_entries(step.id).into_iter();
            inside.extend(entries.map(|(key, value)| (Place::Entry { object, key }, value)));
            inside.sort_by_key(|(place, _)| place.text());
            let Some((place, value)) = self.random.pick(&inside).cloned() else { break };
            (found, held) = (place, value);
        }
        Some(found)
    }

    fn explanation(&mut self, explanation: &Explanation, asked: &Asked) {
        self.tally.add_explanation();
        for (number, hop) in explanation.hops.iter().enumerate() {
            let parent = hop.parent.map(|parent| &explanation.hops[parent]);
            if number > 0 && parent.is_none() {
                self.add("a hop explains another", Verdict::Wrong("it explains none".into()), hop, asked);
            }
            if let Some(parent) = parent {
                self.source(hop, asked);
                self.order(hop, parent, asked);
                self.event(hop, parent, asked);
                if hop.kind == HopKind::Write {
                    let above = std::iter::successors(Some(parent), |told| Some(&explanation.hops[told.parent?]));
                    self.newest(hop, &above.collect::<Vec<_>>(), asked);
                }
            }
            self.because(hop, asked);
            self.rounds(hop, asked);
            self.end(hop, asked);
        }
        self.answer(explanation, asked);
    }

    fn add(&mut self, clause: &'static str, verdict: Verdict, hop: &Hop, asked: &Asked) {
        let details = || {
            let words = |hop: &Hop| {
                let line = self.happenings.site(hop.event()).and_then(|site| site.position());
                let line = line.map_or(String::new(), |position| format!(" line {}", position.line));
                let (subject, value) = (&hop.subject, &hop.value);
                let because =
                    hop.because.iter().map(|it| format!(" because @{} `{}` {:?}", it.step.id.0, it.subject, it.value));
                let because: String = because.collect();
                format!("{:?} @{}{line} `{subject}` {value:?}{because}", hop.kind, hop.event().0)
            };
            let above = std::iter::successors(Some(hop), |hop| Some(&asked.hops[hop.parent?]));
            format!("{}: {}", asked.words, above.map(words).collect::<Vec<_>>().join(", for "))
        };
        let details = if matches!(verdict, Verdict::Wrong(_)) { details() } else { String::new() };
        self.tally.add_clause(clause, verdict, || details);
    }

    /// When what a hop tells was over: of times round, the last of them.
    fn over(&self, hop: &Hop, asked: &Asked) -> EventId {
        if hop.parent.is_none() {
            return asked.before;
        }
        let rounds = hop.rounds.iter().flat_map(|rounds| rounds.steps.last()).map(|step| step.id);
        self.happenings.over(rounds.fold(hop.event(), EventId::max))
    }

    fn order(&mut self, hop: &Hop, parent: &Hop, asked: &Asked) {
        let verdict = Verdict::of(hop.event() < asked.before, "after it");
        self.add("order: before what was asked about", verdict, hop, asked);
        if parent.parent.is_none() {
            return;
        }
        let over = self.over(parent, asked);
        let is_before = hop.event() < parent.event();
        let is_before_end = hop.event() < over && hop.event() != parent.event();
        let kind = format!("{:?} after {:?}", hop.kind, parent.kind);
        let verdict = if is_before || is_before_end { Verdict::Right } else { Verdict::Wrong(kind) };
        self.add("order: before the hop that it explains", verdict, hop, asked);
    }

    /// What it is about stands where it is said to be.
    fn source(&mut self, hop: &Hop, asked: &Asked) {
        let clause = "source: the words stand there";
        let Some(code) = self.trace.code(hop.at.unit).filter(|_| !hop.subject.is_empty()) else { return };
        let Some(source) = code.source() else { return };
        let words = hop.subject.trim_end_matches('…');
        let text = |from: usize, to: usize| {
            source.get(from..to.min(source.len())).map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
        };
        let offset = hop.at.offset as usize;
        let is_here = source.get(offset..).is_some_and(|rest| {
            let rest: String = rest.chars().take(400).collect();
            rest.split_whitespace().collect::<Vec<_>>().join(" ").starts_with(words)
        });
        let statement = hop.step.site().and_then(|site| code.site_facts(site).statement);
        let statement = statement.map(|statement| code.facts.statements[statement as usize].span);
        let is_inside = || {
            let span = statement?;
            let is_of_it = span.start as usize <= offset && offset <= span.end as usize;
            Some(is_of_it && text(span.start as usize, span.end as usize)?.contains(words))
        };
        let verdict = match (is_here, is_inside()) {
            (true, _) | (_, Some(true)) => Verdict::Right,
            (false, None) => Verdict::Unchecked,
            (false, Some(false)) => Verdict::Wrong("other words".into()),
        };
        self.add(clause, verdict, hop, asked);
    }

    /// That the event is what the hop says it is.
    fn event(&mut self, hop: &Hop, parent: &Hop, asked: &Asked) {
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
                self.is_event(hop, asked, &kinds, "resume: a function went on with this value");
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

    /// No newer write of the place was there for what the hop explains; or what it held was taken elsewhere before that; or the
    /// newer one is an earlier time of a line that is told above it: a line is told once.
    fn newest(&mut self, hop: &Hop, above: &[&Hop], asked: &Asked) {
        let clause = "write: the newest, or taken on before the next";
        let event = hop.rounds.as_ref().and_then(|rounds| rounds.steps.last()).map_or(hop.event(), |step| step.id);
        let Some(parent) = above.first() else { return };
        let read = match &parent.rounds {
            _ if parent.parent.is_none() => asked.before,
            // What there was before the first time round explains them all.
            Some(rounds) => rounds.steps.iter().map(|step| step.id).find(|id| *id > event).unwrap_or(parent.event()),
            None => EventId(self.happenings.over(parent.event()).0 - 1),
        };
        // `a[a.length] = x` writes the length too, which is not told.
        let is_told = |written: &&Written| match &hop.value {
            Some(_) if hop.step.site().is_some() => same_if_any(&written.entry.new, &hop.value),
            _ => written.entry.new.is_some(),
        };
        let told: Vec<&Written> = self.happenings.written(hop.event()).iter().filter(is_told).collect();
        let of_newest = self.happenings.written(event).iter();
        let mut of_newest = of_newest.filter(|written| told.iter().any(|told| told.spot == written.spot)).peekable();
        if of_newest.peek().is_none() {
            return self.add(clause, Verdict::Unchecked, hop, asked);
        }
        let mut is_of_told_line = false;
        let mut is_right = false;
        for written in of_newest {
            let next = written.entries.iter().find(|entry| entry.event > event && entry.event < read);
            let (Some(next), Some(new)) = (next, &written.entry.new) else {
                is_right = true;
                continue;
            };
            // `n-- > 0` reads before it writes, and so does `[a, b] = [b, a]`.
            let is_taken = self.happenings.carried(new, event, next.event)
                || self.happenings.carried(new, next.event, self.happenings.end_of_statement(next.event));
            is_right |= is_taken || self.happenings.is_part_of(next.event, parent.event());
            is_of_told_line |= above.iter().any(|told| self.happenings.are_of_one_line(told.event(), next.event));
        }
        match is_of_told_line && !is_right {
            true => self.add("write: the newest before an earlier time of a told line", Verdict::Right, hop, asked),
            false => {
                let wrong = format!("a newer one for {:?}", parent.kind);
                self.add(clause, Verdict::of(is_right, &wrong), hop, asked);
            }
        }
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
        let callee = |entered: &super::happenings::Entered| {
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
                    let is_inside = |list: &super::objects::Object| {
                        let is_new = list.born.is_none_or(|born| born > hop.event());
                        is_new && list.held(asked.before).values().any(|element| same(element, value))
                    };
                    same(given, value) || known.is_some_and(is_inside)
                };
                let has_it = |(_, values): &(String, Vec<Datum>)| values.iter().any(is_it);
                Verdict::of(callees.iter().any(has_it), "it got something else")
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

    fn because(&mut self, hop: &Hop, asked: &Asked) {
        let Some(because) = &hop.because else { return };
        let verdict = Verdict::of(because.step.id <= hop.event(), "it is later");
        self.add("because: before what it decided", verdict, hop, asked);
        let told = (&*because.subject, because.at.offset, &because.value);
        self.condition_value(&because.step, hop, told, asked);
    }

    fn rounds(&mut self, hop: &Hop, asked: &Asked) {
        let Some(rounds) = &hop.rounds else { return };
        let is_told = rounds.steps.get(rounds.told).is_some_and(|step| step.id == hop.event());
        self.add("rounds: the one that is told is one of them", Verdict::of(is_told, "it is not"), hop, asked);
        let is_in_order = rounds.steps.windows(2).all(|two| two[0].id < two[1].id);
        self.add("rounds: oldest first", Verdict::of(is_in_order, "they are not"), hop, asked);
        if hop.kind != HopKind::Write || hop.step.site().is_none() {
            return self.add("rounds: all wrote the same place", Verdict::Unchecked, hop, asked);
        }
        let spots = |step: &Step| self.happenings.written(step.id).iter().map(|it| it.spot.clone()).collect::<Vec<_>>();
        let all: Vec<Vec<Spot>> = rounds.steps.iter().map(spots).collect();
        let is_one =
            all.first().is_some_and(|first| first.iter().any(|spot| all.iter().all(|spots| spots.contains(spot))));
        self.add("rounds: all wrote the same place", Verdict::of(is_one, "they did not"), hop, asked);
        let between = |two: &[Step]| {
            let entries = self.happenings.written(two[0].id).first().map_or(&[][..], |written| written.entries);
            entries.iter().any(|entry| two[0].id < entry.event && entry.event < two[1].id)
        };
        let has_other = is_one && rounds.steps.windows(2).any(between);
        self.add("rounds: nothing else wrote it between", Verdict::of(!has_other, "something did"), hop, asked);
    }

    fn end(&mut self, hop: &Hop, asked: &Asked) {
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
                let verdict = self.is_literal(hop, text);
                self.add("end: the source itself gives it", verdict, hop, asked);
            }
            Terminator::Birth => {
                let verdict = self.is_made_here(hop, end.about.is_some());
                self.add("end: it was made here", verdict, hop, asked);
            }
            Terminator::OutsideInput => self.add("end: came from outside", Verdict::Unchecked, hop, asked),
            Terminator::ForeignCode => {
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
        let Some(code) = self.trace.code(hop.at.unit) else { return Verdict::Unchecked };
        let site = hop.step.site().filter(|site| code.unit.record.holds(*site));
        let statement = site.and_then(|site| code.site_facts(site).statement);
        let Some(statement) = statement.map(|statement| code.facts.statements[statement as usize].span) else {
            return Verdict::Unchecked;
        };
        let is_of_it = |span: trace_model::Span| statement.start <= span.start && span.end <= statement.end;
        let all = (0..code.facts.expressions.len()).map(|number| ExprId(number as u32));
        let is_it = |id: &ExprId| {
            is_of_it(code.expression(*id).span)
                && code.text(*id).split_whitespace().collect::<Vec<_>>().join(" ") == text
        };
        let found: Vec<ExprId> = all.filter(is_it).collect();
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

    /// The place that was asked about holds what the newest write of it gave: where a hop tells of a write of that place, it is the
    /// newest one.
    fn answer(&mut self, explanation: &Explanation, asked: &Asked) {
        let clause = "asked: the newest write of the place";
        let Some(place) = &asked.place else { return };
        let model = self.happenings.model;
        let (spot, entries) = match place {
            Place::Variable { place, .. } => {
                let spot = (place.unit, place.variable, place.owner);
                (Spot::Variable(spot.0, spot.1, spot.2), model.variables.get(&spot))
            }
            Place::Property { object, key } => {
                let entries = model.objects.get(object).and_then(|object| object.properties.get(key));
                (Spot::Property(*object, key.clone()), entries)
            }
            Place::Global { .. } | Place::Entry { .. } => return,
        };
        let Some(newest) = entries.and_then(|entries| last(entries, asked.before)) else { return };
        let tells = |hop: &&Hop| {
            let rounds = hop.rounds.as_ref().and_then(|rounds| rounds.steps.last()).map(|step| step.id);
            let written = self.happenings.written(rounds.unwrap_or(hop.event()));
            hop.parent == Some(0) && hop.kind == HopKind::Write && written.iter().any(|written| written.spot == spot)
        };
        let told: Vec<&Hop> = explanation.hops.iter().filter(tells).collect();
        let event_of =
            |hop: &Hop| hop.rounds.as_ref().and_then(|rounds| rounds.steps.last()).map_or(hop.event(), |step| step.id);
        let root = explanation.hops.first().map(Hop::event);
        if root.is_some_and(|root| self.happenings.are_of_one_line(root, newest.event)) {
            // It stands where the question was asked, and is not told again.
        } else if let Some(first) = told.first() {
            let has_newest = told.iter().any(|hop| event_of(hop) == newest.event);
            self.add(clause, Verdict::of(has_newest, "an older one"), first, asked);
        } else if let Some(root) = explanation.hops.first() {
            self.add(clause, Verdict::Unchecked, root, asked);
        }
    }
}
