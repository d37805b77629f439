//! The whole of an explanation in one sentence: from what failed to the place that is most suspicious.

use super::shown::shortened;
use super::{Chain, ChainHop};

impl Chain {
    /// `because total became 41.4 (shop.js:16), because line.price became 3.6 (offers.js:7)`. Nothing where nothing is known to be a reason.
    pub(super) fn summed_up(&self) -> Option<String> {
        // What lacks something is sure to be what failed, or to have given that what it is about.
        let is_sure = |hop: &usize| self.hops[*hop].kind == "omission" && self.is_sure_to_lack(*hop);
        if let Some(omission) = (0..self.hops.len()).find(is_sure) {
            return Some(format!("perhaps because {}", self.hops[omission].clause()?));
        }
        let way = self.reasons(self.suspect()?);
        let told = match way[..] {
            [first, .., one, two, three] if way.len() > MOST_CLAUSES => vec![first, one, two, three],
            _ => way,
        };
        let clauses: Vec<String> = told.into_iter().filter_map(|number| self.hops[number].clause()).collect();
        (!clauses.is_empty()).then(|| format!("because {}", clauses.join(", because ")))
    }

    /// Whether each hop from the failure to what an omission hangs on gave the one before what it is about.
    fn is_sure_to_lack(&self, omission: usize) -> bool {
        let Some(parent) = self.hops[omission].parent else { return false };
        let depth = std::iter::successors(Some(parent), |number| self.hops[*number].parent).count() - 1;
        self.reasons(parent).len() == depth
    }

    /// The hops from the failure to another one, as far as each is sure to have given the one before what it is about.
    fn reasons(&self, hop: usize) -> Vec<usize> {
        let up = std::iter::successors(Some(hop), |number| self.hops[*number].parent);
        let mut way: Vec<usize> = up.collect();
        way.reverse();
        let is_reason = |pair: &&[usize]| self.hops[pair[1]].gives(&self.hops[pair[0]]);
        way.windows(2).take_while(is_reason).map(|pair| pair[1]).collect()
    }

    /// Where a mistake is most likely; where that was not weighed, where the cheapest way leads.
    fn suspect(&self) -> Option<usize> {
        let weighed = (1..self.hops.len()).filter_map(|number| Some((number, self.hops[number].suspicion?)));
        if let Some((number, _)) = weighed.max_by(|one, other| one.1.total_cmp(&other.1)) {
            return Some(number);
        }
        let cheapest = |number: usize| {
            let own = self.children(number).filter(|child| self.hops[*child].rank.is_some());
            own.min_by_key(|child| self.hops[*child].rank)
        };
        std::iter::successors(cheapest(0), |number| {
            let goes_on = self.hops[*number].end.is_none();
            goes_on.then(|| cheapest(*number)).flatten()
        })
        .last()
    }
}

impl ChainHop {
    /// Whether a hop gave another one what that is about: the same value, or one that its line names. What decided it, called it or was
    /// changed beside it is told in the chain, and claimed in no sentence.
    fn gives(&self, explained: &ChainHop) -> bool {
        let is_data = matches!(self.kind, "write" | "argument" | "return" | "birth");
        // Another time of a line is told elsewhere, or not at all.
        let is_data = is_data && !self.is_built_in && !self.is_beside && self.other_time.is_none();
        let is_same = match (&self.value, &explained.value) {
            (Some(own), Some(other)) => own.text == other.text,
            _ => false,
        };
        let line = explained.point.excerpt.as_ref().map_or("", |excerpt| excerpt.text.as_str());
        let is_named = self.kind == "write" && !self.subject.is_empty() && line.contains(&self.subject);
        is_data && self.point.event < explained.point.event && (is_same || is_named)
    }

    /// What happened, and where.
    fn clause(&self) -> Option<String> {
        let (file, line) = (self.point.file.as_deref()?, self.point.line?);
        Some(match self.kind {
            "omission" => format!("{} (decided at {file}:{line})", self.text),
            // Its words name no subject.
            "return" => format!("a call {} ({file}:{line})", shortened(&self.text, LONGEST_CLAUSE)),
            _ => format!("{} ({file}:{line})", shortened(&self.text, LONGEST_CLAUSE)),
        })
    }
}

const MOST_CLAUSES: usize = 4;
const LONGEST_CLAUSE: usize = 80;
