//! How often each answer came, where several runs were asked: a program with a race gives more than one.

use serde::Serialize;

use super::page::Page;

/// An answer in a few words, and how often it came.
#[derive(Serialize)]
pub struct Tally {
    pub count: usize,
    pub text: String,
}

/// Counts answers, the most frequent first.
pub fn tally(answers: impl Iterator<Item = String>) -> Vec<Tally> {
    let mut counted: Vec<Tally> = Vec::new();
    for text in answers {
        match counted.iter_mut().find(|known| known.text == text) {
            Some(known) => known.count += 1,
            None => counted.push(Tally { count: 1, text }),
        }
    }
    counted.sort_by_key(|tally| std::cmp::Reverse(tally.count));
    counted
}

/// Says behind an answer how often it and each other one came.
pub fn tell(page: &mut Page, tally: &[Tally]) {
    let n_runs: usize = tally.iter().map(|tally| tally.count).sum();
    page.title(format!("{n_runs} runs were asked"));
    for Tally { count, text } in tally {
        page.line(format!("  {count:>4} × {text}"));
    }
}
