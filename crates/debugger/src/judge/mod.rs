//! Declarative debugging of a run: questions as plain data, verdicts kept with the run, answers that cost the person nothing.

mod automatic;
mod begin;
mod ending;
mod passing;
mod pointing;
mod question;
mod verdicts;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use query::judge::{
    CallEffects, Fingerprint, FunctionNumber, Given, Node, Relevance, Scratch, Seen, Strategy as Order, Suspects, Tree,
    Verdict, around, effects, fingerprint, next_question, overruled,
};

use crate::{Error, PointText, RunChoice, Session, Standpoint};
use passing::Reference;
use verdicts::{Store, Trust};

pub use ending::{FoundCall, Step};
pub use question::{ArgumentShown, CallRef, ChangeShown, EndShown, ObjectShown, QuestionShown, VariableShown};
pub use verdicts::{ConflictShown, VerdictShown};

/// How to search.
#[derive(Clone, Debug, Default)]
pub struct JudgeRequest {
    pub strategy: Strategy,
    pub thread: Option<String>,
    /// A place that holds something wrong at a point.
    pub wrong: Option<String>,
    pub at: Option<PointText>,
    /// Runs of the same code in which all was well.
    pub passing: Vec<RunChoice>,
    /// Runs whose calls were all right: same inputs, same effects.
    pub against: Vec<RunChoice>,
    /// Judge what is in `node_modules` as well.
    pub distrust: bool,
    /// Functions, files or packages that are right.
    pub trust: Vec<String>,
    /// Automatic verdicts that are not wanted.
    pub without: Vec<Automatic>,
    /// Forget the verdicts that were given before.
    pub is_fresh: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    TopDown,
    Divide,
    Edges,
    DefUse,
    #[default]
    Slice,
}

/// Verdicts that nobody has to give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Automatic {
    /// The same question was answered before.
    Identical,
    /// A reference run answers it.
    Against,
    /// Types that the source declares.
    Types,
    /// Assertions in the source.
    Assertions,
}

impl Automatic {
    pub const ALL: [Automatic; 4] = [Automatic::Identical, Automatic::Against, Automatic::Types, Automatic::Assertions];
}

/// What a person says of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Valid,
    Invalid,
    Unknown,
    /// All calls of the function are right, whatever they called.
    TrustFunction,
    TrustFile,
    /// The package of `node_modules` that it is in, or else its file.
    TrustPackage,
}

/// What comes next.
pub enum Next {
    Ask(Box<QuestionShown>),
    /// One call is wrong, and all that it received and called was right.
    Found(Box<FoundCall>),
    /// One of these is wrong, and nobody knows which.
    Unsure(Vec<CallRef>),
    /// Nothing is suspicious any more.
    Nothing,
}

pub struct Judge<'s> {
    session: &'s Session,
    stand: Standpoint<'s>,
    tree: Tree,
    /// By function.
    trusted: Vec<bool>,
    relevance: Relevance,
    /// The same without the places that were pointed at.
    unpointed: Relevance,
    strategy: Strategy,
    without: Vec<Automatic>,
    distrust: bool,
    store: Store,
    /// Of this session: what was inferred is not kept.
    inferred: Vec<(Given, String)>,
    references: Vec<Reference>,
    n_asked: usize,
    seen: Seen,
    scratch: Scratch,
    prints: RefCell<HashMap<Node, Fingerprint>>,
    /// What was found out last: it is asked for more than once.
    newest: RefCell<Option<Rc<CallEffects>>>,
}

impl<'s> Judge<'s> {
    /// The next question, or the end. Questions that answer themselves are passed over.
    pub fn next_question(&mut self) -> Result<Next, Error> {
        loop {
            let given = self.given();
            let suspects = Suspects::new(&self.tree, &self.trusted, &given);
            if let Some(found) = suspects.found() {
                return Ok(Next::Found(Box::new(self.found(found))));
            }
            let order = self.strategy.order();
            let Some(node) = next_question(&self.tree, &suspects, &given, order, &self.relevance, &mut self.scratch)
            else {
                let left: Vec<Node> = suspects.iter().collect();
                return Ok(match left.is_empty() {
                    true => Next::Nothing,
                    false => Next::Unsure(left.into_iter().map(|node| self.call_ref(node)).collect()),
                });
            };
            let n_suspicious = suspects.len();
            if let Some((verdict, why)) = self.automatic(node) {
                self.inferred.push((Given { node, verdict }, why));
                continue;
            }
            let Some(call) = self.effects(node) else {
                // Its entry was not kept: nobody can judge it.
                self.inferred.push((Given { node, verdict: Verdict::Unknown }, "its entry is not kept".into()));
                continue;
            };
            return Ok(Next::Ask(Box::new(self.question(&call, n_suspicious))));
        }
    }

    /// Takes an answer to a question.
    pub fn answer(&mut self, question: &QuestionShown, answer: Answer) -> Result<(), Error> {
        let node = question.node;
        self.n_asked += 1;
        let call = self.call_ref(node);
        match answer {
            Answer::Valid => self.give(node, Verdict::Valid, &call)?,
            Answer::Invalid => self.give(node, Verdict::Invalid, &call)?,
            Answer::Unknown => self.give(node, Verdict::Unknown, &call)?,
            Answer::TrustFunction => {
                self.trust(Trust::Function { name: call.function.clone(), file: call.file.clone() })?
            }
            Answer::TrustFile => self.trust(Trust::File(call.file.clone()))?,
            Answer::TrustPackage => self.trust(match package_of(&call.file) {
                Some(package) => Trust::Package(package.to_owned()),
                None => Trust::File(call.file.clone()),
            })?,
        }
        Ok(())
    }

