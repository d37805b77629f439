//! What was asked and what was answered differently.

use std::collections::BTreeMap;

#[derive(Default)]
pub struct Tally {
    /// For each kind of question: how many, and how many disagreed.
    asked: BTreeMap<&'static str, (u64, u64)>,
    /// For each kind of disagreement: how many, and the first ones in words.
    shown: BTreeMap<String, (u64, Vec<String>)>,
}

const MOST_SHOWN: usize = 2;

impl Tally {
    /// One question. `wrong`: the kind of disagreement, and all about it.
    pub fn add(&mut self, question: &'static str, wrong: Option<(String, String)>) {
        let (n, n_wrong) = self.asked.entry(question).or_default();
        *n += 1;
        let Some((kind, details)) = wrong else { return };
        *n_wrong += 1;
        let (n, examples) = self.shown.entry(format!("{question}: {kind}")).or_default();
        *n += 1;
        if examples.len() < MOST_SHOWN {
            examples.push(details);
        }
    }

    pub fn n_wrong(&self) -> u64 {
        self.asked.values().map(|(_, n_wrong)| n_wrong).sum()
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
        println!("{:44} {n:>10} {:>14}", "in all", self.n_wrong());
    }
}
