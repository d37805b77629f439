use debugger::{
    Chain, ChainHop, ChainPart, ChainReason, ChainRounds, Experiments, FailureShown, NumberedFailure, Page, RoundShown,
    TestShown,
};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use super::AnswerJson;
use crate::document::Document;
use crate::experiments::ExperimentsJson;
use crate::parts::{PointJson, SourceLineJson, ValueJson, each, next, some};

#[derive(Clone, Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct WhyJson {
    #[schemars(extend("const" = "why"))]
    #[ts(type = "\"why\"")]
    pub kind: &'static str,
    pub failure: FailureJson,
    /// The whole in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Newest first; the first is what is explained.
    pub chain: Vec<HopJson>,
    #[ts(optional = false)]
    pub end: Option<&'static str>,
    /// What running it again with one thing different showed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experiments: Option<ExperimentsJson>,
    /// How many other tests failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<usize>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct FailuresJson {
    #[schemars(extend("const" = "failures"))]
    #[ts(type = "\"failures\"")]
    pub kind: &'static str,
    pub failures: Vec<NumberedFailureJson>,
    /// How many there are on all pages.
    pub all: usize,
    /// Where the list goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct NumberedFailureJson {
    pub number: usize,
    #[serde(flatten)]
    pub failure: FailureJson,
}

#[derive(Clone, Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct FailureJson {
    pub kind: &'static str,
    pub message: String,
    pub point: PointJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<&'static str>,
    /// The test that failed, as its runner said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<TestJson>,
}

/// A test, as the runner of the tests told of it.
#[derive(Clone, Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct TestJson {
    /// `cart › adds up the lines`
    pub title: String,
    /// Those of the suites around it, and its own; none for a file that failed as a whole.
    pub titles: Vec<String>,
    /// passed, failed, skipped, todo
    pub outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<usize>,
    /// Its first event, where code of it was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(as = "Option<u32>", optional)]
    pub first: Option<u64>,
    /// The event behind its last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(as = "Option<u32>", optional)]
    pub behind: Option<u64>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

#[derive(Clone, Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct HopJson {
    pub kind: &'static str,
    pub point: PointJson,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueJson>,
    /// The place that it wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What that held before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<RoundsJson>,
    /// The branch that decided it, where both are told as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<ReasonJson>,
    /// Beside a passing run: not-reached, other-way, other-value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<&'static str>,
    /// The hop that it explains, by its index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<&'static str>,
    /// What ends there, where that is not the hop as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_of: Option<String>,
    /// The same in words, where `text` does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_text: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub writers: Vec<SourceLineJson>,
    /// No data leads to it from what failed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<_>", optional)]
    pub beside: bool,
    /// Of a line that is told for another time: earlier-iteration, later-iteration, earlier-call, later-call, inner-call, outer-call.
    /// It is here because of what it is the parent of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_time: Option<&'static str>,
    /// Since when its line was changed, where git knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_since: Option<String>,
    /// What explains it and cannot be wrong by itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub with: Vec<PartJson>,
}

#[derive(Clone, Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct PartJson {
    pub point: PointJson,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueJson>,
}

/// The times round of an accumulator.
#[derive(Clone, Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct RoundsJson {
    pub n: usize,
    /// There are more, further back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<_>", optional)]
    pub cut: bool,
    /// Which of them is told, from 1.
    pub told: usize,
    pub stands_out: &'static str,
    pub text: String,
    /// The nearest ones, oldest first.
    pub others: Vec<RoundJson>,
}

#[derive(Clone, Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct RoundJson {
    pub point: PointJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueJson>,
}

#[derive(Clone, Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ReasonJson {
    pub text: String,
    pub point: PointJson,
}