    fn give(&mut self, node: Node, verdict: Verdict, call: &CallRef) -> Result<(), Error> {
        self.store.add_verdict(self.stand.number, self.tree.entered(node).0, verdict, call)?;
        self.infer_identical(node, verdict);
        Ok(())
    }

    fn trust(&mut self, trust: Trust) -> Result<(), Error> {
        self.store.add_trust(trust)?;
        self.trusted = self.find_trusted();
        Ok(())
    }

    /// Takes back the newest answer; what was inferred is found anew. Says what it was.
    pub fn undo(&mut self) -> Result<Option<String>, Error> {
        let taken = self.store.undo()?;
        if taken.is_some() {
            self.n_asked = self.n_asked.saturating_sub(1);
            self.inferred.clear();
            self.trusted = self.find_trusted();
            if self.strategy == Strategy::Slice {
                self.point_again();
            }
            self.infer_broken_types();
            for given in self.store.given(&self.tree, self.stand.number) {
                self.infer_identical(given.node, given.verdict);
            }
        }
        Ok(taken)
    }

    /// How many calls are suspicious, and how many there are.
    pub fn n_suspicious(&self) -> (usize, usize) {
        (Suspects::new(&self.tree, &self.trusted, &self.given()).len(), self.tree.len())
    }

    /// How many calls are of trusted functions.
    pub fn n_trusted(&self) -> usize {
        self.tree.nodes().filter(|node| self.trusted[self.tree.function(*node).0 as usize]).count()
    }

    pub fn n_asked(&self) -> usize {
        self.n_asked
    }

    /// All verdicts, as they stand, with who gave them.
    pub fn verdicts(&self) -> Vec<VerdictShown> {
        let kept = self.store.given(&self.tree, self.stand.number);
        let mut shown: Vec<VerdictShown> = kept.iter().map(|given| self.verdict(given, "you said so")).collect();
        shown.extend(self.automatic_verdicts(0));
        shown.extend(self.store.trusts().map(|trust| VerdictShown {
            call: None,
            what: trust.text(),
            why: "you said so".into(),
        }));
        shown
    }

    /// Verdicts that nobody had to give, but for the first so many.
    pub fn automatic_verdicts(&self, n_known: usize) -> Vec<VerdictShown> {
        self.inferred.iter().skip(n_known).map(|(given, why)| self.verdict(given, why)).collect()
    }

    fn verdict(&self, given: &Given, why: &str) -> VerdictShown {
        VerdictShown {
            call: Some(self.call_ref(given.node)),
            what: verdicts::word(given.verdict).into(),
            why: why.into(),
        }
    }

    /// Verdicts that contradict each other: the newer one stands.
    pub fn conflicts(&self) -> Vec<ConflictShown> {
        let given = self.given();
        let told = |given: &Given| format!("{} is {}", self.call_ref(given.node).text(), verdicts::word(given.verdict));
        overruled(&self.tree, &given)
            .into_iter()
            .map(|conflict| ConflictShown { older: told(&given[conflict.older]), newer: told(&given[conflict.newer]) })
            .collect()
    }

    /// The verdicts as they are kept.
    pub fn export(&self) -> String {
        self.store.text()
    }

    pub fn notes(&self) -> Vec<String> {
        self.stand.notes()
    }

    fn given(&self) -> Vec<Given> {
        // What was inferred never overrules what a person said.
        let inferred = self.inferred.iter().map(|(given, _)| *given);
        inferred.chain(self.store.given(&self.tree, self.stand.number)).collect()
    }

    fn effects(&self, node: Node) -> Option<Rc<CallEffects>> {
        if let Some(known) = self.newest.borrow().as_ref().filter(|known| known.node == node) {
            return Some(known.clone());
        }
        let call = Rc::new(effects(&self.stand.trace, &self.tree, node, &self.seen)?);
        *self.newest.borrow_mut() = Some(call.clone());
        Some(call)
    }

    fn print(&self, node: Node) -> Option<Fingerprint> {
        if let Some(known) = self.prints.borrow().get(&node) {
            return Some(*known);
        }
        let call = self.effects(node)?;
        let print = fingerprint(&call, &around(&self.stand.trace, &call, &self.seen));
        self.prints.borrow_mut().insert(node, print);
        Some(print)
    }

    fn path_of(&self, function: FunctionNumber) -> Option<String> {
        let function = self.tree.functions()[function.0 as usize];
        Some(self.stand.trace.thread.code().unit(function.unit)?.record.path.clone())
    }
}

impl Strategy {
    pub const ALL: [Strategy; 5] =
        [Strategy::TopDown, Strategy::Divide, Strategy::Edges, Strategy::DefUse, Strategy::Slice];

    pub fn name(self) -> &'static str {
        self.order().name()
    }

    fn order(self) -> Order {
        match self {
            Strategy::TopDown => Order::TopDown,
            Strategy::Divide => Order::Divide,
            Strategy::Edges => Order::Edges,
            Strategy::DefUse => Order::DefUse,
            Strategy::Slice => Order::Slice,
        }
    }
}

/// The package of `node_modules` that a file is in.
pub(crate) fn package_of(path: &str) -> Option<&str> {
    let start = path.rfind("node_modules/")? + "node_modules/".len();
    let inside = &path[start..];
    let n_parts = if inside.starts_with('@') { 2 } else { 1 };
    let end = inside.match_indices('/').nth(n_parts - 1).map_or(inside.len(), |(at, _)| at);
    Some(&inside[..end])
}
