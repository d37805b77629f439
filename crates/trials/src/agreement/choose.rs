//! Questions about a program that nobody wrote down any for: chosen by chance, the same ones each time, from what its recording has.

use debugger::{Answer, Control, Named, PageRequest, Point, PointText, QuestionKind, Session, StateRequest, ValueType};
use trace_model::{EventId, SiteKind};
use trace_store::{CodeUnit, Run, SiteRef, SourceLocation, Target, Thread};

use super::question::{AnswerOf, Asks, At, Question};
use super::reply::{MOST_CHANGES, ask};
use crate::random::Random;

/// About so many questions; a chain is one.
pub fn chosen(session: &Session, seed: u64, n_questions: usize) -> Vec<Question> {
    let Ok(run) = Run::open(session.folder()) else { return Vec::new() };
    let mut chooser =
        Chooser { session, run: &run, random: Random::new(seed), questions: Vec::new(), told: Vec::new() };
    for _ in 0..n_questions {
        chooser.choose();
    }
    chooser.questions
}

struct Chooser<'s> {
    session: &'s Session,
    run: &'s Run,
    random: Random,
    questions: Vec<Question>,
    /// The points of the answers so far, in the recording.
    told: Vec<Vec<Option<u32>>>,
}

const LONGEST_CHAIN: usize = 3;

