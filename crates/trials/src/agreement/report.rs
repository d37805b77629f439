//! What came of the questions: one line for each, from the process that asked to the one that counts.

use std::collections::BTreeMap;

/// What came of one question.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    pub kind: String,
    pub effort: Effort,
    /// How many hooks the last run had, and of how many places.
    pub hooks: Option<(usize, usize)>,
    /// The question and both answers, where these differ.
    pub difference: Option<String>,
}

/// What it took to answer by re-execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effort {
    /// So many runs, all of them sparse.
    Sparse(usize),
    /// In the end everything was recorded.
    Grown(usize),
    /// The question is about the run as a whole, which is recorded in full.
    Whole,
    /// No run was needed to refuse it.
    Refused,
}

impl Comparison {
    pub fn line(&self) -> String {
        let (hooks, places) =
            self.hooks.map_or((String::new(), String::new()), |(n, of)| (n.to_string(), of.to_string()));
        let effort = match self.effort {
            Effort::Sparse(n_runs) => format!("sparse {n_runs}"),
            Effort::Grown(n_runs) => format!("grown {n_runs}"),
            Effort::Whole => "whole 1".into(),
            Effort::Refused => "refused 0".into(),
        };
        let difference = self.difference.as_deref().unwrap_or_default();
        let plain = |text: &str| text.replace(['\t', '\r'], " ").replace('\n', NEW_LINE);
        [self.kind.as_str(), &effort, &hooks, &places, difference].map(plain).join("\t")
    }

    pub fn of_line(line: &str) -> Option<Comparison> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [kind, effort, hooks, places, difference] = fields[..] else { return None };
        let (effort, n_runs) = effort.split_once(' ')?;
        let n_runs = n_runs.parse().ok()?;
        Some(Comparison {
            kind: kind.to_owned(),
            effort: match effort {
                "sparse" => Effort::Sparse(n_runs),
                "grown" => Effort::Grown(n_runs),
                "whole" => Effort::Whole,
                "refused" => Effort::Refused,
                _ => return None,
            },
            hooks: hooks.parse().ok().zip(places.parse().ok()),
            difference: (!difference.is_empty()).then(|| difference.replace(NEW_LINE, "\n")),
        })
    }
}

const NEW_LINE: &str = "\u{2028}";

/// All outcomes, counted. What differs is printed as it comes.
#[derive(Default)]
pub struct Report {
    /// For each set of programs and kind of question: how many, and how many differ.
    asked: BTreeMap<(String, String), (usize, usize)>,
    efforts: BTreeMap<Effort, usize>,
    /// Hooks and places, summed up, and how many outcomes these are of.
    hooks: (usize, usize, usize),
    n_differing: usize,
    /// Programs that could not be asked.
    n_problems: usize,
}

impl Report {
    pub fn add(&mut self, set: &str, program: &str, outcome: &Comparison) {
        let (n, n_differing) = self.asked.entry((set.to_owned(), outcome.kind.clone())).or_default();
        *n += 1;
        *self.efforts.entry(outcome.effort).or_default() += 1;
        if let (Some((hooks, places)), Effort::Sparse(_)) = (outcome.hooks, outcome.effort) {
            self.hooks = (self.hooks.0 + hooks, self.hooks.1 + places, self.hooks.2 + 1);
        }
        if let Some(difference) = &outcome.difference {
            *n_differing += 1;
            self.n_differing += 1;
            println!("{program}: {difference}\n");
        }
    }

    pub fn add_problem(&mut self, program: &str, problem: &str) {
        self.n_problems += 1;
        println!("{program}: {problem}\n");
    }

    pub fn is_good(&self) -> bool {
        self.n_differing == 0 && self.n_problems == 0
    }

    pub fn print(&self) {
        println!("| programs | question | questions | agreed | differing |");
        println!("|---|---|---|---|---|");
        for ((set, kind), (n, n_differing)) in &self.asked {
            println!("| {set} | {kind} | {n} | {} | {n_differing} |", n - n_differing);
        }
        let n: usize = self.asked.values().map(|(n, _)| n).sum();
        let n_differing = self.n_differing;
        println!("| **all** | | **{n}** | **{}** | **{n_differing}** |\n", n - n_differing);
        println!("| answered | questions |");
        println!("|---|---|");
        for (effort, n) in &self.efforts {
            let how = match effort {
                Effort::Sparse(1) => "with hooks, in one run".into(),
                Effort::Sparse(n_runs) => format!("with hooks, in {n_runs} runs"),
                Effort::Grown(n_runs) => format!("by a full recording in the end, in {n_runs} runs"),
                Effort::Whole => "by a full recording: the question is about the run as a whole".into(),
                Effort::Refused => "without a run: there is no such question".into(),
            };
            println!("| {how} | {n} |");
        }
        let (hooks, places, n) = self.hooks;
        if n > 0 {
            let mean = |sum: usize| sum as f64 / n as f64;
            println!("\nwith hooks: {:.1} hooks at {:.0} places of the code, on average", mean(hooks), mean(places));
        }
        if self.n_problems > 0 {
            println!("{} programs could not be asked", self.n_problems);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_read_as_it_was_written() {
        let outcome = Comparison {
            kind: "last-change".into(),
            effort: Effort::Sparse(2),
            hooks: Some((12, 340)),
            difference: Some("x at a.js:1\n  full: 1\n  again: 2".into()),
        };
        assert_eq!(Comparison::of_line(&outcome.line()), Some(outcome));
        let agreed = Comparison { kind: "why".into(), effort: Effort::Whole, hooks: None, difference: None };
        assert_eq!(Comparison::of_line(&agreed.line()), Some(agreed));
    }
}
