//! The whole of an explanation in one sentence: from what failed to the place that is most suspicious.

use std::cmp::Ordering;

use super::shown::shortened;
use super::{Chain, ChainHop};

impl Chain {
    /// `total became 41.4 (shop.js:16), because line.price became 3.6 (offers.js:7)`. Nothing where nothing but the failure is known.
    pub fn summary(&self) -> Option<String> {
        let way = self.way_to(self.suspect()?);
        let told = match way[..] {
            [first, .., one, two, three] if way.len() > MOST_CLAUSES => vec![first, one, two, three],
            _ => way,
        };
        let mut clauses: Vec<String> = Vec::new();
        for clause in told.into_iter().filter_map(|number| self.hops[number].clause()) {
            if clauses.last() != Some(&clause) {
                clauses.push(clause);
            }
        }
        (!clauses.is_empty()).then(|| clauses.join(", because "))
    }

    /// The hops from the one right below the failure to another one, as far as each is a reason for the one before: what a built-in changed
    /// may be only beside it.
    fn way_to(&self, hop: usize) -> Vec<usize> {
        let up = std::iter::successors(Some(hop), |number| self.hops[*number].parent);
        let mut way: Vec<usize> = up.filter(|number| self.hops[*number].parent.is_some()).collect();
        way.reverse();
        let is_reason = |number: &usize| !self.hops[*number].is_built_in;
        way.into_iter().take_while(is_reason).collect()
    }

    /// Where a mistake is most likely: what kept what failed from being right, if it lacks something; where that was not weighed, where
    /// the cheapest way leads.
    fn suspect(&self) -> Option<usize> {
        if let Some(omission) = self.children(0).find(|number| self.hops[*number].kind == "omission") {
            return Some(omission);
        }
        let by_suspicion =
            |one: &&(usize, f64), other: &&(usize, f64)| one.1.partial_cmp(&other.1).unwrap_or(Ordering::Equal);
        let weighed: Vec<(usize, f64)> =
            self.below().filter_map(|number| Some((number, self.hops[number].suspicion?))).collect();
        if let Some((number, _)) = weighed.iter().max_by(by_suspicion) {
            return Some(*number);
        }
        let cheapest = |number: usize| {
            self.children(number)
                .filter(|child| self.hops[*child].rank.is_some())
                .min_by_key(|child| self.hops[*child].rank)
        };
        std::iter::successors(cheapest(0), |number| {
            let goes_on = self.hops[*number].end.is_none();
            goes_on.then(|| cheapest(*number)).flatten()
        })
        .last()
    }

    /// All hops but the failure that tell what led to it, and not only what happened beside it.
    fn below(&self) -> impl Iterator<Item = usize> {
        (1..self.hops.len()).filter(|number| self.hops[*number].kind != "evidence" && !self.is_beside(*number))
    }

    /// Whether it explains something that no data leads to.
    fn is_beside(&self, hop: usize) -> bool {
        std::iter::successors(Some(hop), |number| self.hops[*number].parent).any(|number| self.hops[number].is_beside)
    }
}

impl ChainHop {
    /// What happened, and where.
    fn clause(&self) -> Option<String> {
        let (file, line) = (self.point.file.as_deref()?, self.point.line?);
        let subject = SUBJECTS.iter().find(|(verb, _)| self.text.starts_with(verb)).map_or("", |(_, subject)| subject);
        Some(format!("{subject}{} ({file}:{line})", shortened(&self.text, LONGEST_CLAUSE)))
    }
}

/// What the words of a hop begin with where they name no subject, and what a sentence needs before them.
const SUBJECTS: [(&str, &str); 3] = [("called ", "it was "), ("returned ", "a call "), ("threw ", "the code ")];
const MOST_CLAUSES: usize = 4;
const LONGEST_CLAUSE: usize = 80;