impl Chooser<'_> {
    fn choose(&mut self) {
        let Some(point) = self.point() else { return };
        let when = self.condition(&point);
        let mut at = At::Text(point);
        for _ in 0..LONGEST_CHAIN {
            let Some(kind) = self.kind(&at) else { return };
            let when = when.clone().filter(|_| matches!(at, At::Text(_)));
            let question = Question { asks: Asks::Of(Box::new(kind)), at, when };
            let reply = ask(self.session, &question, &self.told);
            let points = reply.map(|reply| reply.points).unwrap_or_default();
            let number = self.questions.len();
            self.questions.push(question);
            self.told.push(points.clone());
            let named: Vec<usize> = (0..points.len()).filter(|point| points[*point].is_some()).collect();
            let Some(point) = self.random.pick(&named).copied() else { return };
            if self.random.below(2) == 0 {
                return;
            }
            let of = if self.random.below(3) == 0 { AnswerOf::Full } else { AnswerOf::Rerun };
            at = At::Answer { question: number, point, of };
        }
    }

    /// A line that was executed, mostly; sometimes an expression on it, the crash, the end, a line of output.
    fn point(&mut self) -> Option<PointText> {
        match self.random.below(20) {
            0 => return Some(PointText::Crash),
            1 => return Some(PointText::End),
            2 => return Some(PointText::Output { is_error: false, line: 1 + self.random.below(3) }),
            _ => {}
        }
        let (file, line, column) = (0..MOST_TRIES).find_map(|_| self.executed())?;
        let column = Some(column).filter(|_| self.random.below(5) == 0);
        let on_line = |hit| PointText::Line { file: file.clone(), line, column, hit };
        let last = self.here(on_line(None))?;
        let n_hits = last.n_hits.unwrap_or(1);
        let hit = match self.random.below(3) {
            0 => None,
            1 => Some(1),
            _ => Some(1 + self.random.below(n_hits)),
        };
        Some(on_line(hit))
    }

    /// Where something was executed: what happened often comes as often as what happened once.
    fn executed(&mut self) -> Option<(String, u32, u32)> {
        let thread = self.random.pick(self.run.threads())?;
        let site = match self.random.below(2) {
            0 => self.of_event(thread),
            _ => self.of_code(thread),
        }?;
        if matches!(site.site.kind, SiteKind::Function | SiteKind::Class) {
            return None;
        }
        let SourceLocation { path, position, .. } = site.place()?;
        let folder = format!("{}/", self.run.file().folder);
        let file = path.strip_prefix("file://").unwrap_or(path);
        // A text that never was a file has no name to ask for it by.
        let file = file.strip_prefix(&folder).filter(|file| !file.is_empty())?;
        Some((file.to_owned(), position.line, position.column))
    }

    fn of_event<'t>(&mut self, thread: &'t Thread) -> Option<SiteRef<'t>> {
        let n_events = thread.end().0.checked_sub(thread.first_event().0).filter(|n| *n > 0)?;
        let event = EventId(thread.first_event().0 + self.random.below(n_events));
        thread.site(thread.step(event)?.site()?)
    }

    fn of_code<'t>(&mut self, thread: &'t Thread) -> Option<SiteRef<'t>> {
        let units: Vec<&CodeUnit> = thread.code().units().iter().filter(|unit| unit.code().is_ok()).collect();
        let own: Vec<&CodeUnit> =
            units.iter().copied().filter(|unit| !unit.record.path.contains("/node_modules/")).collect();
        let among = if self.random.below(2) == 0 { &own } else { &units };
        let unit = *self.random.pick(among)?;
        let n_sites = unit.code().ok()?.sites.sites.len() as u64;
        if n_sites == 0 {
            return None;
        }
        let site = unit.site(trace_model::LocalSite(self.random.below(n_sites) as u32));
        thread.next(&Target::Sites(&[site]), thread.first_event())?;
        thread.site(site)
    }

    /// Sometimes a line is meant at a time at which something is so.
    fn condition(&mut self, point: &PointText) -> Option<String> {
        let PointText::Line { column: None, hit, .. } = point else { return None };
        if hit.is_none() || self.random.below(4) > 0 {
            return None;
        }
        let variables = self.variables(&At::Text(point.clone()))?;
        let is_plain = |named: &&Named| {
            matches!(
                named.value.kind,
                ValueType::Number | ValueType::String | ValueType::Boolean | ValueType::Undefined
            ) && named.value.text.len() < LONGEST_TEXT
                && !named.value.text.contains('…')
        };
        let variables: Vec<&Named> = variables.iter().filter(is_plain).collect();
        let named = self.random.pick(&variables)?;
        Some(format!("{} === {}", named.name, named.value.text))
    }

    fn kind(&mut self, at: &At) -> Option<QuestionKind> {
        let is_expression = matches!(at, At::Text(PointText::Line { column: Some(_), .. }));
        let which = self.random.below(20);
        if which < 5 {
            return Some(QuestionKind::LastCondition);
        }
        let place = match is_expression && self.random.below(2) == 0 {
            true => None,
            false => Some(self.place(at)?),
        };
        Some(match which {
            5..12 => QuestionKind::LastChange { place },
            12..15 => QuestionKind::History { place, page: PageRequest::first(MOST_CHANGES) },
            _ => QuestionKind::Eval { expression: self.expression(place, at) },
        })
    }

    /// What the recording answers.
    fn answer(&self, kind: QuestionKind, at: &At) -> Option<Answer> {
        let question =
            Question { asks: Asks::Of(Box::new(kind)), at: at.clone(), when: None }.asked(&self.told).ok()?;
        Some(self.session.ask(&question, &Control::default()).ok()?.answer)
    }

    fn here(&self, point: PointText) -> Option<Point> {
        match self.answer(QuestionKind::Here, &At::Text(point))? {
            Answer::Here(point) => Some(point),
            _ => None,
        }
    }

    /// Those that the innermost function sees.
    fn variables(&self, at: &At) -> Option<Vec<Named>> {
        match self.answer(QuestionKind::State(StateRequest::default()), at)? {
            Answer::State(state) => Some(state.frames.into_iter().next()?.variables),
            _ => None,
        }
    }

    fn expression(&mut self, place: Option<String>, at: &At) -> Option<String> {
        let place = place?;
        Some(match self.random.below(6) {
            0 => format!("typeof {place}"),
            1 => format!("{place} === {}", self.place(at)?),
            2 => format!("{place} ?? {}", self.place(at)?),
            _ => place,
        })
    }

    /// A name in scope, or something in an object that a name holds.
    fn place(&mut self, at: &At) -> Option<String> {
        let variables = self.variables(at)?;
        let mut text = self.random.pick(&variables)?.name.clone();
        let request = StateRequest { depth: DEEPEST_PLACE, limit: MOST_ENTRIES, ..StateRequest::default() };
        let Answer::Inspect(variable) = self.answer(QuestionKind::Inspect { place: text.clone(), request }, at)? else {
            return None;
        };
        let mut named = &variable;
        while self.random.below(3) > 0 {
            let Some(entry) = self.random.pick(&named.entries) else { break };
            let Some(part) = part(named, entry) else { break };
            text.push_str(&part);
            named = entry;
        }
        // What nobody wrote, or somebody else did.
        if named.value.object.is_some() && self.random.below(8) == 0 {
            text.push_str(self.random.pick(&[".length", ".nothing", ".constructor", "[0]", ".name", ".size"])?);
        }
        Some(text)
    }
}

const MOST_TRIES: usize = 30;
const LONGEST_TEXT: usize = 40;
const DEEPEST_PLACE: usize = 2;
const MOST_ENTRIES: usize = 12;

/// How the source would write an entry of an object.
fn part(of: &Named, entry: &Named) -> Option<String> {
    let name = &entry.name;
    let holds_entries = |class: &str| of.value.text.split(' ').nth(1) == Some(class);
    if name.starts_with(['#', '[']) || name.contains('…') {
        return None;
    }
    let is_literal = name.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '-'));
    Some(match (holds_entries("Map"), holds_entries("Set"), is_literal) {
        (true, ..) => format!(".get({name})"),
        (_, true, _) => format!(".has({name})"),
        (.., true) => format!("[{name}]"),
        _ => format!(".{name}"),
    })
}
