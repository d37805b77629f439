//! What was thrown where control stands: the failure, or what a handler caught later.

use debugger::{Answer, FindRequest, PointText, QuestionKind, ValueType, Where};
use serde_json::json;

use crate::adapter::{Adapter, Body};
use crate::protocol::OfThread;
use crate::refusal::Refusal;

/// What was thrown.
pub struct Thrown {
    /// `TypeError`; of what is no error, what kind of value it is.
    pub kind: String,
    /// As the program would print it.
    pub text: String,
}

impl Adapter {
    pub fn exception_info(&self, of: &OfThread) -> Body {
        let open = self.opened()?;
        if open.is_at_failure(of.thread_id) {
            let message = self.failure_of(of.thread_id).unwrap_or_default();
            let name = type_of(&message).unwrap_or("failure");
            return Ok(json!({"exceptionId": name, "description": message, "breakMode": "unhandled"}));
        }
        if !open.is_at_throw(of.thread_id) {
            return Err(Refusal::new("control did not stop here because something is thrown"));
        }
        let Some(Thrown { kind, text }) = self.thrown_in(of.thread_id) else {
            return Ok(
                json!({"exceptionId": "thrown", "description": "what is thrown here was not recorded", "breakMode": "always"}),
            );
        };
        let details = json!({"typeName": kind, "message": text.strip_prefix(&format!("{kind}: ")).unwrap_or(&text)});
        Ok(json!({"exceptionId": kind, "description": text, "breakMode": "always", "details": details}))
    }

    /// What is thrown where a thread stands.
    pub fn thrown_in(&self, thread: usize) -> Option<Thrown> {
        let PointText::Event(event) = self.open.as_ref()?.moment(thread) else { return None };
        let from = Where { at: Some(PointText::End), thread: Some(thread.to_string()), ..Where::default() };
        let after = event.checked_sub(1).map(PointText::Event);
        let request = FindRequest { kind: Some("throw".into()), after, ..FindRequest::default() };
        let Answer::Find(found) = self.ask(QuestionKind::Find(request), from).ok()?.answer else { return None };
        let value = found.items.into_iter().find(|found| found.point.event == event)?.value?;
        // An object has its number before its text.
        let numbered = value.object.map(|object| format!("#{object} "));
        let text = numbered.and_then(|number| value.text.strip_prefix(&number)).unwrap_or(&value.text).to_owned();
        let kind = match value.kind {
            ValueType::Object => type_of(&text).unwrap_or("object"),
            kind => kind.name(),
        };
        Some(Thrown { kind: kind.to_owned(), text })
    }
}

/// The name with which the words of an error begin.
fn type_of(words: &str) -> Option<&str> {
    let name = words.split(':').next()?;
    let is_name =
        name.starts_with(|c: char| c.is_alphabetic()) && name.chars().all(|c| c.is_alphanumeric() || "_$.".contains(c));
    is_name.then_some(name)
}
