//! Declarative debugging of a run: questions as plain data, verdicts kept with the run, answers that cost the person nothing.

mod automatic;
mod begin;
mod ending;
mod passing;
mod pointing;
mod question;
mod room;
mod table;
mod verdicts;

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use query::judge::{
    Ask, CallEffects, Fingerprint, FunctionNumber, Given, Node, Relevance, Scratch, Seen, Strategy as Order, Suspects,
    Tables, Tree, Verdict, around, effects, fingerprint, next_question, overruled,
};

use crate::{Error, Moment, PointText, RunChoice, Session};
use passing::Reference;
use verdicts::{Store, Trust};

pub use ending::{CallStep, FoundCall};
pub use question::{ArgumentShown, CallRef, ChangeShown, EndShown, ObjectShown, QuestionShown, VariableShown};
pub use room::{JudgeAct, JudgeRoom};
pub use table::{InputPlacement, InputShown, TableShown};
pub(crate) use verdicts::are_sound;
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
    /// Judge the code of libraries as well.
    pub distrust: bool,
    /// Functions, files or packages that are right.
    pub trust: Vec<String>,
    /// Automatic verdicts that are not wanted.
    pub without: Vec<Automatic>,
    /// Forget the verdicts that were given before.
    pub is_fresh: bool,
    /// Every call is a question of its own.
    pub singly: bool,
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
pub enum Judgement {
    Valid,
    Invalid,
    Unknown,
    /// All calls of the function are right, whatever they called.
    TrustFunction,
    TrustFile,
    /// The package that it is of, or else its file.
    TrustPackage,
}

/// What comes next.
#[derive(Clone, Debug)]
pub enum Next {
    Ask(Box<QuestionShown>),
    /// Calls of one function: which is the first that is wrong, if one is?
    AskTable(Box<TableShown>),
    /// One call is wrong, and all that it received and called was right.
    Found(Box<FoundCall>),
    /// One of these is wrong, and nobody knows which.
    Unsure(Vec<CallRef>),
    /// Nothing is suspicious any more.
    Nothing,
}

pub struct Judge<'s> {
    session: &'s Session,
    moment: Moment<'s>,
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
    n_judged: usize,
    /// By answer of this session: how many lines it is in what is kept.
    answered: Vec<usize>,
    tables: Tables,
    notes: Vec<String>,
    seen: Seen,
    scratch: Scratch,
    prints: RefCell<HashMap<Node, Fingerprint>>,
    /// What was found out lately: it is asked for more than once.
    newest: RefCell<VecDeque<Rc<CallEffects>>>,
}

