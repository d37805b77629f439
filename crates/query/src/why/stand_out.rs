//! Of many times round, the one that stands out: it has a value that nobody wants, or is of another type, went another way or
//! brought the largest part.

use std::collections::{BTreeMap, BTreeSet};

use trace_model::{DatumKind, ExprId, SiteId};

use crate::Datum;

/// How a time round differs from the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StandsOut {
    /// The first with undefined, null or NaN.
    NoValue,
    OtherType,
    OtherWay,
    Largest,
    /// None does: the last one is told.
    Last,
}

/// What one time round had a part in.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// What was read besides what was there before.
    pub parts: Vec<(ExprId, Option<Datum>)>,
    /// What was there afterwards.
    pub result: Option<Datum>,
    /// The branches on the way, and how they went; `None`: there are too many.
    pub ways: Option<BTreeSet<(SiteId, Option<bool>)>>,
}

/// The one that stands out, why, and by which of its parts.
pub(super) fn stand_out(rounds: &[Seen]) -> (usize, StandsOut, Option<ExprId>) {
    let last = (rounds.len().saturating_sub(1), StandsOut::Last, None);
    without_value(rounds)
        .or_else(|| of_other_type(rounds))
        .or_else(|| on_other_way(rounds))
        .or_else(|| largest(rounds))
        .unwrap_or(last)
}

fn without_value(rounds: &[Seen]) -> Option<(usize, StandsOut, Option<ExprId>)> {
    let is_bad = |(_, value): &&(ExprId, Option<Datum>)| value.as_ref().is_some_and(Datum::is_bad);
    let bad_part = |round: &Seen| round.parts.iter().find(is_bad).map(|(part, _)| *part);
    let is_result_bad = rounds.last()?.result.as_ref().is_some_and(Datum::is_bad);
    let n_bad = rounds.iter().filter(|round| bad_part(round).is_some()).count();
    // Where most are empty that is nothing special, unless it spoils the whole.
    if n_bad == 0 || !is_result_bad && 2 * n_bad >= rounds.len() {
        return None;
    }
    let number = rounds.iter().position(|round| bad_part(round).is_some())?;
    Some((number, StandsOut::NoValue, bad_part(&rounds[number])))
}

fn of_other_type(rounds: &[Seen]) -> Option<(usize, StandsOut, Option<ExprId>)> {
    let n_parts = rounds.iter().map(|round| round.parts.len()).min()?;
    (0..n_parts).find_map(|part| {
        let types: Option<Vec<DatumKind>> =
            rounds.iter().map(|round| round.parts[part].1.as_ref().map(Datum::kind)).collect();
        let number = odd_one(&types?)?;
        Some((number, StandsOut::OtherType, Some(rounds[number].parts[part].0)))
    })
}

fn on_other_way(rounds: &[Seen]) -> Option<(usize, StandsOut, Option<ExprId>)> {
    let ways: Option<Vec<_>> = rounds.iter().map(|round| round.ways.as_ref()).collect();
    let ways = ways?;
    // What comes before the first time round is no part of it.
    let mut known: BTreeMap<SiteId, usize> = BTreeMap::new();
    for way in &ways {
        let sites: BTreeSet<SiteId> = way.iter().map(|(site, _)| *site).collect();
        sites.into_iter().for_each(|site| *known.entry(site).or_default() += 1);
    }
    let is_shared = |site: &SiteId| known.get(site).is_some_and(|n| *n > 1);
    let shared: Vec<BTreeSet<(SiteId, Option<bool>)>> =
        ways.iter().map(|way| way.iter().filter(|(site, _)| is_shared(site)).copied().collect()).collect();
    Some((odd_one(&shared)?, StandsOut::OtherWay, None))
}

fn largest(rounds: &[Seen]) -> Option<(usize, StandsOut, Option<ExprId>)> {
    let size = |value: &Option<Datum>| match value {
        Some(Datum::Number(number)) => Some(number.abs()),
        _ => None,
    };
    let mut sizes: Vec<(f64, usize, ExprId)> = Vec::new();
    for (number, round) in rounds.iter().enumerate() {
        let parts = round.parts.iter().filter_map(|(part, value)| Some((size(value)?, number, *part)));
        sizes.push(parts.max_by(|a, b| a.0.total_cmp(&b.0))?);
    }
    sizes.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (largest, second) = (sizes.first()?, sizes.get(1)?);
    // Of two, one is always larger.
    (sizes.len() > 2 && largest.0 > second.0).then_some((largest.1, StandsOut::Largest, Some(largest.2)))
}

/// The first that is of the rarest kind, where most are of another.
fn odd_one<T: Ord>(kinds: &[T]) -> Option<usize> {
    let mut counts: BTreeMap<&T, usize> = BTreeMap::new();
    kinds.iter().for_each(|kind| *counts.entry(kind).or_default() += 1);
    let most = counts.values().copied().max()?;
    let fewest = counts.values().copied().min()?;
    if counts.len() < 2 || 2 * most <= kinds.len() || fewest == most {
        return None;
    }
    kinds.iter().position(|kind| counts[kind] == fewest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(values: &[Datum]) -> Vec<Seen> {
        let seen = |value: &Datum| Seen {
            parts: vec![(ExprId(1), Some(value.clone()))],
            result: Some(Datum::Number(1.0)),
            ways: Some(BTreeSet::new()),
        };
        values.iter().map(seen).collect()
    }

    fn number(number: f64) -> Datum {
        Datum::Number(number)
    }

    #[test]
    fn what_has_no_value_comes_first() {
        let all = rounds(&[number(1.0), number(900.0), Datum::Undefined, number(2.0)]);
        assert_eq!(stand_out(&all), (2, StandsOut::NoValue, Some(ExprId(1))));
    }

    #[test]
    fn most_without_a_value_are_nothing_special() {
        let all = rounds(&[Datum::Null, Datum::Null, number(2.0)]);
        assert_eq!(stand_out(&all), (2, StandsOut::OtherType, Some(ExprId(1))));
    }

    #[test]
    fn another_type() {
        let all = rounds(&[number(1.0), Datum::String("7".into()), number(900.0)]);
        assert_eq!(stand_out(&all), (1, StandsOut::OtherType, Some(ExprId(1))));
    }

    #[test]
    fn another_way() {
        let mut all = rounds(&[number(1.0), number(900.0), number(3.0)]);
        let way = |truth| Some(BTreeSet::from([(SiteId(4), Some(truth))]));
        (all[0].ways, all[1].ways, all[2].ways) = (way(false), way(false), way(true));
        // A branch before the first time round.
        all[0].ways.as_mut().unwrap().insert((SiteId(1), Some(true)));
        assert_eq!(stand_out(&all), (2, StandsOut::OtherWay, None));
    }

    #[test]
    fn the_largest_or_the_last() {
        assert_eq!(stand_out(&rounds(&[number(1.0), number(-9.0), number(3.0)])).0, 1);
        assert_eq!(stand_out(&rounds(&[number(3.0), number(3.0), number(3.0)])), (2, StandsOut::Last, None));
        assert_eq!(stand_out(&rounds(&[number(9.0), number(3.0)])), (1, StandsOut::Last, None));
    }
}
