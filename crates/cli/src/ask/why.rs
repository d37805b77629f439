use std::process::ExitCode;

use clap::ValueEnum;
use debugger::{
    Chain, ChainHop, ChainPart, ChainRounds, Experiments, FailureShown, Question, RunChoice, Session, WhyRequest,
};
use serde::Serialize;

use super::asking::{AnswerFormat, Asking, Told, answer, no_answer, print, print_json};
use super::experiments::{self, Experimenting, ExperimentsJson};
use super::json::{self, PointJson, SourceLineJson, ValueJson};
use super::page::{self, Page};
use super::sarif::sarif;
use super::svg::svg;
use crate::ANSWERED;
use crate::failure::{Failure, current_folder};
use crate::progress::Busy;

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
    /// What was changed since this revision is more likely to be wrong; without it, since the last commit
    #[arg(long, value_name = "REV", conflicts_with_all = ["place", "against"])]
    pub since: Option<String>,
    /// Which of several failures, from 1
    #[arg(long, value_name = "N", conflicts_with_all = ["place", "against"])]
    pub failure: Option<usize>,
    /// List what failed instead of explaining it
    #[arg(long, conflicts_with_all = ["place", "against", "failure", "all"])]
    pub failures: bool,
    #[command(flatten)]
    pub experimenting: Experimenting,
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
        failure: args.failure,
        since: args.since.clone(),
    };
    if let Some(against) = &request.against {
        against.check(&current_folder()?)?;
    }
    if args.failures {
        return failures(&args, question);
    }
    let ask = |session: &Session| {
        let (standpoint, mut chain) = session.why(&request)?;
        let mut notes = standpoint.notes();
        // It numbers points, which nobody else may do meanwhile.
        drop(standpoint);
        let found = args.experimenting.of(session, request.thread.as_deref(), request.failure, &mut notes);
        if let Some(found) = &found {
            experiments::mark(&mut chain, found);
        }
        Ok(((chain, found), notes))
    };
    let ask_busily = |session: &Session| {
        let _busy = Busy::new("looking for the answer");
        ask(session)
    };
    let format = match args.format {
        WhyFormat::Text => AnswerFormat::Text,
        WhyFormat::Json => {
            let answered = args.asking.ask(Question::Whole, &ask_busily)?;
            let ((chain, found), mut notes) = match answered.answer {
                Ok(answered) => answered,
                Err(error) => return no_answer(error, AnswerFormat::Json, question),
            };
            notes.extend(answered.notes);
            let told = told(&chain, found.as_ref());
            let answer = &told.json;
            print_json(&WhyEnvelope { question, answer, chain: answer, notes: &notes })?;
            return Ok(ANSWERED);
        }
        WhyFormat::Markdown => AnswerFormat::Markdown,
        WhyFormat::Sarif | WhyFormat::Svg => {
            if args.experimenting.experiment {
                return Err(Failure::wrong_usage("--experiment is told as text, json or markdown"));
            }
            let ((chain, _), notes) = args.asking.ask(Question::Whole, &ask_busily)?.answer?;
            match args.format {
                WhyFormat::Svg => print(&svg(&chain))?,
                _ => print_json(&sarif(&chain, &notes))?,
            }
            return Ok(ANSWERED);
        }
    };
    answer(&args.asking, format, question, Question::Whole, &|session| {
        let ((chain, found), notes) = ask(session)?;
        Ok((told(&chain, found.as_ref()), notes))
    })
}

