//! The judge, as a dialogue in the console.

use debugger::{JudgeAct, JudgeRequest, JudgeRoom, Judgement, Next};

use crate::adapter::Adapter;
use crate::refusal::Refusal;

impl Adapter {
    pub fn judged(&mut self, words: &[String]) -> Result<String, Refusal> {
        let said = act(words)?;
        let open = self.opened()?;
        open.still_there()?;
        let session = open.session.clone();
        // What is said before anything was asked is about no call.
        let act = if self.judge.is_some() { said } else { begin() };
        let room = self.judge.get_or_insert_with(|| JudgeRoom::open(&session));
        let next = room.act(act, &self.control, |_, next| next.clone())?;
        Ok(match next {
            Next::Ask(question) => format!("{}\n{USAGE}", self.options.pages.question_of_judge(&question).trim()),
            Next::AskTable(table) => match table.rows.first() {
                Some(question) => format!("{}\n{USAGE}", self.options.pages.question_of_judge(question).trim()),
                None => NOTHING_LEFT.into(),
            },
            Next::Found(found) => self.options.pages.found_by_judge(&found).trim().to_owned(),
            Next::Unsure(calls) => {
                let calls: Vec<String> = calls.iter().map(|call| call.text()).collect();
                format!("one of these is wrong, and nobody knows which: {}", calls.join(", "))
            }
            Next::Nothing => NOTHING_LEFT.into(),
        })
    }
}

const USAGE: &str = "judge valid, judge invalid, judge unknown, judge trusted; judge undo takes the last reply back";
const NOTHING_LEFT: &str = "no call is left to ask about";

fn act(words: &[String]) -> Result<JudgeAct, Refusal> {
    match words {
        [] => Ok(begin()),
        [word] if word == "undo" => Ok(JudgeAct::Undo),
        [word] => match judgement(word) {
            Some(verdict) => Ok(JudgeAct::Say { verdict, event: None }),
            None => Err(Refusal::new(USAGE)),
        },
        _ => Err(Refusal::new(USAGE)),
    }
}

/// A dialogue that was begun goes on.
fn begin() -> JudgeAct {
    let request = JudgeRequest { singly: true, ..JudgeRequest::default() };
    JudgeAct::Begin { request: Box::new(request), is_new: false }
}

fn judgement(word: &str) -> Option<Judgement> {
    Some(match word {
        "valid" | "right" | "yes" => Judgement::Valid,
        "invalid" | "wrong" | "no" => Judgement::Invalid,
        "unknown" => Judgement::Unknown,
        "trusted" => Judgement::TrustFunction,
        _ => return None,
    })
}
