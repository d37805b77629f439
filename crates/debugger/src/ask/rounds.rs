//! The times round of an accumulator, in words and as points.

use query::{Hop, Rounds, StandsOut};

use super::{Moment, Point};
use crate::Value;

/// The times round that a hop is one of.
#[derive(Clone, Debug)]
pub struct ChainRounds {
    pub n: usize,
    /// There are more, further back.
    pub is_cut: bool,
    /// Which of them is told, from 1.
    pub told: usize,
    /// By what it stands out: `no-value`, `other-type`, `other-way`, `largest`, or not at all: `last`.
    pub stands_out: &'static str,
    /// The same in words.
    pub text: String,
    /// The nearest others, oldest first.
    pub others: Vec<RoundShown>,
}

#[derive(Clone, Debug)]
pub struct RoundShown {
    pub point: Point,
    /// What came of it.
    pub value: Option<Value>,
}

impl Moment<'_> {
    /// `is_numbered`: each can be asked about by its number.
    pub(super) fn rounds(&self, is_numbered: bool, hop: &Hop, rounds: &Rounds) -> ChainRounds {
        let n = rounds.steps.len();
        let first = rounds.told.saturating_sub(MOST_SHOWN / 2).min(n.saturating_sub(MOST_SHOWN + 1));
        let near = rounds.steps.iter().enumerate().skip(first).take(MOST_SHOWN + 1);
        let others = near.filter(|(number, _)| *number != rounds.told).map(|(_, step)| {
            let value = self.trace.written_value(step).or_else(|| self.trace.step_value(step));
            let point = match is_numbered {
                true => self.point_at_source(step, hop.at, &hop.subject),
                false => self.passing_point(step, hop.at, &hop.subject),
            };
            RoundShown { point, value: self.option_value(&value, self.settled(step)) }
        });
        ChainRounds {
            n,
            is_cut: rounds.is_cut,
            told: rounds.told + 1,
            stands_out: name(rounds.stands_out),
            text: self.rounds_words(hop, rounds),
            others: others.collect(),
        }
    }

    /// `price(item) was NaN, the first such of 4 times round`
    fn rounds_words(&self, hop: &Hop, rounds: &Rounds) -> String {
        let n = rounds.steps.len();
        let of = if rounds.is_cut { format!("more than {n} times round") } else { format!("{n} times round") };
        let part = match &rounds.part {
            Some((part, Some(value))) => format!("{part} was {}, ", self.value(value, self.settled(&hop.step)).text),
            _ => String::new(),
        };
        match rounds.stands_out {
            StandsOut::NoValue => format!("{part}the first such of {of}"),
            StandsOut::OtherType => format!("{part}of another type than in most of {of}"),
            StandsOut::OtherWay => format!("this one of {of} went another way than most"),
            StandsOut::Largest => format!("{part}the largest of {of}"),
            StandsOut::Last => format!("this was the last of {of}"),
        }
    }
}

fn name(stands_out: StandsOut) -> &'static str {
    match stands_out {
        StandsOut::NoValue => "no-value",
        StandsOut::OtherType => "other-type",
        StandsOut::OtherWay => "other-way",
        StandsOut::Largest => "largest",
        StandsOut::Last => "last",
    }
}

const MOST_SHOWN: usize = 20;