/// What failed, the first first.
fn failures(args: &WhyArgs, question: QuestionJson) -> Result<ExitCode, Failure> {
    let format = match args.format {
        WhyFormat::Text => AnswerFormat::Text,
        WhyFormat::Json => AnswerFormat::Json,
        WhyFormat::Markdown => AnswerFormat::Markdown,
        WhyFormat::Sarif | WhyFormat::Svg => {
            return Err(Failure::wrong_usage("--failures is told as text, json or markdown"));
        }
    };
    answer(&args.asking, format, question, Question::Whole, &|session| {
        let failures = session.failures(args.asking.thread.as_deref())?;
        let mut page = Page::default();
        page.title(&match failures.len() {
            1 => "one failure".to_owned(),
            n => format!("{n} failures; --failure N explains one of them"),
        });
        for (number, failure) in (1..).zip(&failures) {
            let says = vec![format!("{number}. {}", failure.message)];
            page.hop(page::Told { point: failure.point.clone(), says, tree: None, is_parent: false });
        }
        let json = FailuresJson {
            kind: "failures",
            failures: (1..)
                .zip(&failures)
                .map(|(number, failure)| NumberedJson { number, failure: failure_json(failure) })
                .collect(),
        };
        Ok((Told::new(page, json, true), Vec::new()))
    })
}

#[derive(Serialize)]
struct FailuresJson {
    kind: &'static str,
    failures: Vec<NumberedJson>,
}

#[derive(Serialize)]
struct NumberedJson {
    number: usize,
    #[serde(flatten)]
    failure: FailureJson,
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
    /// The whole in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    chain: Vec<HopJson>,
    end: Option<&'static str>,
    /// What running it again with one thing different showed.
    #[serde(skip_serializing_if = "Option::is_none")]
    experiments: Option<ExperimentsJson>,
}

#[derive(Serialize)]
struct FailureJson {
    kind: &'static str,
    message: String,
    point: PointJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<&'static str>,
}

#[derive(Serialize)]
struct HopJson {
    kind: &'static str,
    point: PointJson,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ValueJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds: Option<RoundsJson>,
    /// The branch that decided it, where both are told as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<ReasonJson>,
    /// Beside a passing run: not-reached, other-way, other-value.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<&'static str>,
    /// The hop that it explains, by its index.
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<&'static str>,
    /// What ends there, where that is not the hop as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    end_of: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    writers: Vec<SourceLineJson>,
    /// No data leads to it from what failed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    beside: bool,
    /// Since when its line was changed, where git knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_since: Option<String>,
    /// What explains it and cannot be wrong by itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    with: Vec<PartJson>,
}

#[derive(Serialize)]
struct PartJson {
    point: PointJson,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ValueJson>,
}

/// The times round of an accumulator.
#[derive(Serialize)]
struct RoundsJson {
    n: usize,
    /// There are more, further back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
    /// Which of them is told, from 1.
    told: usize,
    stands_out: &'static str,
    text: String,
    /// The nearest ones, oldest first.
    others: Vec<RoundJson>,
}

#[derive(Serialize)]
struct RoundJson {
    point: PointJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ValueJson>,
}

#[derive(Serialize)]
struct ReasonJson {
    text: String,
    point: PointJson,
}

fn told(chain: &Chain, found: Option<&Experiments>) -> Told<impl Serialize + use<>> {
    let failure = &chain.failure;
    let json = WhyJson {
        kind: "why",
        failure: failure_json(failure),
        summary: chain.summary.clone(),
        chain: chain.hops.iter().map(hop_json).collect(),
        end: chain.end().map(|end| end.kind),
        experiments: found.map(experiments::experiments_json),
    };
    let mut whole = found.map(experiments::lead).unwrap_or_default();
    whole.append(page(chain));
    Told::new(whole, json, true)
}

fn failure_json(failure: &FailureShown) -> FailureJson {
    FailureJson {
        kind: failure.kind,
        message: failure.message.clone(),
        point: json::point(&failure.point),
        value: failure.value.as_ref().map(json::value),
        difference: failure.discrepancy.map(|discrepancy| discrepancy.name()),
    }
}

