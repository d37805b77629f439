//! What was asked and what was answered differently.

use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub struct Tally {
    /// For each kind of question: how many, and how many disagreed.
    asked: BTreeMap<&'static str, (u64, u64)>,
    /// For each kind of clause of an explanation.
    clauses: BTreeMap<&'static str, Clauses>,
    n_explanations: u64,
    /// For each kind of disagreement: how many, and the first ones in words.
    shown: BTreeMap<String, (u64, Vec<String>)>,
}

#[derive(Default)]
struct Clauses {
    n_checked: u64,
    n_wrong: u64,
    /// The oracle cannot tell.
    n_unchecked: u64,
}

/// What the oracle says of a clause of an explanation.
pub enum Verdict {
    Right,
    /// The kind of mistake.
    Wrong(String),
    Unchecked,
}

impl Verdict {
    pub fn of(is_right: bool, wrong: &str) -> Verdict {
        if is_right { Verdict::Right } else { Verdict::Wrong(wrong.into()) }
    }
}

const MOST_SHOWN: usize = 2;

impl Tally {
    /// One question. `wrong`: the kind of disagreement, and all about it.
    pub fn add(&mut self, question: &'static str, wrong: Option<(String, String)>) {
        let (n, n_wrong) = self.asked.entry(question).or_default();
        *n += 1;
        let Some((kind, details)) = wrong else { return };
        *n_wrong += 1;
        self.show(format!("{question}: {kind}"), details);
    }

    pub fn add_explanation(&mut self) {
        self.n_explanations += 1;
    }

    pub fn add_clause(&mut self, clause: &'static str, verdict: Verdict, details: impl FnOnce() -> String) {
        let counts = self.clauses.entry(clause).or_default();
        match verdict {
            Verdict::Unchecked => counts.n_unchecked += 1,
            Verdict::Right => counts.n_checked += 1,
            Verdict::Wrong(kind) => {
                counts.n_checked += 1;
                counts.n_wrong += 1;
                self.show(format!("{clause}: {kind}"), details());
            }
        }
    }

    fn show(&mut self, kind: String, details: String) {
        let (n, examples) = self.shown.entry(kind).or_default();
        *n += 1;
        if examples.len() < MOST_SHOWN {
            examples.push(details);
        }
    }

    /// What disagrees beyond what is known: lines of `2 × CLAUSE: KIND`. One that is known and does not come is told, too, so that the list
    /// stays true.
    pub fn unknown(&self, known: &str) -> Vec<String> {
        let found = self.shown.iter().map(|(kind, (n, _))| format!("{n} × {kind}"));
        let found: BTreeSet<String> = found.collect();
        let known: BTreeSet<String> = known.lines().map(str::to_owned).filter(|line| !line.is_empty()).collect();
        found.symmetric_difference(&known).cloned().collect()
    }

    pub fn print(&self) {
        for (kind, (n, examples)) in &self.shown {
            println!("{n} × {kind}");
            examples.iter().for_each(|example| println!("    {example}"));
        }
        println!("\n{:44} {:>10} {:>14}", "", "questions", "disagreements");
        for (question, (n, n_wrong)) in &self.asked {
            println!("{question:44} {n:>10} {n_wrong:>14}");
        }
        let n: u64 = self.asked.values().map(|(n, _)| n).sum();
        let n_wrong: u64 = self.asked.values().map(|(_, n_wrong)| n_wrong).sum();
        println!("{:44} {n:>10} {n_wrong:>14}", "in all");
        self.print_clauses();
    }

    fn print_clauses(&self) {
        if self.n_explanations == 0 {
            return;
        }
        let title = format!("{} explanations, their clauses", self.n_explanations);
        println!("\n{title:62} {:>9} {:>7} {:>15}", "checked", "wrong", "not to be told");
        let mut all = Clauses::default();
        for (clause, Clauses { n_checked, n_wrong, n_unchecked }) in &self.clauses {
            println!("{clause:62} {n_checked:>9} {n_wrong:>7} {n_unchecked:>15}");
            all.n_checked += n_checked;
            all.n_wrong += n_wrong;
            all.n_unchecked += n_unchecked;
        }
        println!("{:62} {:>9} {:>7} {:>15}", "in all", all.n_checked, all.n_wrong, all.n_unchecked);
    }
}
