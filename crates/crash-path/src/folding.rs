//! Repetitions, told once.

use crate::Label;

/// A path as people read it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Folded {
    Label(Label),
    /// What happened again and again in the very same way, at least twice.
    Repeated {
        times: u32,
        body: Vec<Folded>,
    },
}

/// Longer bodies are not looked for: the work grows with it, and nobody recognises a repetition of so many steps.
const LONGEST_BODY: usize = 64;

/// What a loop did the same way each time is told once, with how often. Inner loops first, so that an outer one whose inner loop
/// ran equally often is folded as well.
pub fn fold(labels: &[Label]) -> Vec<Folded> {
    let mut folded: Vec<Folded> = labels.iter().cloned().map(Folded::Label).collect();
    for length in 1..=LONGEST_BODY {
        if folded.len() < 2 * length {
            break;
        }
        folded = fold_bodies(folded, length);
    }
    folded
}

impl Folded {
    /// The labels that it stands for.
    pub fn unfolded(&self) -> Vec<Label> {
        match self {
            Folded::Label(label) => vec![label.clone()],
            Folded::Repeated { times, body } => {
                let once: Vec<Label> = body.iter().flat_map(Folded::unfolded).collect();
                std::iter::repeat_n(once, *times as usize).flatten().collect()
            }
        }
    }
}

fn fold_bodies(items: Vec<Folded>, length: usize) -> Vec<Folded> {
    // Where something is repeated, and how often.
    let mut repeated = Vec::new();
    let mut at = 0;
    while at < items.len() {
        let times = repetitions(&items[at..], length);
        if times > 1 {
            repeated.push((at, times));
        }
        at += if times > 1 { times * length } else { 1 };
    }
    let mut out = Vec::with_capacity(items.len());
    let mut items = items.into_iter();
    let mut n_done = 0;
    for (at, times) in repeated {
        out.extend(items.by_ref().take(at - n_done));
        let body = items.by_ref().take(length).collect();
        out.push(Folded::Repeated { times: times as u32, body });
        items.by_ref().take((times - 1) * length).for_each(drop);
        n_done = at + times * length;
    }
    out.extend(items);
    out
}

/// How often the first so many items stand one behind the other.
fn repetitions(items: &[Folded], length: usize) -> usize {
    match items.get(..length) {
        Some(body) => items.chunks_exact(length).take_while(|chunk| *chunk == body).count(),
        None => 0,
    }
}
