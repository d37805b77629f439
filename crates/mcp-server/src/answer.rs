//! What a tool gives back: the structured answer, the same as text, and the sentence where there is neither.

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

use crate::budget::{self, Budget, Cut};
use crate::lean::lean;
use crate::next::{self, Suggestion};
use crate::text;

/// Both say the same, and each fits the budget: a client shows its model one of them.
pub struct Answered {
    pub structured: Value,
    pub text: String,
}

/// Why there is no answer, in a sentence for the agent.
#[derive(Debug)]
pub struct Refusal(pub String);

impl From<debugger::Error> for Refusal {
    fn from(error: debugger::Error) -> Refusal {
        Refusal(debugger::with_redactions_shown(&error.to_string()).into_owned())
    }
}

/// An answer before it is cut.
pub struct Draft {
    /// What was called.
    pub tool: &'static str,
    pub given: JsonObject,
    pub run: Option<u32>,
    pub answer: Value,
    pub notes: Vec<String>,
    /// Where it goes on, and how many are left, where that is known.
    pub cursor: Option<String>,
    pub next: Vec<Suggestion>,
    /// Something of it was left out, other than the rest of its list.
    pub is_cut: bool,
}

impl Draft {
    pub fn fits(&self, budget: Budget) -> bool {
        self.sealed().fits(budget)
    }

    /// As much of it as the budget allows: what is said twice and what is too long go first, then texts and inner lists are shortened,
    /// and at last it says that it is too long.
    pub fn within(mut self, budget: Budget) -> Answered {
        let whole = self.sealed();
        if whole.fits(budget) {
            return whole;
        }
        self.lean(budget);
        let leaner = self.sealed();
        if leaner.fits(budget) {
            return leaner;
        }
        for cut in budget::CUTS {
            budget::cut(&mut self.answer, cut);
            self.notes.iter_mut().for_each(|note| budget::shorten(note, cut.letters));
            self.notes.truncate(cut.items);
            self.next.truncate(cut.items);
            self.is_cut = true;
            let shorter = self.sealed();
            if shorter.fits(budget) {
                return shorter;
            }
        }
        let text = format!("this answer does not fit in {} tokens", budget.tokens());
        self.answer = json!({ "kind": "none", "text": text });
        self.notes.clear();
        self.cursor = None;
        self.next = vec![next::with_more_room(self.tool, &self.given, budget.larger())];
        self.sealed()
    }

    /// Leaves out what is said twice, and the middle of what is too long.
    pub fn lean(&mut self, budget: Budget) {
        let whole = self.answer.clone();
        lean(&mut self.answer);
        budget::cut(&mut self.answer, Cut { letters: budget.most_letters(), items: usize::MAX });
        self.is_cut |= whole != self.answer;
    }

    fn sealed(&self) -> Answered {
        let mut whole = Map::new();
        if let Some(run) = self.run {
            whole.insert("run".into(), json!(run));
        }
        whole.insert("answer".into(), self.answer.clone());
        whole.insert("notes".into(), json!(self.notes));
        if self.is_cut {
            whole.insert("cut".into(), json!("details are left out; a larger budget shows them"));
        }
        if let Some(cursor) = &self.cursor {
            whole.insert("cursor".into(), json!(cursor));
        }
        whole.insert("next".into(), json!(self.next));
        let text = text::text(&whole, &self.next);
        Answered { structured: Value::Object(whole), text }
    }
}

impl Answered {
    fn fits(&self, budget: Budget) -> bool {
        budget.holds(&self.text) && budget.holds(&self.structured.to_string())
    }
}
