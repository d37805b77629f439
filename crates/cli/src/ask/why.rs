use std::process::ExitCode;

use clap::ValueEnum;
use debugger::{Answer, Chain, ChainHop, MoreFailures, QuestionKind, RunChoice, TestShown, WhyRequest};

use super::asking::{AnswerFormat, Answered, Asking, answer, no_answer, print, print_answer, print_json};
use super::experiments::{self, Experimenting};
use super::page::{self, Page};
use super::sarif::sarif;
use super::svg::svg;
use crate::failure::{Failure, current_folder};
use crate::{ANSWERED, COULD_NOT_RUN, WRONG_USAGE, dashes, tell};

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
    #[arg(long, value_name = "N", conflicts_with = "place")]
    pub failure: Option<usize>,
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
    let request = WhyRequest {
        place: args.place.clone(),
        all: args.all,
        against: args.against.clone().map(|run| RunChoice(Some(run))),
        failure: args.failure,
        since: args.since.clone(),
    };
    if let Some(against) = &request.against {
        against.check(&current_folder()?)?;
    }
    match (args.format.of_answers(), args.experimenting.experiment) {
        (Some(format), false) => {
            let answered = answer(&args.asking, format, QuestionKind::Why(request));
            let is_of_run = !args.asking.runs_program();
            // A name of the program may be that of a command as well.
            answered.map_err(|failure| match failure.code {
                WRONG_USAGE | COULD_NOT_RUN if is_of_run => {
                    dashes::perhaps_missing(failure, "why", args.place.as_deref())
                }
                _ => failure,
            })
        }
        (Some(format), true) => with_experiments(&args, request, format),
        (None, false) => picture(&args, request),
        (None, true) => Err(Failure::wrong_usage("--experiment prints text, json or markdown")),
    }
}

/// The chain for other programs.
fn picture(args: &WhyArgs, request: WhyRequest) -> Result<ExitCode, Failure> {
    let Answered { reply, notes, .. } = args.asking.ask(&args.asking.question(QuestionKind::Why(request)))?;
    let reply = reply.inspect_err(|_| tell::notes(notes))?;
    if let Answer::Why(chain) = &reply.answer {
        match args.format {
            WhyFormat::Svg => print(&svg(chain))?,
            _ => print_json(&sarif(&[chain], &[], &reply.notes))?,
        }
    }
    Ok(ANSWERED)
}

/// The explanation, led by what running the program again with one thing different showed.
fn with_experiments(args: &WhyArgs, request: WhyRequest, format: AnswerFormat) -> Result<ExitCode, Failure> {
    let failure = request.failure;
    let question = args.asking.question(QuestionKind::Why(request));
    let Answered { reply, notes, session, .. } = args.asking.ask(&question)?;
    let mut reply = match reply {
        Ok(reply) => reply,
        Err(error) => {
            tell::notes(notes);
            return no_answer(error, format, &question);
        }
    };
    reply.notes.extend(notes);
    let thread = args.asking.thread.as_deref();
    let found = session.and_then(|session| args.experimenting.of(&session, thread, failure, &mut reply.notes));
    let mut whole = found.as_ref().map(experiments::lead).unwrap_or_default();
    if let Answer::Why(chain) = &mut reply.answer {
        found.iter().for_each(|found| experiments::mark(chain, found));
        whole.append(page(chain));
    }
    let document = answer_json::document(&question, &reply);
    let document = match &found {
        Some(found) => document.with_experiments(found),
        None => document,
    };
    print_answer(&whole, &document, format)?;
    Ok(ANSWERED)
}

impl WhyFormat {
    /// As every answer is told; not one of those that only a chain has.
    fn of_answers(self) -> Option<AnswerFormat> {
        match self {
            WhyFormat::Text => Some(AnswerFormat::Text),
            WhyFormat::Json => Some(AnswerFormat::Json),
            WhyFormat::Markdown => Some(AnswerFormat::Markdown),
            WhyFormat::Sarif | WhyFormat::Svg => None,
        }
    }
}

pub fn page(chain: &Chain) -> Page {
    let mut page = Page::default();
    page.title(match chain.failure.message.as_str() {
        "" => "an exception left the program",
        message => message,
    });
    if let Some(test) = &chain.failure.test {
        page.line(in_test(test));
    }
    if let Some(summary) = &chain.summary {
        page.line(summary);
    }
    let roots: Vec<usize> = (0..chain.hops.len()).filter(|hop| chain.hops[*hop].parent.is_none()).collect();
    for root in roots {
        tell(chain, root, Vec::new(), &mut page);
    }
    if let Some(more) = &chain.more {
        page.line(said(more));
    }
    page
}

fn in_test(test: &TestShown) -> String {
    let place = test.place().filter(|_| !test.titles.is_empty()).map_or(String::new(), |place| format!(" ({place})"));
    format!("in the test {}{place}", test.title())
}

fn said(more: &MoreFailures) -> String {
    let MoreFailures { n, next } = more;
    let tests = if *n == 1 { "1 more test failed".to_owned() } else { format!("{n} more tests failed") };
    format!("{tests}: wherefore why --failure {next} … or wherefore failures")
}

/// A hop, and below it those that explain it.
fn tell(chain: &Chain, hop: usize, tree: Vec<bool>, page: &mut Page) {
    let ChainHop { point, text, end, parent, rounds, because, difference, with, .. } = &chain.hops[hop];
    let changed = chain.hops[hop].changed_words();
    let children: Vec<usize> = chain.children(hop).collect();
    // The title says what failed.
    let mut says = Vec::from_iter(parent.map(|_| text.clone()));
    // A way back that goes on elsewhere has not ended.
    let end = end.as_ref().filter(|end| children.is_empty() || !end.writers.is_empty());
    let clauses = end.iter().map(|end| end.text.as_str()).chain(rounds.iter().map(|rounds| rounds.text.as_str()));
    let clauses = clauses.chain(because.iter().map(|because| because.text.as_str()));
    for clause in clauses.chain(changed.as_deref()).filter(|clause| !clause.is_empty()) {
        match says.last_mut() {
            Some(says) => says.push_str(&format!("; {clause}")),
            None => says.push(clause.to_owned()),
        }
    }
    let writers = end.iter().flat_map(|end| &end.writers);
    says.extend(writers.map(|line| format!("  it is written at {}:{}  {}", line.file, line.line, line.text)));
    says.extend(difference.map(|difference| match difference {
        "not-reached" => "  the passing run never reached this".to_owned(),
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
    page.hop(page::HopText { point: point.clone(), says, tree: Some(tree.clone()), is_parent: !children.is_empty() });
    for (number, child) in children.iter().enumerate() {
        let goes_on = number + 1 < children.len();
        tell(chain, *child, tree.iter().copied().chain([goes_on]).collect(), page);
    }
}
