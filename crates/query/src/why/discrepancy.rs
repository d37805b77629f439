//! How what an assertion found differs from what it wanted: which question to ask next depends on it.
//!
//! What was compared tells most of it. Where an assertion is about what a function did (that it throws, how often it was called), the
//! calls of the function tell, and the words of the assertion only say which of the two it is about.

use trace_model::{EventId, ExprId, Key, Node, ObjectId, SiteKind};
use trace_store::{PropertyKey, Target};

use super::asserted::Given;
use super::compared::{Difference, compared_in};
use super::{Failure, FailureKind};
use crate::{Datum, FrameOutcome, Trace};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Discrepancy {
    /// Another value is there than the one that was wanted.
    OtherValue,
    /// Nothing is there.
    Missing,
    /// Something is there that should not be.
    Extra,
    /// There are more or fewer elements than wanted.
    Length,
    /// An exception came where none was wanted, or another than was wanted.
    Thrown,
    /// An exception was wanted, and none came.
    NotThrown,
    /// What was waited for did not come.
    NeverSettled,
    CalledTooOften,
    CalledTooSeldom,
}

impl Discrepancy {
    pub fn name(self) -> &'static str {
        match self {
            Discrepancy::OtherValue => "other-value",
            Discrepancy::Missing => "missing",
            Discrepancy::Extra => "extra",
            Discrepancy::Length => "length",
            Discrepancy::Thrown => "thrown",
            Discrepancy::NotThrown => "not-thrown",
            Discrepancy::NeverSettled => "never-settled",
            Discrepancy::CalledTooOften => "called-too-often",
            Discrepancy::CalledTooSeldom => "called-too-seldom",
        }
    }
}