/// What so many calls did is kept at hand: as much as a table may need.
const MOST_KEPT: usize = 64;

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
            let (relevance, tables, scratch) = (&self.relevance, &self.tables, &mut self.scratch);
            let Some(ask) = next_question(&self.tree, &suspects, &given, order, relevance, tables, scratch) else {
                let left: Vec<Node> = suspects.iter().collect();
                return Ok(match left.is_empty() {
                    true => Next::Nothing,
                    false => Next::Unsure(left.into_iter().map(|node| self.call_ref(node)).collect()),
                });
            };
            let n_suspicious = suspects.len();
            let node = match ask {
                Ask::Call(node) => node,
                Ask::Table(group) => match self.tabled(&group, n_suspicious) {
                    Some(table) => return Ok(Next::AskTable(Box::new(table))),
                    None => continue,
                },
            };
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

    /// The call that was entered by an event, whether it would be asked about or not: a person may judge any call.
    pub fn about(&self, entered: u64) -> Option<QuestionShown> {
        let call = self.effects(self.tree.entered_at(trace_model::EventId(entered))?)?;
        Some(self.question(&call, self.n_suspicious().0))
    }

    /// Takes an answer to a question.
    pub fn answer(&mut self, question: &QuestionShown, answer: Judgement) -> Result<(), Error> {
        self.take(&[(question, answer)])
    }

    /// Takes what was said of the rows of a table, as one answer. Nothing is known of a row of which nothing was said.
    pub fn answer_table(&mut self, table: &TableShown, rows: &[Option<Judgement>]) -> Result<(), Error> {
        let said: Vec<(&QuestionShown, Judgement)> =
            table.rows.iter().zip(rows).filter_map(|(row, answer)| Some((row, (*answer)?))).collect();
        self.take(&said)
    }

    /// From now on, calls of the function of a table are questions of their own.
    pub fn ask_singly(&mut self, table: &TableShown) {
        if let Some(row) = table.rows.first() {
            self.tables.ask_singly(self.tree.function(row.node));
        }
    }

    fn take(&mut self, said: &[(&QuestionShown, Judgement)]) -> Result<(), Error> {
        let (mut given, mut lines) = (Vec::new(), Vec::new());
        let mut trusts = Vec::new();
        for (question, answer) in said {
            let call = self.call_ref(question.node);
            let verdict = match answer {
                Judgement::Valid => Verdict::Valid,
                Judgement::Invalid => Verdict::Invalid,
                Judgement::Unknown => Verdict::Unknown,
                Judgement::TrustFunction | Judgement::TrustFile | Judgement::TrustPackage => {
                    let package = self.moment.package_of_file(&call.file);
                    trusts.push(trust_of(*answer, &call, package));
                    continue;
                }
            };
            given.push(Given { node: question.node, verdict });
            lines.push((call.event, verdict, call));
        }
        self.n_asked += 1;
        self.n_judged += said.len();
        self.answered.push(lines.len() + trusts.len());
        self.store.add_verdicts(self.moment.number, &lines)?;
        for trust in trusts {
            self.store.add_trust(trust)?;
            self.trusted = self.find_trusted();
        }
        self.infer_identical(&given);
        Ok(())
    }

    /// Takes back the newest answer; what was inferred is found anew. Says what it was.
    pub fn undo(&mut self) -> Result<Option<String>, Error> {
        // Of an earlier session it is not known which verdicts were one answer.
        let n_lines = self.answered.pop().unwrap_or(1);
        let taken = self.store.undo(n_lines)?;
        if taken.is_some() {
            self.n_asked = self.n_asked.saturating_sub(1);
            self.n_judged = self.n_judged.saturating_sub(n_lines);
            self.inferred.clear();
            self.trusted = self.find_trusted();
            if self.strategy == Strategy::Slice {
                self.point_again();
            }
            self.infer_broken_types();
            for given in self.store.given(&self.tree, self.moment.number) {
                self.infer_identical(&[given]);
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

    /// On how many calls somebody gave a verdict: a table is one question about many.
    pub fn n_judged(&self) -> usize {
        self.n_judged
    }

    /// All verdicts, as they stand, with who gave them.
    pub fn verdicts(&self) -> Vec<VerdictShown> {
        let kept = self.store.given(&self.tree, self.moment.number);
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
        self.notes.iter().cloned().chain(self.moment.notes()).collect()
    }

    fn given(&self) -> Vec<Given> {
        // What was inferred never overrules what a person said.
        let inferred = self.inferred.iter().map(|(given, _)| *given);
        inferred.chain(self.store.given(&self.tree, self.moment.number)).collect()
    }

    fn effects(&self, node: Node) -> Option<Rc<CallEffects>> {
        if let Some(known) = self.newest.borrow().iter().find(|known| known.node == node) {
            return Some(known.clone());
        }
        let call = Rc::new(effects(&self.moment.trace, &self.tree, node, &self.seen)?);
        let mut newest = self.newest.borrow_mut();
        newest.truncate(MOST_KEPT - 1);
        newest.push_front(call.clone());
        Some(call)
    }

    fn print(&self, node: Node) -> Option<Fingerprint> {
        if let Some(known) = self.prints.borrow().get(&node) {
            return Some(*known);
        }
        let call = self.effects(node)?;
        let print = fingerprint(&call, &around(&self.moment.trace, &call, &self.seen));
        self.prints.borrow_mut().insert(node, print);
        Some(print)
    }

    fn path_of(&self, function: FunctionNumber) -> Option<String> {
        let function = self.tree.functions()[function.0 as usize];
        Some(self.moment.trace.thread.code().unit(function.unit)?.record.path.clone())
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

fn trust_of(answer: Judgement, call: &CallRef, package: Option<String>) -> Trust {
    match (answer, package) {
        (Judgement::TrustFunction, _) => Trust::Function { name: call.function.clone(), file: call.file.clone() },
        (Judgement::TrustPackage, Some(package)) => Trust::Package(package),
        _ => Trust::File(call.file.clone()),
    }
}
