//! Whether two paths are of the same crash.

use std::collections::HashSet;

use crate::{Callee, Folded, Label, Path, fold};

/// Whether two crashes are the same: they happen at the same place with the same type of exception, and where both paths tell
/// something, they tell the same. Labels that only one of them has are of functions that only one of them recorded.
///
/// The paper removes from the longer path what does not occur in the shorter. Here both are reduced, as what is recorded can also shrink.
///
/// A path counts from the birth on. Where that is not known of both, what was recorded before it may have nothing to do with the crash,
/// and differs from user to user: then it is enough that the same functions were active.
pub fn matches(one: &Path, other: &Path) -> bool {
    if one.exception != other.exception || !is_same_place(one, other) {
        return false;
    }
    let know_births = one.begins_with_birth() && other.begins_with_birth();
    !know_births && have_same_stack(one, other) || agree(one, other)
}

fn agree(one: &Path, other: &Path) -> bool {
    let (here, there) = (reduced(one, other), reduced(other, one));
    // One begins later than the other, because its beginning is lost or another birth is known: the ends must be the same.
    let n_common = here.len().min(there.len());
    here[here.len() - n_common..] == there[there.len() - n_common..]
        || one.labels.first() == other.labels.first() && shapes(&here) == shapes(&there)
}

/// A stack and an event can differ in the column: one has the callee, the other the call.
fn is_same_place(one: &Path, other: &Path) -> bool {
    match (one.crashed_at(), other.crashed_at()) {
        (Some(here), Some(there)) if here.within.is_some() && there.within.is_some() => here == there,
        (Some(here), Some(there)) => {
            here.function == there.function && here.line_in_function() == there.line_in_function()
        }
        (here, there) => here.is_none() && there.is_none(),
    }
}

fn have_same_stack(one: &Path, other: &Path) -> bool {
    let functions = |path: &Path| path.stack.iter().map(|site| site.function.clone()).collect::<Vec<_>>();
    !one.stack.is_empty() && functions(one) == functions(other)
}

/// Whether two paths have the same labels, whatever is known of callers and callees.
pub fn tell_the_same(one: &Path, other: &Path) -> bool {
    one.labels.iter().map(plain).eq(other.labels.iter().map(plain))
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
