//! The questions of a specification, asked of a run, and the answers as a specification writes them: with lines and source text,
//! without the numbers of events and objects.

use std::path::Path;

use debugger::{
    Control, CrashPathRequest, FindRequest, LogRequest, OmissionsRequest, PageRequest, PointText, QuestionKind,
    RunChoice, Session, StateRequest, StepRequest, StepStride, WhyRequest,
};

use crate::plain_text::without_numbers;
use crate::tell;
use crate::{Question, Spec};

/// The text of each answer block.
pub fn answers(run: &Path, spec: &Spec) -> Result<Vec<String>, String> {
    let choice = RunChoice(Some(run.display().to_string()));
    let session = Session::open(&choice, run).map_err(|error| error.to_string())?;
    let mut told: Vec<Vec<Option<u32>>> = Vec::new();
    let mut blocks = Vec::new();
    for exchange in &spec.exchanges {
        let mut block = String::new();
        for question in &exchange.questions {
            let asked = Written { main: spec.main(), told: &told }.question(question)?;
            let answer = tell::reply(session.ask(&asked, &Control::default()).map(|reply| reply.answer));
            let is_alone = exchange.questions.len() == 1;
            for (number, line) in answer.lines.iter().enumerate() {
                let label = match (is_alone, number) {
                    (true, _) => String::new(),
                    (false, 0) => format!("P{}  ", question.number),
                    (false, _) => "    ".into(),
                };
                block.push_str(format!("{label}{}", without_numbers(line)).trim_end());
                block.push('\n');
            }
            told.push(answer.numbers());
        }
        blocks.push(block);
    }
    Ok(blocks)
}

const MOST_FOUND: usize = 20;

/// How a specification writes questions.
pub struct Written<'a> {
    /// The file that lines are of where none is named.
    pub main: &'a str,
    /// The numbers that the run gave to the points of each answer so far.
    pub told: &'a [Vec<Option<u32>>],
}

impl Written<'_> {
    /// An error is a mistake in the specification.
    pub fn question(&self, question: &Question) -> Result<debugger::Question, String> {
        let point = question.point.as_deref().map(|point| self.point(point)).transpose()?;
        let subject = question.subject.clone();
        let kind = match question.kind.as_str() {
            "last-change" => QuestionKind::LastChange { place: subject },
            "birth" => QuestionKind::Birth { place: subject },
            "last-condition" => QuestionKind::LastCondition,
            "history" => QuestionKind::History { place: subject, page: PageRequest::default() },
            "state" => QuestionKind::State(StateRequest::default()),
            "eval" => QuestionKind::Eval { expression: subject },
            "log" => QuestionKind::Log(LogRequest::of(&subject.unwrap_or_default(), PageRequest::first(MOST_FOUND))),
            "find" => QuestionKind::Find(self.find(&subject.unwrap_or_default())?),
            "why" => QuestionKind::Why(WhyRequest { place: subject, ..WhyRequest::default() }),
            "crash-path" => QuestionKind::CrashPath(CrashPathRequest { place: subject, ..CrashPathRequest::default() }),
            "omissions" => QuestionKind::Omissions { place: subject, request: OmissionsRequest::default() },
            "why-not" => {
                let line = subject.unwrap_or_default();
                let line = line.parse().map_err(|_| format!("why-not is asked of a line, not of {line:?}"))?;
                QuestionKind::WhyNot { file: self.main.into(), line, request: OmissionsRequest::default() }
            }
            "step" => QuestionKind::Step(step(&subject.unwrap_or_default())?),
            kind => return Err(format!("there is no question {kind:?}")),
        };
        Ok(debugger::Question::at(kind, point))
    }

    /// `throw --after P1 --before P2`
    fn find(&self, text: &str) -> Result<FindRequest, String> {
        let mut parts = text.split("--");
        let kind = parts.next().map(str::trim).filter(|kind| !kind.is_empty()).map(str::to_owned);
        let mut request = FindRequest { kind, page: PageRequest::first(MOST_FOUND), ..FindRequest::default() };
        for part in parts {
            let (option, value) = part.trim().split_once(' ').unwrap_or((part.trim(), ""));
            let text = Some(value.to_owned());
            let number = || value.parse().map_err(|_| format!("--{option} {value:?} is no number"));
            match option {
                "place" => request.place = text,
                "name" => request.name = text,
                "function" => request.function = text,
                "file" => request.file = text,
                "line" => request.line = Some(number()? as u32),
                "value" => request.value = text,
                "before" => request.before = Some(self.point(&self.with_file(value))?),
                "after" => request.after = Some(self.point(&self.with_file(value))?),
                "same-as" => request.same_as = text,
                "in-caller" => request.in_caller = text,
                "output" => request.output = text,
                "index" => request.index = Some(number()?),
                option => return Err(format!("find has no option --{option}")),
            }
        }
        Ok(request)
    }

    fn with_file(&self, point: &str) -> String {
        match point.starts_with(|c: char| c.is_ascii_digit()) {
            true => format!("{}:{point}", self.main),
            false => point.to_owned(),
        }
    }

    fn point(&self, text: &str) -> Result<PointText, String> {
        point_of(text, self.told)
    }
}

/// `over`, `back into`
fn step(text: &str) -> Result<StepRequest, String> {
    let (is_back, stride) = match text.strip_prefix("back") {
        Some(stride) => (true, stride.trim()),
        None => (false, text),
    };
    let stride = match stride {
        "into" => StepStride::Into,
        "over" => StepStride::Over,
        "out" => StepStride::Out,
        other => return Err(format!("a step is into, over or out, not {other:?}")),
    };
    Ok(StepRequest { stride, is_back })
}

/// A point as a specification writes it. `P2` and `P2.3` are points of its earlier answers, whatever number the run gave them.
pub fn point_of(text: &str, told: &[Vec<Option<u32>>]) -> Result<PointText, String> {
    let Some((answer, number)) = answer_point(text) else { return text.parse() };
    let Some(told) = answer.checked_sub(1).and_then(|answer| told.get(answer)) else { return text.parse() };
    match told.get(number - 1) {
        Some(Some(number)) => Ok(PointText::Answer(*number)),
        _ => Err(format!("answer {answer} has no point {number}")),
    }
}

/// `P2.3` is the third point in the second answer.
pub fn answer_point(text: &str) -> Option<(usize, usize)> {
    let (answer, number) = text.strip_prefix('P')?.split_once('.').unwrap_or((&text[1..], "1"));
    Some((answer.parse().ok()?, number.parse().ok().filter(|number| *number > 0)?))
}
