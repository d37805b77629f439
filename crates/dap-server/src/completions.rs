//! What can be typed into the console: the words of questions, and names that are seen from here.

use debugger::{Answer, PageRequest, QuestionKind, Where};
use serde_json::{Value, json};

use crate::adapter::{Adapter, Body};
use crate::console::WORDS;
use crate::protocol::CompletionsArguments;

impl Adapter {
    pub fn completions(&self, asked: &CompletionsArguments) -> Body {
        let n_before = asked.column.saturating_sub(usize::from(self.client.columns_start_at_1));
        let typed: String = asked.text.chars().take(n_before).collect();
        let begun = typed.rsplit(|c: char| !c.is_alphanumeric() && c != '_' && c != '$' && c != '-').next();
        let begun = begun.unwrap_or_default();
        let is_first = typed.trim_start() == begun;
        let words = WORDS.iter().filter(|_| is_first).map(|(word, _)| *word).filter(|word| word.starts_with(begun));
        let mut targets: Vec<Value> = words.map(|word| json!({"label": word, "type": "keyword"})).collect();
        let names = self.names_seen(asked.frame_id);
        let names = names.iter().filter(|name| name.starts_with(begun));
        targets.extend(names.map(|name| json!({"label": name, "type": "variable"})));
        Ok(json!({"targets": targets}))
    }

    fn names_seen(&self, frame: Option<i64>) -> Vec<String> {
        let Ok(Some(frame)) = self.frame_or_innermost(frame) else { return Vec::new() };
        let Ok(Answer::Scopes(scopes)) =
            self.ask(QuestionKind::Scopes { frame: Some(frame) }, Where::default()).map(|reply| reply.answer)
        else {
            return Vec::new();
        };
        let mut names = Vec::new();
        for scope in scopes {
            let kind = QuestionKind::Children { of: scope.handle, page: PageRequest::first(MOST_NAMES) };
            if let Ok(Answer::Children(children)) = self.ask(kind, Where::default()).map(|reply| reply.answer) {
                names.extend(children.items.into_iter().map(|child| child.name));
            }
        }
        names
    }
}

const MOST_NAMES: usize = 200;
