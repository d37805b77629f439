use std::process::ExitCode;

use clap::builder::NonEmptyStringValueParser;
use debugger::{OmissionCertainty, OmissionShown, OmissionsAnswer, OmissionsRequest, Question, SourceLine};
use serde::Serialize;

use super::asking::{AnswerFormat, Asking, Told, answer};
use super::json::{self, PointJson, ValueJson};
use super::page::Page;
use crate::failure::Failure;
use crate::text::grouped;

#[derive(clap::Args)]
pub struct OmissionsArgs {
    /// The place or object: cart.items, this.list, #17
    pub place: Option<String>,
    #[command(flatten)]
    pub looking: Looking,
    /// Also operations that cannot change the object
    #[arg(long)]
    pub reads: bool,
    /// Leave out operations of this name: push, total; may be given more than once
    #[arg(long, value_name = "NAME")]
    pub hide: Vec<String>,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

#[derive(clap::Args)]
pub struct WhyNotArgs {
    /// The line that was not reached: app.js:40
    #[arg(value_name = "FILE:LINE", value_parser = NonEmptyStringValueParser::new())]
    pub line: String,
    #[command(flatten)]
    pub looking: Looking,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

/// How far is looked.
#[derive(clap::Args)]
pub struct Looking {
    /// The longest way of calls from a decision to an operation
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub calls: usize,
    /// At most so many results
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub limit: usize,
}

impl Looking {
    fn request(&self) -> OmissionsRequest {
        OmissionsRequest { most_calls: self.calls, limit: self.limit, ..OmissionsRequest::default() }
    }
}

pub fn omissions(args: OmissionsArgs) -> Result<ExitCode, Failure> {
    let question = QuestionJson { kind: "omissions", place: args.place.clone(), line: None, at: args.asking.at_text() };
    let request = OmissionsRequest { reads: args.reads, hidden: args.hide.clone(), ..args.looking.request() };
    answer(&args.asking, args.format, question, Question::Whole, &|session| {
        let standpoint = args.asking.stand(session)?;
        let answer = standpoint.omissions(args.place.as_deref(), &request)?;
        Ok((told(&answer, "could have been done to"), standpoint.notes()))
    })
}

pub fn why_not(args: WhyNotArgs) -> Result<ExitCode, Failure> {
    let parsed = args.line.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<u32>().ok()?)));
    let Some((file, line)) = parsed else {
        return Err(Failure::wrong_usage(format!("{} is no line: write app.js:40", args.line)));
    };
    let question =
        QuestionJson { kind: "why-not", place: None, line: Some(args.line.clone()), at: args.asking.at_text() };
    answer(&args.asking, args.format, question, Question::Whole, &|session| {
        let standpoint = args.asking.stand(session)?;
        let answer = standpoint.why_not(file, line, &args.looking.request())?;
        Ok((told(&answer, "kept control from"), standpoint.notes()))
    })
}

#[derive(Serialize)]
struct QuestionJson {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
}

#[derive(Serialize)]
struct OmissionsJson {
    kind: &'static str,
    about: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<ValueJson>,
    results: Vec<OmissionJson>,
    n_more: usize,
}

#[derive(Serialize)]
struct OmissionJson {
    reason: &'static str,
    branch: PointJson,
    text: String,
    operation: LineJson,
    filled_in: String,
    chain: Vec<LineJson>,
    certainty: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    others: Option<String>,
    n_also: usize,
    n_more_times: usize,
}

#[derive(Serialize)]
struct LineJson {
    file: String,
    line: u32,
    text: String,
}

fn told(answer: &OmissionsAnswer, did: &str) -> Told<impl Serialize + use<>> {
    let line = |line: &SourceLine| LineJson { file: line.file.clone(), line: line.line, text: line.text.clone() };
    let result = |result: &OmissionShown| OmissionJson {
        reason: result.reason.name(),
        branch: json::point(&result.branch),
        text: result.text.clone(),
        operation: line(&result.operation),
        filled_in: result.filled_in.clone(),
        chain: result.chain.iter().map(line).collect(),
        certainty: result.certainty.name(),
        others: result.others.clone(),
        n_also: result.n_also,
        n_more_times: result.n_more_times,
    };
    let json = OmissionsJson {
        kind: "omissions",
        about: answer.about.clone(),
        object: answer.object.as_ref().map(json::value),
        results: answer.results.iter().map(result).collect(),
        n_more: answer.n_more,
    };
    Told::new(page(answer, did), json, !answer.results.is_empty())
}

fn page(answer: &OmissionsAnswer, did: &str) -> Page {
    let mut page = Page::default();
    let about = match &answer.object {
        Some(object) => format!("{} = {}", answer.about, object.text),
        None => answer.about.clone(),
    };
    if answer.results.is_empty() {
        page.title(format!("the code has nothing that {did} {about} and was left out"));
        return page;
    }
    page.title(format!("what {did} {about}, and did not happen:", did = did));
    for result in &answer.results {
        page.point(&result.branch, says(result));
    }
    if answer.n_more > 0 {
        page.line(format!("{} more; --limit shows them", grouped(answer.n_more as u64)));
    }
    page
}

/// `active was false, so #17.push(n) did not happen (lister.js:27), through addItem() (lister.js:12)`
fn says(result: &OmissionShown) -> String {
    let place = |line: &SourceLine| format!("{}:{}", line.file, line.line);
    let mut text = match result.reason.lacks_code() {
        true => result.text.clone(),
        false => format!("{}; otherwise {} ({})", result.text, result.filled_in, place(&result.operation)),
    };
    let through: Vec<String> = result.chain.iter().map(|call| format!("{} ({})", call.text, place(call))).collect();
    if !through.is_empty() {
        text.push_str(&format!(", through {}", through.join(", then ")));
    }
    if result.certainty == OmissionCertainty::May {
        text.push_str("; by the source, it may have met this object");
    }
    if let Some(others) = &result.others {
        text.push_str(&format!("; {others}"));
    }
    if result.n_also > 0 {
        text.push_str(&format!("; {} more in the same way", grouped(result.n_also as u64)));
    }
    if result.n_more_times > 0 {
        text.push_str(&format!("; {} more times", grouped(result.n_more_times as u64)));
    }
    text
}
