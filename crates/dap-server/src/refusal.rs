//! Why a request is not answered: a sentence, and a name that programs know it by.

use debugger::Error;

#[derive(Debug)]
pub struct Refusal {
    /// `cancelled`, `notStopped`, or the name of the error.
    pub id: String,
    pub number: i64,
    pub sentence: String,
}

/// There is nothing behind the numbers but that clients want one.
const OURS: i64 = 1;
const OF_THE_RUN: i64 = 2;

impl Refusal {
    pub fn new(sentence: impl Into<String>) -> Refusal {
        Refusal { id: "refused".into(), number: OURS, sentence: sentence.into() }
    }

    pub fn nothing_open() -> Refusal {
        Refusal { id: "notStopped".into(), number: OURS, sentence: "no run is open yet".into() }
    }

    pub fn wrong(command: &str, why: impl std::fmt::Display) -> Refusal {
        Refusal::new(format!("the arguments of {command} are not as they should be: {why}"))
    }

    /// What a client shows that does not look further: the protocol has words for some, and else the sentence says it.
    pub fn message(&self) -> &str {
        match self.id.as_str() {
            id @ ("cancelled" | "notStopped") => id,
            _ => &self.sentence,
        }
    }

    /// In a format, braces hold the names of variables.
    pub fn escaped(&self) -> String {
        self.sentence.replace('{', "(").replace('}', ")")
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        let id = if error == Error::Cancelled { "cancelled" } else { error.id() };
        Refusal { id: id.into(), number: OF_THE_RUN, sentence: error.to_string() }
    }
}