impl Document {
    /// The same explanation, with what experiments showed.
    pub fn with_experiments(mut self, found: &Experiments) -> Document {
        let shown = ExperimentsJson::from(found);
        if let AnswerJson::Why(why) = &mut self.answer {
            why.experiments = Some(shown.clone());
        }
        if let Some(why) = &mut self.chain {
            why.experiments = Some(shown);
        }
        self
    }
}

impl From<&Chain> for WhyJson {
    fn from(chain: &Chain) -> WhyJson {
        WhyJson {
            kind: "why",
            failure: (&chain.failure).into(),
            summary: chain.summary.clone(),
            chain: each(&chain.hops),
            end: chain.end().map(|end| end.kind),
            experiments: None,
            more: chain.more.map(|more| more.n),
        }
    }
}

impl From<&Page<NumberedFailure>> for FailuresJson {
    fn from(page: &Page<NumberedFailure>) -> FailuresJson {
        let all = page.n_all.map_or(page.items.len(), |n| n as usize);
        FailuresJson { kind: "failures", failures: each(&page.items), all, next: next(page) }
    }
}

impl From<&NumberedFailure> for NumberedFailureJson {
    fn from(failure: &NumberedFailure) -> NumberedFailureJson {
        NumberedFailureJson { number: failure.number, failure: (&failure.failure).into() }
    }
}

impl From<&FailureShown> for FailureJson {
    fn from(failure: &FailureShown) -> FailureJson {
        FailureJson {
            kind: failure.kind,
            message: failure.message.clone(),
            point: (&failure.point).into(),
            value: some(&failure.value),
            difference: failure.discrepancy,
            test: some(&failure.test),
        }
    }
}

impl From<&TestShown> for TestJson {
    fn from(test: &TestShown) -> TestJson {
        TestJson {
            title: test.title(),
            titles: test.titles.clone(),
            outcome: test.outcome,
            file: test.file.clone(),
            line: test.line,
            thread: test.thread,
            first: test.events.map(|(first, _)| first),
            behind: test.events.map(|(_, behind)| behind),
            duration: test.duration.map(|duration| duration.as_secs_f64() * 1000.0),
            error: test.error.clone(),
        }
    }
}

impl From<&ChainHop> for HopJson {
    fn from(hop: &ChainHop) -> HopJson {
        HopJson {
            kind: hop.kind,
            point: (&hop.point).into(),
            text: hop.text.clone(),
            value: some(&hop.value),
            place: hop.place.clone(),
            old: some(&hop.old),
            parent: hop.parent,
            rounds: some(&hop.rounds),
            because: some(&hop.because),
            difference: hop.difference,
            end: hop.end.as_ref().map(|end| end.kind),
            end_of: hop.end.as_ref().and_then(|end| end.about.clone()),
            end_text: hop.end.as_ref().map(|end| end.text.clone()).filter(|text| !text.is_empty()),
            writers: hop.end.as_ref().map_or(Vec::new(), |end| each(&end.writers)),
            beside: hop.is_beside,
            other_time: hop.other_time,
            changed_since: hop.changed_since.clone(),
            with: each(&hop.with),
        }
    }
}

impl From<&ChainPart> for PartJson {
    fn from(part: &ChainPart) -> PartJson {
        PartJson { point: (&part.point).into(), text: part.text.clone(), value: some(&part.value) }
    }
}

impl From<&ChainReason> for ReasonJson {
    fn from(reason: &ChainReason) -> ReasonJson {
        ReasonJson { text: reason.text.clone(), point: (&reason.point).into() }
    }
}

impl From<&ChainRounds> for RoundsJson {
    fn from(rounds: &ChainRounds) -> RoundsJson {
        RoundsJson {
            n: rounds.n,
            cut: rounds.is_cut,
            told: rounds.told,
            stands_out: rounds.stands_out,
            text: rounds.text.clone(),
            others: each(&rounds.others),
        }
    }
}

impl From<&RoundShown> for RoundJson {
    fn from(round: &RoundShown) -> RoundJson {
        RoundJson { point: (&round.point).into(), value: some(&round.value) }
    }
}
