use std::process::ExitCode;

use clap::builder::NonEmptyStringValueParser;
use debugger::{OmissionCertainty, OmissionShown, OmissionsAnswer, OmissionsRequest, QuestionKind, SourceLine};

use super::asking::{AnswerFormat, Asking, answer};
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
    let request = OmissionsRequest { reads: args.reads, hidden: args.hide, ..args.looking.request() };
    answer(&args.asking, args.format, QuestionKind::Omissions { place: args.place, request })
}

pub fn why_not(args: WhyNotArgs) -> Result<ExitCode, Failure> {
    let parsed = args.line.rsplit_once(':').and_then(|(file, line)| Some((file.to_owned(), line.parse().ok()?)));
    let Some((file, line)) = parsed else {
        return Err(Failure::wrong_usage(format!("{} is not a line: write app.js:40", args.line)));
    };
    answer(&args.asking, args.format, QuestionKind::WhyNot { file, line, request: args.looking.request() })
}

/// What could have been done to an object or a place.
pub fn page(answer: &OmissionsAnswer) -> Page {
    let about = match &answer.object {
        Some(object) => format!("{} = {}", answer.about, object.text),
        None => answer.about.clone(),
    };
    match answer.results.is_empty() {
        true => titled(format!("the code has nothing that could have been done to {about} and was left out")),
        false => {
            let may_have = answer.object.is_some().then_some("met this object");
            listed(answer, format!("what could have been done to {about}, and did not happen:"), may_have)
        }
    }
}

/// What kept control from a line.
pub fn page_of_line(answer: &OmissionsAnswer) -> Page {
    match answer.results.is_empty() {
        true => titled(format!("no decision of this run is known that kept control from {}", answer.about)),
        false => listed(answer, format!("what kept control from {}:", answer.about), Some("been reached")),
    }
}

fn titled(title: String) -> Page {
    let mut page = Page::default();
    page.title(title);
    page
}

/// What may have happened is said of results that the source alone suggests.
fn listed(answer: &OmissionsAnswer, title: String, may_have: Option<&str>) -> Page {
    let mut page = titled(title);
    for result in &answer.results {
        page.point(&result.branch, says(result, may_have));
    }
    if answer.n_more > 0 {
        page.line(format!("{} more; --limit shows them", grouped(answer.n_more as u64)));
    }
    page
}

/// `active was false, so #17.push(n) did not happen (lister.js:27), through addItem() (lister.js:12)`
fn says(result: &OmissionShown, may_have: Option<&str>) -> String {
    let place = |line: &SourceLine| format!("{}:{}", line.file, line.line);
    let mut text = match result.reason.lacks_code() {
        true => result.text.clone(),
        false => format!("{}; otherwise {} ({})", result.text, result.filled_in, place(&result.operation)),
    };
    let through: Vec<String> = result.chain.iter().map(|call| format!("{} ({})", call.text, place(call))).collect();
    if !through.is_empty() {
        text.push_str(&format!(", through {}", through.join(", then ")));
    }
    if let Some(may_have) = may_have.filter(|_| result.certainty == OmissionCertainty::May) {
        text.push_str(&format!("; by the source, it may have {may_have}"));
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