fn hop_json(hop: &ChainHop) -> HopJson {
    HopJson {
        kind: hop.kind,
        point: json::point(&hop.point),
        text: hop.text.clone(),
        value: hop.value.as_ref().map(json::value),
        parent: hop.parent,
        rounds: hop.rounds.as_ref().map(rounds_json),
        because: hop
            .because
            .as_ref()
            .map(|because| ReasonJson { text: because.text.clone(), point: json::point(&because.point) }),
        difference: hop.difference,
        end: hop.end.as_ref().map(|end| end.kind),
        end_of: hop.end.as_ref().and_then(|end| end.about.clone()),
        writers: hop.end.as_ref().map_or(Vec::new(), |end| json::source_lines(&end.writers)),
        beside: hop.is_beside,
        changed_since: hop.changed_since.clone(),
        with: hop.with.iter().map(part_json).collect(),
    }
}

fn part_json(part: &ChainPart) -> PartJson {
    PartJson { point: json::point(&part.point), text: part.text.clone(), value: part.value.as_ref().map(json::value) }
}

fn rounds_json(rounds: &ChainRounds) -> RoundsJson {
    let others = rounds
        .others
        .iter()
        .map(|round| RoundJson { point: json::point(&round.point), value: round.value.as_ref().map(json::value) });
    RoundsJson {
        n: rounds.n,
        cut: rounds.is_cut,
        told: rounds.told,
        stands_out: rounds.stands_out,
        text: rounds.text.clone(),
        others: others.collect(),
    }
}

fn page(chain: &Chain) -> Page {
    let mut page = Page::default();
    page.title(match chain.failure.message.as_str() {
        "" => "an exception left the program",
        message => message,
    });
    if let Some(summary) = &chain.summary {
        page.line(summary);
    }
    let roots: Vec<usize> = (0..chain.hops.len()).filter(|hop| chain.hops[*hop].parent.is_none()).collect();
    for root in roots {
        tell(chain, root, Vec::new(), &mut page);
    }
    page
}

/// A hop, and below it those that explain it.
fn tell(chain: &Chain, hop: usize, tree: Vec<bool>, page: &mut Page) {
    let ChainHop { point, text, end, parent, rounds, because, difference, with, is_beside, .. } = &chain.hops[hop];
    let changed = chain.hops[hop].changed_words();
    let children: Vec<usize> = chain.children(hop).collect();
    // The title says what failed.
    let mut says = Vec::from_iter(parent.map(|_| text.clone()));
    // A way back that goes on elsewhere has not ended.
    let end = end.as_ref().filter(|end| children.is_empty() || !end.writers.is_empty());
    let clauses = end.iter().map(|end| end.text.as_str()).chain(rounds.iter().map(|rounds| rounds.text.as_str()));
    let clauses = clauses.chain(because.iter().map(|because| because.text.as_str()));
    for clause in clauses.chain(is_beside.then_some(debugger::BESIDE)).chain(changed.as_deref()) {
        match says.last_mut() {
            Some(says) => says.push_str(&format!("; {clause}")),
            None => says.push(clause.to_owned()),
        }
    }
    let writers = end.iter().flat_map(|end| &end.writers);
    says.extend(writers.map(|line| format!("  it is written at {}:{}  {}", line.file, line.line, line.text)));
    says.extend(difference.map(|difference| match difference {
        "not-reached" => "  the passing run never came here".to_owned(),
        "other-way" => "  the passing run never went this way".to_owned(),
        _ => "  the passing run never had such a value here".to_owned(),
    }));
    // Numbered ones were asked for.
    let others = rounds.iter().flat_map(|rounds| &rounds.others).filter(|round| round.point.number.is_some());
    says.extend(others.map(|round| {
        let value = round.value.as_ref().map_or("", |value| value.text.as_str());
        format!("  another time round: {}  {value}", page::head(&round.point, page::Ink::Plain))
    }));
    says.extend(with.iter().map(|part| format!("  {}: {}", page::head(&part.point, page::Ink::Plain), part.text)));
    page.hop(page::Told { point: point.clone(), says, tree: Some(tree.clone()), is_parent: !children.is_empty() });
    for (number, child) in children.iter().enumerate() {
        let goes_on = number + 1 < children.len();
        tell(chain, *child, tree.iter().copied().chain([goes_on]).collect(), page);
    }
}
