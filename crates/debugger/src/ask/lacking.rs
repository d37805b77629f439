//! What an explanation ends in where nothing happened: the operations that could have been performed, and what kept them from it.

use query::Lacks;
use query::omissions::{Asking, MOST_CALLS};
use trace_model::EventId;

use super::why::{Chain, ChainHop};
use super::{Moment, OmissionReason, OmissionShown, Point};

impl Moment<'_> {
    /// Hangs the likeliest omission under each of the hops that lack something. `lacking`: their places in the chain, the cheapest first.
    pub(crate) fn tell_omissions(&self, chain: &mut Chain, lacking: Vec<(usize, Lacks)>) {
        if lacking.is_empty() || !self.is_soon_analysed() {
            return;
        }
        let asking = Asking { most_calls: MOST_CALLS, reads: false, hidden: Vec::new() };
        let program = self.program();
        let failed = EventId(chain.failure.point.event);
        for (number, lacks) in lacking.into_iter().take(MOST_ASKED) {
            let found = self.trace.omitted(program, lacks.about, lacks.before, &asking);
            let Some(omission) = found.omissions.first() else { continue };
            let shown = self.shown_omission(program, None, omission);
            let Some(shown) = shown.filter(|shown| !shown.reason.lacks_code()) else { continue };
            let known =
                chain.hops.iter().position(|hop| hop.point.event == shown.branch.event && hop.kind == "condition");
            // What the failure itself skipped says nothing of it, and what a library left out is of interest only in a library.
            let is_of_failure = shown.reason == OmissionReason::Exception && self.is_open_at(omission.at, failed);
            let is_deeper = self.is_of_library(&shown.branch) && !self.is_of_library(&chain.hops[number].point);
            match known {
                _ if is_of_failure || is_deeper => {}
                // That it kept something from being done says more than that it was decided so.
                Some(known) => chain.hops[known].keeps_from(shown),
                None => chain.hops.push(hop_of(shown, number)),
            }
        }
    }

    /// Whether the function that an event is in had not been left yet at another one.
    fn is_open_at(&self, event: EventId, at: EventId) -> bool {
        let frame = self.trace.thread.step(event).and_then(|step| self.trace.thread.frame(step.frame?));
        frame.is_some_and(|frame| frame.left.is_none_or(|left| left >= at))
    }

    fn is_of_library(&self, point: &Point) -> bool {
        point.file.as_deref().is_some_and(|file| !self.is_own_file(file))
    }

    /// Whether there is little enough code to be analysed while somebody waits.
    fn is_soon_analysed(&self) -> bool {
        let units = self.trace.thread.code().units().iter();
        let mut lengths = units.filter_map(|unit| Some(unit.code().ok()?.source().ok()?.len()));
        lengths.try_fold(MOST_CODE, usize::checked_sub).is_some()
    }
}

impl ChainHop {
    fn keeps_from(&mut self, shown: OmissionShown) {
        (self.kind, self.text, self.is_beside, self.other_time) = ("omission", words(&shown), false, None);
    }
}

/// `cond was false, so list.push(x) (a.js:5) was not executed`
fn words(shown: &OmissionShown) -> String {
    let OmissionShown { text, filled_in, operation, .. } = shown;
    format!("{text}, so {filled_in} ({}:{}) was not executed", operation.file, operation.line)
}

fn hop_of(shown: OmissionShown, parent: usize) -> ChainHop {
    ChainHop {
        kind: "omission",
        text: words(&shown),
        subject: String::new(),
        point: shown.branch,
        value: None,
        place: None,
        old: None,
        parent: Some(parent),
        rounds: None,
        because: None,
        difference: None,
        end: None,
        with: Vec::new(),
        is_minor: false,
        is_beside: false,
        changed_since: None,
        is_built_in: false,
        suspicion: None,
        other_time: None,
        rank: None,
    }
}

/// Analysing more takes longer than anybody wants to wait for an explanation.
const MOST_CODE: usize = 3_000_000;
const MOST_ASKED: usize = 2;
