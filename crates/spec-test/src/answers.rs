//! The questions of a specification, asked of a run, and the answers as a specification writes them: with lines and source text,
//! without the numbers of events and objects.

use std::path::Path;

use debugger::{FindRequest, OmissionsRequest, PointText, RunChoice, Session, StateRequest, WhyRequest};

use crate::plain_text::without_numbers;
use crate::tell::{self, Told};
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
            let answer = Asker { session: &session, main: spec.main(), told: &told }.ask(question)?;
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

/// Who asks the questions of a specification.
pub struct Asker<'a> {
    pub session: &'a Session,
    /// The file that lines are of where none is named.
    pub main: &'a str,
    /// The numbers that the run gave to the points of each answer so far.
    pub told: &'a [Vec<Option<u32>>],
}

impl Asker<'_> {
    /// A refusal is an answer too; an error is a mistake in the specification.
    pub fn ask(&self, question: &Question) -> Result<Told, String> {
        let point = question.point.as_deref().map(|point| self.point(point)).transpose()?;
        let subject = question.subject.as_deref();
        let stand = || self.session.stand_at(point.as_ref(), None);
        let told = match question.kind.as_str() {
            "last-change" => stand().and_then(|at| Ok(tell::change(&at.last_change(subject)?))),
            "last-condition" => stand().map(|at| tell::condition(&at.last_condition())),
            "history" => stand().and_then(|at| Ok(tell::history(&at.history(subject, None)?))),
            "state" => stand().and_then(|at| Ok(tell::state(&at.state(&StateRequest::default())?))),
            "eval" => stand().and_then(|at| Ok(tell::value(&at.eval(subject)?))),
            "find" => {
                let request = self.find(subject.unwrap_or_default())?;
                self.session.find(point.as_ref(), None, None, &request).map(|(answer, _)| tell::found(&answer))
            }
            "why" => {
                let request = WhyRequest { at: point, place: question.subject.clone(), ..WhyRequest::default() };
                self.session.why(&request).map(|(_, chain)| tell::chain(&chain))
            }
            "omissions" => {
                stand().and_then(|at| Ok(tell::omissions(&at.omissions(subject, &OmissionsRequest::default())?)))
            }
            "why-not" => {
                let line = subject.unwrap_or_default();
                let line = line.parse().map_err(|_| format!("why-not is asked of a line, not of {line:?}"))?;
                stand()
                    .and_then(|at| Ok(tell::omissions(&at.why_not(self.main, line, &OmissionsRequest::default())?)))
            }
            kind => return Err(format!("there is no question {kind:?}")),
        };
        Ok(told.unwrap_or_else(|refusal| tell::refusal(&refusal)))
    }

    /// `throw --after P1 --before P2`
    fn find(&self, text: &str) -> Result<FindRequest, String> {
        let mut parts = text.split("--");
        let kind = parts.next().map(str::trim).filter(|kind| !kind.is_empty()).map(str::to_owned);
        let mut request = FindRequest { kind, limit: MOST_FOUND, ..FindRequest::default() };
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
