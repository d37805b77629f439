//! What an experiment showed, in words.

use query::{Different, Experiment, FailureKind};
use trace_model::LanguageRef;

/// `had isMember been true here`
pub fn had(language: LanguageRef, experiment: &Experiment) -> String {
    let subject = cut(&experiment.subject);
    match &experiment.different {
        Different::Decision { truth, each_time: false } => format!("had `{subject}` been {truth} here"),
        Different::Decision { truth, each_time: true } => format!("had `{subject}` been {truth} here each time"),
        Different::Value(value) => format!("had `{subject}` been {} here", cut(&language.text(value))),
        Different::Typed(value) => format!("had `{subject}` been {} here", cut(value)),
        Different::LeftOut => format!("had `{subject}` been left out here"),
    }
}

/// What the failure would not have done.
pub fn would(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Caught | FailureKind::Reported => "the test would pass",
        _ => "the program would not fail",
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

const LONGEST: usize = 60;
