//! What a server would learn of reports of one project, without a server and a database.

use std::collections::BTreeMap;

use crash_path::Path;

use crate::analysis::one_report;
use crate::bugs::{Bug, place, recognise};
use crate::document::BugDocument;
use crate::growth::Patience;
use crate::show;
use crate::wire::{BugSummary, Report};

/// The bugs after these reports, in the order of their places. Each is what it would be after it was stored.
pub fn rehearse(reports: &[Report]) -> Vec<BugSummary> {
    let patience = Patience { sightings: 1 };
    let mut at_place: BTreeMap<String, Vec<Bug>> = BTreeMap::new();
    for (report, seen_at) in reports.iter().zip(0..) {
        let path = Path::from(report);
        let bugs = at_place.entry(place(&path)).or_default();
        let recognised = recognise(bugs, &path);
        one_report(bugs, recognised, report, path, seen_at, patience);
        *bugs = bugs.iter().map(stored).collect();
    }
    at_place.values().flatten().map(show::summary).collect()
}

fn stored(bug: &Bug) -> Bug {
    let text = serde_json::to_string(&BugDocument::from(bug)).expect("plain data can be written");
    let read: BugDocument = serde_json::from_str(&text).expect("what was stored can be read");
    read.into()
}
