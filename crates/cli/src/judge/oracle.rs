use std::io::Write;
use std::process::{Command, Stdio};

use debugger::{Judgement, QuestionShown};

use super::conduct::{Person, Reply};
use super::json;
use crate::failure::Failure;

/// A command that answers: the question as JSON on its stdin, a word on its stdout.
pub struct Oracle {
    command: String,
}

impl Oracle {
    pub fn new(command: &str) -> Oracle {
        Oracle { command: command.to_owned() }
    }
}

impl Person for Oracle {
    fn reply(&mut self, question: &QuestionShown) -> Result<Reply, Failure> {
        let failed = |why: String| Failure::could_not_run(format!("the oracle `{}` {why}", self.command));
        let text = serde_json::to_string(&json::question(question)).expect("plain data can be written");
        let mut child = Command::new("sh")
            .args(["-c", &self.command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed(format!("could not be started: {error}")))?;
        if let Some(mut stdin) = child.stdin.take() {
            // One that does not read the question may answer all the same.
            let _ = stdin.write_all(text.as_bytes());
        }
        let output = child.wait_with_output().map_err(|error| failed(format!("could not be waited for: {error}")))?;
        let said = String::from_utf8_lossy(&output.stdout);
        match reply_of(&said) {
            Some(reply) => Ok(reply),
            None => Err(failed(format!(
                "said {:?} ({}); it should say valid, invalid, trusted or unknown",
                said.trim(),
                output.status
            ))),
        }
    }

    fn reads(&self) -> bool {
        false
    }
}

/// `valid`, or `invalid this.items[2]`: with the place that is wrong.
pub fn reply_of(said: &str) -> Option<Reply> {
    let mut words = said.split_whitespace();
    let answer = answer_of(words.next()?)?;
    Some(match words.next() {
        Some(place) if answer == Judgement::Invalid => Reply::Wrong(place.to_owned()),
        _ => Reply::Answer(answer),
    })
}

/// The answer that a word means.
pub fn answer_of(word: &str) -> Option<Judgement> {
    Some(match word.to_ascii_lowercase().as_str() {
        "v" | "valid" => Judgement::Valid,
        "i" | "invalid" => Judgement::Invalid,
        "t" | "trusted" | "trusted-function" => Judgement::TrustFunction,
        "trusted-file" => Judgement::TrustFile,
        "trusted-package" => Judgement::TrustPackage,
        "d" | "unknown" | "don't-know" => Judgement::Unknown,
        _ => return None,
    })
}

/// The word for an answer.
pub fn word_of(answer: Judgement) -> &'static str {
    match answer {
        Judgement::Valid => "valid",
        Judgement::Invalid => "invalid",
        Judgement::TrustFunction => "trusted",
        Judgement::TrustFile => "trusted-file",
        Judgement::TrustPackage => "trusted-package",
        Judgement::Unknown => "unknown",
    }
}
