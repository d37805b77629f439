use crate::{Callee, FunctionRef, Label, SiteRef};

/// What control did before a crash, oldest first. Complete, partial, or no more than the crash itself.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Path {
    pub labels: Vec<Label>,
    /// Older labels were dropped, as only so many are kept.
    pub is_cut: bool,
    /// The type of what was thrown, such as `TypeError`; never its message. Empty if it was no error.
    pub exception: String,
    /// Where the functions stood that were active at the crash, innermost first. Foreign ones are left out.
    pub stack: Vec<SiteRef>,
    /// Functions that can tell where the object of interest came from, or that may have been called on the way: found by whoever
    /// read the events. Not part of the path.
    pub wanted: Vec<FunctionRef>,
}

impl Path {
    /// A crash of which nothing is known but the stack.
    pub fn of_stack(exception: &str, stack: Vec<SiteRef>) -> Path {
        let labels = stack.first().map(|site| Label::Crash { site: site.clone() });
        Path { labels: labels.into_iter().collect(), exception: exception.to_owned(), stack, ..Path::default() }
    }

    pub fn begins_with_birth(&self) -> bool {
        matches!(self.labels.first(), Some(Label::Start { .. }))
    }

    pub fn crash(&self) -> Option<&SiteRef> {
        match self.labels.last() {
            Some(Label::Crash { site }) => Some(site),
            _ => None,
        }
    }

    /// Where it crashed: as its label tells, or else the stack.
    pub fn crashed_at(&self) -> Option<&SiteRef> {
        self.crash().or(self.stack.first())
    }

    /// The functions that control was in, as far as the path tells, and that were not recorded: its holes.
    pub fn holes(&self) -> impl Iterator<Item = &FunctionRef> {
        self.labels.iter().enumerate().filter_map(|(number, label)| match label {
            Label::Call { callee: Callee::Program(callee), .. } => {
                Some(callee).filter(|callee| !is_entered(callee, &self.labels[number..]))
            }
            Label::Enter { caller, .. } | Label::Exit { caller, .. } => caller.as_ref(),
            _ => None,
        })
    }
}

/// Whether nothing is missing between the birth of the object and the crash. Calls of foreign code have no entry, and need none.
pub fn is_complete(path: &Path) -> bool {
    let is_unknown = |label: &Label| matches!(label, Label::Call { callee: Callee::Unknown, .. });
    path.begins_with_birth()
        && path.crash().is_some()
        && !path.labels.iter().any(is_unknown)
        && path.holes().next().is_none()
}

// A generator is entered some time after it was called, so the entry need not be the next label.
fn is_entered(callee: &FunctionRef, from: &[Label]) -> bool {
    from.iter().any(|label| matches!(label, Label::Enter { function, .. } if function == callee))
}
