//! How often each answer came, where several runs were asked: a program with a race gives more than one.

use answer_json::RunsJson;

use super::page::Page;

/// Counts answers, the most frequent first.
pub fn tally(answers: impl Iterator<Item = String>) -> Vec<RunsJson> {
    let mut counted: Vec<RunsJson> = Vec::new();
    for text in answers {
        match counted.iter_mut().find(|known| known.text == text) {
            Some(known) => known.count += 1,
            None => counted.push(RunsJson { count: 1, text }),
        }
    }
    counted.sort_by_key(|tally| std::cmp::Reverse(tally.count));
    counted
}

/// Says behind an answer how often it and each other one came.
pub fn tell(page: &mut Page, tally: &[RunsJson]) {
    let n_runs: usize = tally.iter().map(|tally| tally.count).sum();
    page.title(format!("{n_runs} runs were asked"));
    for RunsJson { count, text } in tally {
        page.line(format!("  {count:>4} × {text}"));
    }
}
