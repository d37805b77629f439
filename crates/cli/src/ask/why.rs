use std::process::ExitCode;

use clap::ValueEnum;
use debugger::{Chain, ChainHop, Question, RunChoice, Session, WhyRequest};
use serde::Serialize;

use super::asking::{AnswerFormat, Asking, Told, answer, no_answer, print, print_json};
use super::json::{self, PointJson, SourceLineJson, ValueJson};
use super::page::{self, Page};
use super::sarif::sarif;
use super::svg::svg;
use crate::ANSWERED;
use crate::failure::Failure;

#[derive(clap::Args)]
pub struct WhyArgs {
    /// Why this place held what it held, instead of why the run failed
    pub place: Option<String>,
    #[command(flatten)]
    pub asking: Asking,
    /// The whole graph, not only what is most telling
    #[arg(long)]
    pub all: bool,
    /// A passing run of the same program, or nearly the same: what differs comes first
    #[arg(long, value_name = "RUN")]
    pub against: Option<String>,
    #[arg(long, value_enum, default_value_t = WhyFormat::Text)]
    pub format: WhyFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WhyFormat {
    Text,
    Json,
    Markdown,
    /// One threadFlow
    Sarif,
    /// A picture
    Svg,
}

pub fn why(args: WhyArgs) -> Result<ExitCode, Failure> {
    let question = QuestionJson { kind: "why", place: args.place.clone(), at: args.asking.at_text() };
    let request = WhyRequest {
        at: args.asking.at.clone(),
        place: args.place.clone(),
        thread: args.asking.thread.clone(),
        all: args.all,
        against: args.against.clone().map(|run| RunChoice(Some(run))),
    };
    let ask = |session: &Session| {
        let (standpoint, chain) = session.why(&request)?;
        Ok((chain, standpoint.notes()))
    };
    let format = match args.format {
        WhyFormat::Text => AnswerFormat::Text,
        WhyFormat::Json => {
            let answered = args.asking.ask(Question::Whole, &ask)?;
            let (chain, mut notes) = match answered.answer {
                Ok(answered) => answered,
                Err(error) => return no_answer(error, AnswerFormat::Json, question),
            };
            notes.extend(answered.notes);
            let told = told(&chain);
            let answer = &told.json;
            print_json(&WhyEnvelope { question, answer, chain: answer, notes: &notes })?;
            return Ok(ANSWERED);
        }
        WhyFormat::Markdown => AnswerFormat::Markdown,
        WhyFormat::Sarif | WhyFormat::Svg => {
            let (chain, notes) = args.asking.ask(Question::Whole, &ask)?.answer?;
            match args.format {
                WhyFormat::Svg => print(&svg(&chain))?,
                _ => print_json(&sarif(&chain, &notes))?,
            }
            return Ok(ANSWERED);
        }
    };
    answer(&args.asking, format, question, Question::Whole, &|session| {
        let (chain, notes) = ask(session)?;
        Ok((told(&chain), notes))
    })
}

#[derive(Serialize)]
struct QuestionJson {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
}

/// As every answer, and the chain itself beside it, for who wants nothing else.
#[derive(Serialize)]
struct WhyEnvelope<'a, J> {
    question: QuestionJson,
    answer: &'a J,
    #[serde(flatten)]
    chain: &'a J,
    notes: &'a [String],
}

#[derive(Serialize)]
struct WhyJson {
    kind: &'static str,
    failure: FailureJson,
    chain: Vec<HopJson>,
    end: Option<&'static str>,
}

#[derive(Serialize)]
struct FailureJson {
    kind: &'static str,
    message: String,
    point: PointJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ValueJson>,
}

#[derive(Serialize)]
struct HopJson {
    kind: &'static str,
    point: PointJson,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ValueJson>,
    /// Beside a passing run: not-reached, other-way, other-value.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<&'static str>,
    /// The hop that it explains, by its index.
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    writers: Vec<SourceLineJson>,
}

fn told(chain: &Chain) -> Told<impl Serialize + use<>> {
    let failure = &chain.failure;
    let json = WhyJson {
        kind: "why",
        failure: FailureJson {
            kind: failure.kind,
            message: failure.message.clone(),
            point: json::point(&failure.point),
            value: failure.value.as_ref().map(json::value),
        },
        chain: chain.hops.iter().map(hop_json).collect(),
        end: chain.end().map(|end| end.kind),
    };
    Told::new(page(chain), json, true)
}

fn hop_json(hop: &ChainHop) -> HopJson {
    HopJson {
        kind: hop.kind,
        point: json::point(&hop.point),
        text: hop.text.clone(),
        value: hop.value.as_ref().map(json::value),
        parent: hop.parent,
        difference: hop.difference,
        end: hop.end.as_ref().map(|end| end.kind),
        writers: hop.end.as_ref().map_or(Vec::new(), |end| json::source_lines(&end.writers)),
    }
}

fn page(chain: &Chain) -> Page {
    let mut page = Page::default();
    page.title(match chain.failure.message.as_str() {
        "" => "an exception left the program",
        message => message,
    });
    let roots: Vec<usize> = (0..chain.hops.len()).filter(|hop| chain.hops[*hop].parent.is_none()).collect();
    for root in roots {
        tell(chain, root, Vec::new(), &mut page);
    }
    page
}

/// A hop, and below it those that explain it.
fn tell(chain: &Chain, hop: usize, tree: Vec<bool>, page: &mut Page) {
    let ChainHop { point, text, end, parent, difference, .. } = &chain.hops[hop];
    let children: Vec<usize> = chain.children(hop).collect();
    // The title says what failed.
    let mut says = Vec::from_iter(parent.map(|_| text.clone()));
    says.extend(difference.map(|difference| match difference {
        "not-reached" => "  the passing run never came here".to_owned(),
        "other-way" => "  the passing run never went this way".to_owned(),
        _ => "  the passing run never had such a value here".to_owned(),
    }));
    // A way back that goes on elsewhere has not ended.
    if let Some(end) = end.as_ref().filter(|end| children.is_empty() || !end.writers.is_empty()) {
        match says.last_mut() {
            Some(says) => says.push_str(&format!("; {}", end.text)),
            None => says.push(end.text.into()),
        }
        says.extend(
            end.writers.iter().map(|line| format!("  it is written at {}:{}  {}", line.file, line.line, line.text)),
        );
    }
    page.hop(page::Told { point: point.clone(), says, tree: Some(tree.clone()), is_parent: !children.is_empty() });
    for (number, child) in children.iter().enumerate() {
        let goes_on = number + 1 < children.len();
        tell(chain, *child, tree.iter().copied().chain([goes_on]).collect(), page);
    }
}
