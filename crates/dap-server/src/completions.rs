//! What can be typed into the console: the words of questions, names that are seen from here, and behind a point what an object holds. Nothing is
//! run for it, so of a getter there is the name.

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
        if let Some(owner) = owner_before(&typed[..typed.len() - begun.len()]) {
            let names = self.names_inside(owner, asked.frame_id);
            let names = names.iter().filter(|name| name.starts_with(begun));
            let targets: Vec<Value> = names.map(|name| json!({"label": name, "type": "property"})).collect();
            return Ok(json!({"targets": targets}));
        }
        let is_first = typed.trim_start() == begun;
        let words = WORDS.iter().filter(|_| is_first).map(|(word, _)| *word).filter(|word| word.starts_with(begun));
        let mut targets: Vec<Value> = words.map(|word| json!({"label": word, "type": "keyword"})).collect();
        let names = self.names_seen(asked.frame_id);
        let names = names.iter().filter(|name| name.starts_with(begun));
        targets.extend(names.map(|name| json!({"label": name, "type": "variable"})));
        Ok(json!({"targets": targets}))
    }

    /// What can stand behind an expression and a point: what its value holds under names.
    fn names_inside(&self, owner: &str, frame: Option<i64>) -> Vec<String> {
        let Ok(Some(frame)) = self.frame_or_innermost(frame) else { return Vec::new() };
        let from = Where { frame: Some(frame.clone()), ..Where::default() };
        let eval = QuestionKind::Eval { expression: Some(owner.to_owned()) };
        let Ok(Answer::Eval(value)) = self.ask(eval, from).map(|reply| reply.answer) else { return Vec::new() };
        let Some(object) = value.object.and_then(|object| frame.of_object(object)) else { return Vec::new() };
        // What has a name stands behind the elements of a list.
        let Ok(children) = self.named(&object, value.elements, 0, MOST_NAMES as u64) else { return Vec::new() };
        // An entry of a Map is not behind a point, although its access begins with one.
        let name = |access: &str| access.strip_prefix('.').filter(|name| !name.contains('(')).map(str::to_owned);
        children.iter().filter_map(|child| name(child.access.as_ref()?)).collect()
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

/// The expression that the point at the end of a text is behind: `x[0].y` of `why x[0].y.`
fn owner_before(typed: &str) -> Option<&str> {
    let typed = typed.strip_suffix('.')?;
    let typed = typed.strip_suffix('?').unwrap_or(typed);
    // What is in brackets or quotes is part of it, whatever it is.
    let (mut closed, mut quote, mut start) = (Vec::new(), None, typed.len());
    for (at, c) in typed.char_indices().rev() {
        match (c, quote) {
            (c, Some(open)) => {
                if c == open {
                    quote = None;
                }
            }
            ('"' | '\'' | '`', None) if !closed.is_empty() => quote = Some(c),
            (')', None) => closed.push('('),
            (']', None) => closed.push('['),
            ('(' | '[', None) => {
                if closed.pop() != Some(c) {
                    break;
                }
            }
            (_, None) if !closed.is_empty() => {}
            (c, None) if c.is_alphanumeric() || "_$#.?".contains(c) => {}
            _ => break,
        }
        start = at;
    }
    let owner = &typed[start..];
    (!owner.is_empty() && closed.is_empty() && quote.is_none()).then_some(owner)
}

const MOST_NAMES: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expression_before_a_point() {
        let owner = |typed: &'static str| owner_before(typed);
        assert_eq!(owner("x."), Some("x"));
        assert_eq!(owner("why x[0].y."), Some("x[0].y"));
        assert_eq!(owner("a + f(b, 'c)').d?."), Some("f(b, 'c)').d"));
        assert_eq!(owner("m.get(\"k\")."), Some("m.get(\"k\")"));
        assert_eq!(owner("[1, (#17."), Some("#17"));
        assert_eq!([owner("x"), owner("."), owner("x)."), owner("")], [None, None, None, None]);
    }
}
