//! Whether two paths are of the same crash.

use std::collections::HashSet;

use crate::{Callee, Folded, Label, Path, fold};

/// Whether two crashes are the same: they happen at the same place with the same type of exception, and where both paths tell
/// something, they tell the same. Labels that only one of them has are of functions that only one of them recorded.
///
/// The paper removes from the longer path what does not occur in the shorter. Here both are reduced, as what is recorded can also shrink.
pub fn matches(one: &Path, other: &Path) -> bool {
    if one.exception != other.exception || one.crash() != other.crash() {
        return false;
    }
    let (here, there) = (reduced(one, other), reduced(other, one));
    // One begins later than the other, because its beginning is lost or another birth is known: the ends must be the same.
    let n_common = here.len().min(there.len());
    here[here.len() - n_common..] == there[there.len() - n_common..]
        || one.labels.first() == other.labels.first() && shapes(&here) == shapes(&there)
}

/// Of a path the labels that occur in another.
fn reduced(path: &Path, other: &Path) -> Vec<Label> {
    let known: HashSet<Label> = other.labels.iter().map(plain).collect();
    path.labels.iter().map(plain).filter(|label| known.contains(label)).collect()
}

/// Who called, and what a call entered, is told as far as that is recorded.
fn plain(label: &Label) -> Label {
    match label {
        Label::Enter { function, .. } => Label::Enter { function: function.clone(), caller: None },
        Label::Exit { function, .. } => Label::Exit { function: function.clone(), caller: None },
        Label::Call { site, .. } => Label::Call { site: site.clone(), callee: Callee::Unknown },
        other => other.clone(),
    }
}

/// How often a loop ran makes no difference.
#[derive(PartialEq, Debug)]
enum Shape {
    Label(Label),
    Repeated(Vec<Shape>),
}

fn shapes(labels: &[Label]) -> Vec<Shape> {
    fold(labels).into_iter().map(shape).collect()
}

fn shape(folded: Folded) -> Shape {
    match folded {
        Folded::Label(label) => Shape::Label(label),
        Folded::Repeated { body, .. } => Shape::Repeated(body.into_iter().map(shape).collect()),
    }
}
