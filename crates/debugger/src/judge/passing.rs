//! Other runs of the same code: as a reference, whose calls were right, and as passing runs, which exonerate what they covered.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::Path;

use query::SiteKeys;
use query::judge::{CalledFunction, FunctionNumber, Node, Scan, Seen, Tree, around, effects, fingerprint, scan};
use trace_model::{FunctionIndex, SiteId, SiteLikeness, SiteTable};

use crate::{Error, Moment, RunChoice, Session};

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
    pub fn effects_of(&self, theirs: &Moment, called: CalledFunction, inputs: u128) -> Option<Vec<u128>> {
        let moment = self.session.moment_at(None, None).ok()?;
        let tree = self.tree.get_or_init(|| {
            let tree = scan(&moment.trace, None, Scan::Edges, &|_| false, moment.trace.all_events(), &mut |_, _| {});
            (!moment.trace.is_sparse()).then_some(tree)
        });
        let tree = tree.as_ref()?;
        let is_counterpart = |own: &CalledFunction| is_same_function((&moment, *own), (theirs, called));
        let number = FunctionNumber(tree.functions().iter().position(is_counterpart)? as u32);
        let mut known = self.known.borrow_mut();
        let of_function = known.entry(number).or_insert_with(|| {
            let mut found: HashMap<u128, Vec<u128>> = HashMap::new();
            let calls = tree.nodes().filter(|node| tree.function(*node) == number).take(MOST_CALLS);
            for call in calls.filter_map(|node: Node| effects(&moment.trace, tree, node, &self.seen)) {
                let print = fingerprint(&call, &around(&moment.trace, &call, &self.seen));
                if print.is_complete && !print.has_functions {
                    found.entry(print.inputs).or_default().push(print.effects);
                }
            }
            found
        });
        of_function.get(&inputs).cloned()
    }
}

/// So many calls of a function are compared.
const MOST_CALLS: usize = 2_000;

/// Whether functions of two runs are the same one: at the same place of the same text, or of a file that changed meanwhile and has
/// no other function of that name.
fn is_same_function(
    (moment, called): (&Moment, CalledFunction),
    (other_stand, other): (&Moment, CalledFunction),
) -> bool {
    let (unit, other_unit) =
        (moment.trace.thread.code().unit(called.unit), other_stand.trace.thread.code().unit(other.unit));
    let (Some(unit), Some(other_unit)) = (unit, other_unit) else { return false };
    let (Ok(code), Ok(other_code)) = (unit.code(), other_unit.code()) else { return false };
    if !query::ends_with_path(&unit.record.path, &other_stand.relative(&other_unit.record.path)) {
        return false;
    }
    if let (Ok(source), Ok(other_source)) = (code.source(), other_code.source())
        && source == other_source
    {
        return called.function == other.function;
    }
    let name_of = |sites: &SiteTable, function: FunctionIndex| sites.name(sites.function(function).name).to_owned();
    let name = name_of(&code.sites, called.function);
    let is_only =
        |sites: &SiteTable| sites.functions.iter().filter(|function| sites.name(function.name) == name).count() == 1;
    let is_alike = !name.is_empty() && name == name_of(&other_code.sites, other.function);
    is_alike && is_only(&code.sites) && is_only(&other_code.sites)
}

/// By entity of the tree: how many runs covered it in which all was well.
pub(super) fn exonerated(
    moment: &Moment,
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
        let other = session.moment_at(None, None)?;
        let is_weighed = |path: &str| other.trace.is_own_path(path);
        let theirs = scan(&other.trace, None, Scan::Edges, &is_weighed, other.trace.all_events(), &mut |_, _| {});
        let mut keys = SiteKeys::default();
        let covered: HashSet<(SiteLikeness, u32)> = theirs
            .entities
            .named()
            .filter_map(|((site, way), _)| Some((keys.key(other.trace.thread, SiteId(site))?, way)))
            .collect();
        for ((site, way), entity) in tree.entities.named() {
            let key = own.key(moment.trace.thread, SiteId(site));
            if let Some(n) = n_covering.get_mut(entity as usize)
                && key.is_some_and(|key| covered.contains(&(key, way)))
            {
                *n += 1;
            }
        }
    }
    Ok(n_covering)
}
