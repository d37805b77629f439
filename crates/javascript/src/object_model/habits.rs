//! What methods and words mean that every JavaScript program uses.

use trace_model::{CallThrough, EntryAccess, Habits};

use crate::JavaScript;

impl Habits for JavaScript {
    fn stores_what_is_given(&self, built_in: &str) -> bool {
        built_in == "JSON.parse"
    }

    fn folds(&self, method: &str) -> bool {
        matches!(method, "reduce" | "reduceRight")
    }

    fn fills(&self, method: &str) -> bool {
        matches!(method, "push" | "unshift" | "splice" | "set" | "add")
    }

    fn joins_with(&self, method: &str) -> Option<&'static str> {
        (method == "join").then_some(",")
    }

    fn calls_through(&self, method: &str) -> Option<CallThrough> {
        match method {
            "call" => Some(CallThrough::Arguments),
            "apply" => Some(CallThrough::List),
            _ => None,
        }
    }

    fn entry_access(&self, method: &str) -> Option<EntryAccess> {
        match method {
            "get" => Some(EntryAccess::Value),
            "has" => Some(EntryAccess::Presence),
            _ => None,
        }
    }

    fn text_of_entry(&self, owner: &str, key: &str, access: EntryAccess) -> String {
        match access {
            EntryAccess::Value => format!("{owner}.get({key})"),
            EntryAccess::Presence => format!("{owner}.has({key})"),
        }
    }

    fn evaluates(&self, name: &str) -> bool {
        name == "eval"
    }

    fn leads_out(&self, text: &str) -> bool {
        ["return", "throw", "continue", "break"].iter().any(|word| text.starts_with(word))
    }

    fn ends_with_return(&self, text: &str) -> bool {
        text.ends_with("return")
    }

    fn is_of_parent_class(&self, text: &str) -> bool {
        text.starts_with("super")
    }

    fn receiver_name(&self) -> &'static str {
        "this"
    }

    fn arguments_name(&self) -> &'static str {
        "arguments"
    }

    fn is_exports(&self, parameter: &str) -> bool {
        parameter == "exports"
    }

    /// What is compiled on its way is not text that can be exchanged.
    fn can_be_changed(&self, path: &str) -> bool {
        ![".ts", ".tsx", ".mts", ".cts", ".jsx"].iter().any(|ending| path.ends_with(ending))
    }
}