impl Trace<'_> {
    /// What kind of difference a failure is about. `None` where the recording does not tell, and where nothing failed.
    pub fn discrepancy(&self, failure: &Failure) -> Option<Discrepancy> {
        if matches!(failure.kind, FailureKind::Asked | FailureKind::Ended) || self.is_sparse() {
            return None;
        }
        let before = failure.thrown.before;
        let compared = self.compared(failure);
        if compared.is_none() && self.is_overdue(failure) {
            return Some(Discrepancy::NeverSettled);
        }
        // The `throw` of an assertion stands in a library; one of the project is what happened.
        if failure.thrown.is_explicit && compared.is_none() {
            return failure.error.is_some().then_some(Discrepancy::Thrown);
        }
        let given = self.given_to_assertion(failure).into_iter().next().unwrap_or_default();
        let words = self.words_of_assertion(failure);
        if let Some(found) = self.of_function(&given, &words, before) {
            return Some(found);
        }
        if let Some((actual, expected)) = &compared {
            let is_count = || given.first().is_some_and(|given| self.is_count_of_calls(failure, given, actual));
            return Some(match (actual, expected) {
                (Datum::Number(n), Datum::Number(wanted)) if is_count() => of_calls(*n, *wanted)?,
                (Datum::Number(_), Datum::Number(_)) if self.is_length(failure, &given, actual) => Discrepancy::Length,
                _ => self.of_values(actual, expected, before),
            });
        }
        if !self.is_of_assertion(failure) {
            return self.is_exception(failure).then_some(Discrepancy::Thrown);
        }
        match compared_in(&given) {
            (Some((_, actual)), Some(expected)) => Some(self.of_values(&actual, &expected, before)),
            (Some((_, actual)), None) if actual.is_nullish() => Some(Discrepancy::Missing),
            (Some(_), None) => Some(Discrepancy::OtherValue),
            _ => None,
        }
    }

    /// Whether what failed calls itself an assertion, or is no error at all.
    fn is_of_assertion(&self, failure: &Failure) -> bool {
        failure.error.is_none() || name_of(failure).to_lowercase().contains("assert")
    }

    /// Whether the engine, the system or a built-in gave the error. What is only called `Error` may be anything that a library says.
    fn is_exception(&self, failure: &Failure) -> bool {
        let code = failure.error.as_ref().and_then(Datum::object).and_then(|error| {
            self.seen_value(error, &PropertyKey::Name("code".into()), EventId(failure.thrown.before.0 + 1))
        });
        name_of(failure) != "Error" || matches!(code, Some(Datum::String(_)))
    }

    /// Whether the project still waits for what the failure is about, or a watch says that it took too long.
    fn is_overdue(&self, failure: &Failure) -> bool {
        let step = &failure.thrown.step;
        let is_waiting = self.kind(step) == Some(SiteKind::Suspend) && {
            let next = step.frame.and_then(|frame| self.next(&Target::InFrame(frame), EventId(step.id.0 + 1)));
            next.is_none_or(|next| next.id > failure.thrown.before)
        };
        let message = failure.message.to_lowercase();
        let is_told = ["timeout", "timed out", "time out"].iter().any(|word| message.contains(word));
        !failure.thrown.is_explicit && (is_told || is_waiting && failure.kind == FailureKind::Reported)
    }

    /// What an assertion says of a function that it was given: that it throws, that it was called.
    fn of_function(&self, given: &[Given], words: &[String], before: EventId) -> Option<Discrepancy> {
        let says = |parts: &[&str]| words.iter().any(|word| parts.iter().any(|part| word.contains(part)));
        let is_function = |given: &&Given| given.value.as_ref().and_then(Datum::object).map(|it| self.is_function(it));
        let function = given.iter().find(|given| is_function(given) == Some(Some(true)))?.value.as_ref()?.object()?;
        if says(&["throw", "reject", "raise"]) {
            return match self.newest_call(function, before)? {
                FrameOutcome::Threw => Some(Discrepancy::Thrown),
                FrameOutcome::Returned(_) => Some(Discrepancy::NotThrown),
                FrameOutcome::Open => None,
            };
        }
        if !says(&["call"]) {
            return None;
        }
        let n_calls = self.n_calls(function, before)? as f64;
        let is_negated = words.iter().any(|word| matches!(word.as_str(), "not" | "never" | "notcalled"));
        let number = given.iter().filter(|given| given.is_constant).find_map(|given| match given.value {
            Some(Datum::Number(number)) => Some(number),
            _ => None,
        });
        let told = [("once", 1.0), ("twice", 2.0), ("thrice", 3.0)].into_iter().find(|(word, _)| says(&[word]));
        let is_of_arguments = says(&["with", "arg"]);
        match number.filter(|_| !is_of_arguments).or(told.map(|(_, number)| number)) {
            Some(wanted) if !is_negated => of_calls(n_calls, wanted).or(Some(Discrepancy::OtherValue)),
            _ if is_negated => Some(Discrepancy::CalledTooOften),
            _ if n_calls == 0.0 => Some(Discrepancy::CalledTooSeldom),
            _ => Some(Discrepancy::OtherValue),
        }
    }

    fn of_values(&self, actual: &Datum, expected: &Datum, before: EventId) -> Discrepancy {
        let (Datum::Object(is), Datum::Object(should)) = (actual, expected) else {
            return of_parts(Some(actual), Some(expected));
        };
        let length = |object: &ObjectId| self.contents(*object, before).and_then(|contents| contents.length);
        let lengths = (length(is), length(should));
        if lengths.0.is_some() && lengths.1.is_some() && lengths.0 != lengths.1 {
            return Discrepancy::Length;
        }
        match self.differences(*is, *should, before).first() {
            Some(Difference { key: PropertyKey::Name(key), .. }) if &**key == "length" => Discrepancy::Length,
            Some(Difference { found, wanted, .. }) => of_parts(found.as_ref(), wanted.as_ref()),
            None => Discrepancy::OtherValue,
        }
    }

    /// Whether the number under test is read from a function: what stands for it keeps count of its calls.
    fn is_count_of_calls(&self, failure: &Failure, given: &Given, actual: &Datum) -> bool {
        if given.value.as_ref() != Some(actual) {
            return false;
        }
        let Some(root) = self.root_of(failure, given) else { return false };
        root.object().is_some_and(|root| self.is_function(root) == Some(true))
    }

    /// The value of the variable that a chain of members begins with.
    fn root_of(&self, failure: &Failure, given: &Given) -> Option<Datum> {
        let step = self.thread.step(given.at)?;
        let code = self.code(step.site()?)?;
        let mut at = given.expression;
        while let Node::Member { object, .. } = &code.expression(at).node {
            at = *object;
        }
        let frame = step.frame.and_then(|frame| self.frame(frame))?.frame;
        let before = failure.thrown.before;
        let scene = crate::Scene { before, frame: Some(frame), unit: code.base(), within: None };
        self.value_in(&code, scene, &self.evaluation(&step), at).ok()
    }

    /// The object that has too little or too much in it, where the difference is of that kind.
    pub(super) fn wrongly_filled(&self, failure: &Failure) -> Option<ObjectId> {
        if !matches!(self.discrepancy(failure)?, Discrepancy::Missing | Discrepancy::Length) {
            return None;
        }
        let (actual, _) = self.compared(failure)?;
        actual.object().or_else(|| {
            let given = self.given_to_assertion(failure).into_iter().next()?;
            let read = given.iter().find(|given| given.value.as_ref() == Some(&actual))?;
            let step = self.anchor(&self.thread.step(read.at)?)?;
            let code = self.code(step.site()?)?;
            let Node::Member { object, key: Key::Name(name), .. } = &code.expression(read.expression).node else {
                return None;
            };
            let is_length = matches!(&**name, "length" | "size");
            let value = self.value_in(&code, self.scene(&step)?, &self.evaluation(&step), *object).ok();
            value.filter(|_| is_length)?.object()
        })
    }

    /// Whether the number under test is the length of something: the assertion reads it, or is given what has it.
    fn is_length(&self, failure: &Failure, given: &[Given], actual: &Datum) -> bool {
        let is_read = given.iter().filter(|given| given.value.as_ref() == Some(actual)).any(|given| {
            let code = self.thread.step(given.at).and_then(|step| self.code(step.site()?));
            code.is_some_and(|code| match &code.expression(given.expression).node {
                Node::Member { key: Key::Name(name), .. } => matches!(&**name, "length" | "size"),
                _ => false,
            })
        });
        is_read || {
            let objects = given.iter().filter_map(|given| given.value.as_ref()?.object());
            let before = failure.thrown.before;
            let lengths = objects.filter_map(|object| self.contents(object, before)?.length);
            lengths.into_iter().any(|length| *actual == Datum::Number(f64::from(length)))
        }
    }

    /// The names that the chain of a failing assertion is written with, in lower case.
    fn words_of_assertion(&self, failure: &Failure) -> Vec<String> {
        let thrown = &failure.thrown;
        let Some(code) = thrown.step.site().and_then(|site| self.code(site)) else { return Vec::new() };
        let Some(end) = self.end_of_assertion(&code, &thrown.step, thrown.before) else { return Vec::new() };
        let mut words = Vec::new();
        let mut next = Some(end);
        while let Some(id) = next {
            next = match &code.expression(id).node {
                Node::Call(call) => Some(call.callee),
                Node::Member { object, key, .. } => {
                    if let Key::Name(name) = key {
                        words.push(name.to_lowercase());
                    }
                    Some(*object)
                }
                Node::Variable(_) => {
                    words.push(code.text(id).to_lowercase());
                    None
                }
                _ => None::<ExprId>,
            };
        }
        words
    }

    fn n_calls(&self, function: ObjectId, before: EventId) -> Option<usize> {
        let (unit, index) = self.function_of(function)?;
        let entries = self.sites_of_function(unit, index, |kind| kind == SiteKind::Enter);
        let entered = self.each_before(&Target::Sites(&entries), before).take(MOST_CALLS);
        let frames = entered.filter_map(|step| self.frame(step.frame?));
        Some(frames.filter(|frame| self.function_objects(frame).contains(&function)).count())
    }

    fn newest_call(&self, function: ObjectId, before: EventId) -> Option<FrameOutcome> {
        let (unit, index) = self.function_of(function)?;
        let entries = self.sites_of_function(unit, index, |kind| kind == SiteKind::Enter);
        let entered = self.last(&Target::Sites(&entries), before)?;
        Some(self.outcome(&self.frame(entered.frame?)?))
    }
}

fn of_calls(n_calls: f64, wanted: f64) -> Option<Discrepancy> {
    match n_calls.partial_cmp(&wanted)? {
        std::cmp::Ordering::Less => Some(Discrepancy::CalledTooSeldom),
        std::cmp::Ordering::Greater => Some(Discrepancy::CalledTooOften),
        std::cmp::Ordering::Equal => None,
    }
}

/// `TypeError` of `TypeError: …`.
fn name_of(failure: &Failure) -> &str {
    failure.message.split_once(':').map_or(failure.message.as_str(), |(name, _)| name)
}

/// Of what was found and what was wanted; `None` is nothing at all.
fn of_parts(found: Option<&Datum>, wanted: Option<&Datum>) -> Discrepancy {
    let is_there = |value: Option<&Datum>| value.is_some_and(|value| !value.is_nullish());
    match (is_there(found), is_there(wanted)) {
        (false, true) => Discrepancy::Missing,
        (true, false) => Discrepancy::Extra,
        _ => Discrepancy::OtherValue,
    }
}

const MOST_CALLS: usize = 1_000;
