//! The names that V8 infers for functions which have none, and shows in stack traces: `api.f` for `api.f = function () {}`.
//!
//! V8's parser keeps two lists (`func-name-inferrer.h`): the names that it met, and the functions that wait for one. Where it begins
//! an expression, a declaration, a parameter or a property, it remembers how many names there are, and at the end it takes those off
//! that came since. A function joins the waiting ones when it is parsed. An assignment, a declaration and a property give all of them
//! the names that are on the list then; a call takes away the one that came last, since `a = b(function () {})` says nothing about it.
//!
//! The lists belong to a *parse*, not to a function. A function is only skimmed at first, and parsed when it is called, with new lists.
//! An arrow function is parsed with what is around it, but compiled when it is called, so its text is parsed twice, and the
//! functions in it are named by the second parse, while those that wait around it are named by the first. What stands where a call is
//! likely (`(function () {…})`) is parsed and compiled at once.
//!
//! So the names cannot be read off the place of a function: each parse is followed here, on the tree, in the order of V8's parser.

mod expressions;
mod functions;
mod instrumented;
mod patterns;
mod statements;

#[cfg(test)]
mod tests;

use js_syntax::SourceKind;
use oxc_allocator::Allocator;
use oxc_ast::ast::*;

use crate::{NotInstrumented, on_deep_stack};
use functions::Literal;
pub use instrumented::Renamed;

/// What differs between versions of V8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The condition of `a ? b : c ? d : e` that follows another ends its names.
    pub conditions_in_chains_end: bool,
    /// An arrow function in parentheses is compiled at once.
    pub compiles_arrows_in_parentheses: bool,
}

impl Rules {
    /// Of V8 with this major version.
    pub fn of(version: u32) -> Rules {
        Rules { conditions_in_chains_end: version >= 12, compiles_arrows_in_parentheses: version >= 13 }
    }
}

/// A function without a name of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackName {
    /// Where V8 says that the function begins, as a byte of the text.
    pub start: u32,
    /// Empty if nothing can be inferred.
    pub name: String,
}

/// Those of a text, in the order of their beginnings.
pub fn stack_names(source: &str, kind: SourceKind, rules: Rules) -> Result<Vec<StackName>, NotInstrumented> {
    on_deep_stack(source, || {
        let allocator = Allocator::default();
        let program = js_syntax::parse_only(&allocator, source, kind).map_err(NotInstrumented::SyntaxError)?;
        let mut names = functions::names(program, source, kind, rules);
        names.sort_by_key(|name| name.start);
        Ok(names)
    })
}

/// One parse of V8.
struct Parse<'a> {
    source: &'a str,
    rules: Rules,
    names: Vec<Name<'a>>,
    /// Functions that wait for a name, as places in `literals`.
    waiting: Vec<usize>,
    /// How many beginnings are remembered. Where there is none, no names are collected.
    open: u32,
    literals: Vec<Literal<'a>>,
    /// The one that is being parsed.
    around: Option<usize>,
    /// Functions that are not called at once are skimmed.
    skims: bool,
    /// In a script, outside of functions and blocks: arrow functions are skimmed, too.
    is_outermost: bool,
    called: LikelyCalled,
    /// Where something begins that stands first in parentheses.
    first_in_parentheses: Option<u32>,
}

/// Whether functions right in the one that is parsed are taken for such that are called at once.
#[derive(Clone, Copy, Default)]
struct LikelyCalled {
    next: bool,
    previous: bool,
}

#[derive(Clone, Copy)]
enum Name<'a> {
    Constructor(&'a str),
    Key(&'a str),
    Variable(&'a str),
}

const COMPUTED: &str = "<computed>";

/// What V8's parser asks of an expression that it has parsed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Function(usize),
    Class(usize),
    Call,
    Other,
}

impl<'a> Parse<'a> {
    /// Names that are met inside are taken off at the end.
    fn state<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) -> R {
        let n_names = self.names.len();
        self.open += 1;
        let result = inside(self);
        self.names.truncate(n_names);
        self.open -= 1;
        result
    }

    fn variable(&mut self, name: &'a str) {
        if self.open > 0 {
            self.names.push(Name::Variable(name));
        }
    }

    fn key(&mut self, name: &'a str) {
        if self.open > 0 && name != "prototype" {
            self.names.push(Name::Key(name));
        }
    }

    fn constructor(&mut self, name: &'a str) {
        if name.starts_with(char::is_uppercase) {
            self.names.push(Name::Constructor(name));
        }
    }

    fn wait(&mut self, literal: usize) {
        if self.open > 0 {
            self.waiting.push(literal);
        }
    }

    /// What came last gets no name.
    fn remove_last(&mut self) {
        if self.open > 0 {
            self.waiting.pop();
        }
    }

    fn infer(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let name = self.whole_name();
        for literal in self.waiting.drain(..) {
            self.literals[literal].inferred.clone_from(&name);
        }
    }

    /// A call says nothing of its arguments, everything else names what waits.
    fn infer_from(&mut self, value: Value) {
        if value == Value::Call { self.remove_last() } else { self.infer() }
    }

    fn whole_name(&self) -> String {
        let mut parts: Vec<&str> = Vec::new();
        for (at, name) in self.names.iter().enumerate() {
            match (name, self.names.get(at + 1)) {
                (Name::Variable(_), Some(Name::Variable(_))) => {}
                (Name::Variable(text) | Name::Key(text) | Name::Constructor(text), _) => parts.push(text),
            }
        }
        parts.join(".")
    }

    /// As `called`, with the flags of another function.
    fn in_function_state<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) -> R {
        let outer = LikelyCalled { next: false, previous: self.called.next };
        self.called = LikelyCalled::default();
        let result = inside(self);
        self.called = outer;
        result
    }

    /// What is inside is not the outermost code.
    fn in_block<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.is_outermost, false);
        let result = inside(self);
        self.is_outermost = before;
        result
    }

    fn own_name(&mut self, value: Value, name: &'a str) {
        if let Value::Function(literal) | Value::Class(literal) = value {
            self.literals[literal].own.get_or_insert(name);
        }
    }

    /// Whether `function` is the next word there.
    fn is_function_at(&self, start: u32) -> bool {
        begins_with_word(&self.source[start as usize..], "function")
    }

    fn is_async_function_at(&self, start: u32) -> bool {
        let rest = &self.source[start as usize..];
        begins_with_word(rest, "async") && begins_with_word(rest["async".len()..].trim_start(), "function")
    }
}

fn begins_with_word(text: &str, word: &str) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '\\' | '\u{200c}' | '\u{200d}');
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_of_word))
}

/// The text of a key that is written out.
fn key_text<'a>(key: &PropertyKey<'a>, source: &'a str) -> Option<&'a str> {
    Some(match key {
        PropertyKey::StaticIdentifier(name) => name.name.as_str(),
        PropertyKey::PrivateIdentifier(name) => &source[name.span.start as usize..name.span.end as usize],
        PropertyKey::StringLiteral(text) => text.value.as_str(),
        PropertyKey::NumericLiteral(number) => &source[number.span.start as usize..number.span.end as usize],
        PropertyKey::BigIntLiteral(number) => number.value.as_str(),
        _ => return None,
    })
}
