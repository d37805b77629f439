//! How a question of an agent is answered. A list that is longer than the budget is asked for again as a shorter page, so that its
//! cursor leads on.

use debugger::{PageRequest, PointText, Question, QuestionKind, Session, Where};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Shared;
use crate::answer::{Answered, Draft, Refusal};
use crate::budget::{self, Budget, Cut};
use crate::server::Work;
use crate::tools::arguments;
use crate::{lean, next};

/// What every question takes. Each tool lists these words once more, so they are few: the instructions of the server say the rest.
#[derive(Clone, Default, Deserialize, JsonSchema)]
pub struct Common {
    /// The latest if left out
    pub run: Option<u32>,
    /// Point: P2, app.js:22, app.js:22#3, crash, end. The failure if left out
    pub at: Option<String>,
    /// Condition that picks the hit
    pub when: Option<String>,
    pub thread: Option<String>,
    /// In tokens
    pub budget: Option<usize>,
    pub cursor: Option<String>,
}

/// How a question's answer is divided.
#[derive(Clone, Copy)]
pub enum List {
    /// By the façade.
    Pages(&'static str),
    /// By us: the list at this place of the answer.
    Ours(&'static str),
    /// By us, the newest part first: it is at the end.
    FromEnd(&'static str),
    /// It is one thing.
    None,
}

/// The arguments of a question, beside the common ones.
pub trait Asks: DeserializeOwned + JsonSchema {
    const TOOL: &'static str;
    const LIST: List;
    fn kind(&self, page: PageRequest) -> Result<QuestionKind, String>;
}

/// The run that is asked about.
pub fn session(shared: &Shared, run: Option<u32>) -> Result<Session, Refusal> {
    Ok(match run {
        Some(run) => shared.runs.of(Some(&run.to_string()))?,
        None => shared.runs.latest()?,
    })
}

/// Answers a question with these arguments.
pub fn ask<A: Asks>(shared: &Shared, given: JsonObject, work: &Work) -> Result<Answered, Refusal> {
    let common: Common = arguments(A::TOOL, &given)?;
    let asked: A = arguments(A::TOOL, &given)?;
    let budget = Budget::new(common.budget).map_err(Refusal)?;
    let session = session(shared, common.run)?;
    let from =
        Where { at: point(&common.at).map_err(Refusal)?, when: common.when, thread: common.thread, ..Where::default() };
    let asking = Asking { tool: A::TOOL, given: &given, session: &session, budget, work };
    match A::LIST {
        List::Pages(list) => {
            let page = |limit| PageRequest {
                from: common.cursor.as_ref().map(|cursor| cursor.parse().unwrap_or_else(|never| match never {})),
                limit: Some(limit),
            };
            asking.in_pages(list, |limit| Ok(Question { kind: asked.kind(page(limit))?, from: from.clone() }))
        }
        list => {
            let question = Question { kind: asked.kind(PageRequest::default()).map_err(Refusal)?, from };
            let draft = asking.draft(&question)?;
            let skipped = common.cursor.as_deref().map_or(Ok(0), skipped).map_err(Refusal)?;
            match list {
                List::Ours(list) => asking.in_parts(draft, list, skipped, false),
                List::FromEnd(list) => asking.in_parts(draft, list, skipped, true),
                _ if skipped > 0 => Err(Refusal(format!("{} has no cursor: its answer is one thing", A::TOOL))),
                _ => Ok(draft.within(budget)),
            }
        }
    }
}

/// A point as it is written.
pub fn point(text: &Option<String>) -> Result<Option<PointText>, String> {
    text.as_ref().map(|text| text.parse()).transpose()
}

/// What our own cursors hold.
fn skipped(cursor: &str) -> Result<usize, String> {
    let number = cursor.strip_prefix(OURS).and_then(|number| number.parse().ok());
    number.ok_or_else(|| format!("{cursor} is no cursor of this answer: they are those that answers give"))
}

const OURS: &str = "after-";

struct Asking<'a> {
    tool: &'static str,
    given: &'a JsonObject,
    session: &'a Session,
    budget: Budget,
    work: &'a Work,
}

impl Asking<'_> {
    fn draft(&self, question: &Question) -> Result<Draft, Refusal> {
        let document = match self.session.ask(question, &self.work.control) {
            Ok(reply) => answer_json::document(question, &reply),
            Err(error) if error.is_answer() => answer_json::none(question, error.to_string()),
            Err(error) => return Err(error.into()),
        };
        let mut json: Value = serde_json::from_str(&answer_json::line(&document)).expect("a document is JSON");
        let number = self.session.about().number;
        let mut answer = json["answer"].take();
        lean::once(&mut answer);
        let next = next::suggestions(self.tool, self.given, number, &answer);
        let (tool, given) = (self.tool, self.given.clone());
        Ok(Draft { tool, given, run: Some(number), answer, notes: document.notes, cursor: None, next, is_cut: false })
    }

    /// Pages of the façade, as large as the budget allows.
    fn in_pages(&self, list: &str, question: impl Fn(usize) -> Result<Question, String>) -> Result<Answered, Refusal> {
        let mut limit = self.budget.most_items();
        loop {
            let mut draft = self.draft(&question(limit).map_err(Refusal)?)?;
            draft.cursor = draft.answer.get("next").and_then(Value::as_str).map(str::to_owned);
            self.continued(&mut draft);
            if draft.fits(self.budget) || limit == 1 {
                return Ok(draft.within(self.budget));
            }
            draft.lean(self.budget);
            let n_items = draft.answer.get(list).and_then(Value::as_array).map_or(0, Vec::len);
            limit = self.fitting(&mut draft, list, n_items, false).clamp(1, (limit - 1).max(1));
        }
    }

    /// A part of a list that is at hand as a whole.
    fn in_parts(&self, mut draft: Draft, list: &str, skipped: usize, from_end: bool) -> Result<Answered, Refusal> {
        let n_all = draft.answer.get(list).and_then(Value::as_array).map_or(0, Vec::len);
        if skipped > 0 && skipped >= n_all {
            return Err(Refusal(format!("the cursor {OURS}{skipped} is behind the end: there are {n_all}")));
        }
        keep(&mut draft.answer, list, skipped, n_all, from_end);
        if skipped > 0 {
            remind(&mut draft.answer, list);
        }
        if draft.fits(self.budget) {
            return Ok(draft.within(self.budget));
        }
        draft.lean(self.budget);
        if draft.fits(self.budget) {
            return Ok(draft.within(self.budget));
        }
        // With the words for going on, which need room as well.
        draft.cursor = Some(format!("{OURS}{n_all}"));
        self.continued(&mut draft);
        let n_kept = self.fitting(&mut draft, list, n_all - skipped, from_end).max(1);
        let end = skipped + n_kept;
        draft.next.retain(|suggestion| !suggestion.arguments.contains_key("cursor"));
        draft.cursor = (end < n_all).then(|| format!("{OURS}{end}"));
        self.continued(&mut draft);
        Ok(draft.within(self.budget))
    }

    /// The call that shows what was left out.
    fn continued(&self, draft: &mut Draft) {
        if let Some(cursor) = &draft.cursor {
            draft.next.insert(0, next::continued(self.tool, self.given, draft.run, cursor));
        }
    }

    /// Leaves as many items as fit, and says how many these are.
    fn fitting(&self, draft: &mut Draft, list: &str, n_items: usize, from_end: bool) -> usize {
        let whole = draft.answer.clone();
        let (mut fits, mut too_many) = (0, n_items + 1);
        while too_many - fits > 1 {
            let n = fits.midpoint(too_many);
            draft.answer.clone_from(&whole);
            keep(&mut draft.answer, list, 0, n, from_end);
            match draft.fits(self.budget) {
                true => fits = n,
                false => too_many = n,
            }
        }
        draft.answer = whole;
        keep(&mut draft.answer, list, 0, fits.max(1), from_end);
        fits
    }
}

/// What stands beside a list was said with its first part: a reminder will do.
fn remind(answer: &mut Value, list: &str) {
    for (_, field) in answer.as_object_mut().into_iter().flatten().filter(|(name, _)| *name != list) {
        budget::cut(field, REMINDER);
    }
}

const REMINDER: Cut = Cut { letters: 100, items: 5 };

/// Leaves so many items of a list, behind those that are skipped.
fn keep(answer: &mut Value, list: &str, skipped: usize, n: usize, from_end: bool) {
    if let Some(Value::Array(items)) = answer.get_mut(list) {
        let range = match from_end {
            false => skipped.min(items.len())..skipped.saturating_add(n).min(items.len()),
            true => {
                let end = items.len() - skipped.min(items.len());
                end.saturating_sub(n)..end
            }
        };
        *items = items.drain(range).collect();
    }
}
