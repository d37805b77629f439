//! Other runs of the same code: as a reference, whose calls were right, and as passing runs, which exonerate what they covered.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::Path;

use query::SiteKeys;
use query::judge::{FunctionNumber, Node, Scan, Seen, Tree, effects, fingerprint, scan};
use trace_model::SiteId;

use super::package_of;
use crate::{Error, RunChoice, Session, Standpoint};

/// A run whose calls were all right.
pub(super) struct Reference {
    name: String,
    session: Session,
    tree: OnceCell<Option<Tree>>,
    seen: Seen,
    /// By function: the effects that calls with such inputs had.
    known: RefCell<HashMap<FunctionNumber, HashMap<u128, Vec<u128>>>>,
}

impl Reference {
    pub fn open(choice: &RunChoice, folder: &Path) -> Result<Reference, Error> {
        let session = Session::open(choice, folder)?;
        Ok(Reference {
            name: choice.0.clone().unwrap_or_else(|| "latest".into()),
            session,
            tree: OnceCell::new(),
            seen: Seen::default(),
            known: RefCell::default(),
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// What calls of a function with such inputs brought about; `None` if there was no such call, or not all of it is known.
    pub fn effects_of(&self, function: Option<&str>, file: &str, inputs: u128) -> Option<Vec<u128>> {
        let stand = self.session.stand_at(None, None).ok()?;
        let tree = self.tree.get_or_init(|| {
            let tree = scan(&stand.trace, None, Scan::Edges, &|_| false, &mut |_, _| {});
            (!stand.trace.is_sparse()).then_some(tree)
        });
        let tree = tree.as_ref()?;
        let number = (0..tree.functions().len() as u32).map(FunctionNumber).find(|number| {
            let called = tree.functions()[number.0 as usize];
            stand.trace.thread.code().unit(called.unit).is_some_and(|unit| {
                stand.function_name(unit, called.function).as_deref() == function
                    && query::ends_with_path(&unit.record.path, file)
            })
        })?;
        let mut known = self.known.borrow_mut();
        let of_function = known.entry(number).or_insert_with(|| {
            let mut found: HashMap<u128, Vec<u128>> = HashMap::new();
            let calls = tree.nodes().filter(|node| tree.function(*node) == number).take(MOST_CALLS);
            for print in calls.filter_map(|node: Node| effects(&stand.trace, tree, node, &self.seen)) {
                let print = fingerprint(&print);
                if print.is_complete && !print.has_functions {
                    found.entry(print.inputs).or_default().push(print.effects);
                }
            }
            found
        });
        of_function.get(&inputs).cloned()
    }
}

const MOST_CALLS: usize = 2_000;

/// By entity of the tree: how many runs covered it in which all was well.
pub(super) fn exonerated(
    stand: &Standpoint,
    tree: &Tree,
    passing: &[RunChoice],
    folder: &Path,
) -> Result<Vec<u32>, Error> {
    if passing.is_empty() {
        return Ok(Vec::new());
    }
    let mut n_covering = vec![0u32; tree.entities.n_entities()];
    let mut own = SiteKeys::default();
    for choice in passing {
        let session = Session::open(choice, folder)?;
        let other = session.stand_at(None, None)?;
        let is_weighed = |path: &str| package_of(path).is_none();
        let theirs = scan(&other.trace, None, Scan::Edges, &is_weighed, &mut |_, _| {});
        let mut keys = SiteKeys::default();
        let covered: HashSet<(u64, u32)> = theirs
            .entities
            .named()
            .filter_map(|((site, way), _)| Some((keys.key(other.trace.thread, SiteId(site))?, way)))
            .collect();
        for ((site, way), entity) in tree.entities.named() {
            let key = own.key(stand.trace.thread, SiteId(site));
            if let Some(n) = n_covering.get_mut(entity as usize)
                && key.is_some_and(|key| covered.contains(&(key, way)))
            {
                *n += 1;
            }
        }
    }
    Ok(n_covering)
}
