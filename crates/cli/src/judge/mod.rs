//! `wherefore judge`: asks whether calls did what they should, until one is found that did not.

mod answers;
mod conduct;
mod json;
mod keys;
mod oracle;
pub mod page;
mod table_page;
mod tables;
mod values;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use debugger::{Automatic, JudgeRequest, PointText, RunChoice, Strategy};

use crate::args::Format;
use crate::ask::Asking;
use crate::failure::{Failure, current_folder};
use crate::tell;
use conduct::{Judged, conduct};

#[derive(clap::Args)]
pub struct JudgeArgs {
    /// In which order to ask
    #[arg(long, value_enum, default_value_t = Order::Slice)]
    pub strategy: Order,
    /// The first thing that is wrong: a place (with --at), out:3 (a line of output; those before it are right) or crash; if left
    /// out, what was said before, or the failure, or the last output
    #[arg(long, value_name = "PLACE")]
    pub wrong: Option<String>,
    /// A run of the same code in which all was well: what it covered is asked about later; may be given more than once
    #[arg(long, value_name = "RUN")]
    pub passing: Vec<String>,
    /// A run whose calls were all right: the same call with the same effects is valid, with others it is invalid
    #[arg(long, value_name = "RUN")]
    pub against: Vec<String>,
    /// Trust a function, a file, file:function or a @scope/package: its calls are right, whatever they called
    #[arg(long, value_name = "NAME")]
    pub trust: Vec<String>,
    /// Judge the code of packages as well
    #[arg(long)]
    pub distrust: bool,
    /// Ask, where this could answer by itself
    #[arg(long, value_enum, value_name = "WHAT")]
    pub no_auto: Vec<Auto>,
    /// Ask about each call by itself, and never about many calls of a function in one table
    #[arg(long)]
    pub singly: bool,
    /// Forget the verdicts that were given before
    #[arg(long)]
    pub fresh: bool,
    /// Answers from a file: lines of a function, app.js:5, app.js:5#2, @123 or *, and a verdict
    #[arg(long, value_name = "FILE", conflicts_with = "oracle")]
    pub answers: Option<PathBuf>,
    /// A command that gets each question as JSON and prints valid, invalid, trusted or unknown; of a table it gets each row
    #[arg(long, value_name = "COMMAND")]
    pub oracle: Option<String>,
    /// Print the verdicts that were given, and ask nothing
    #[arg(long)]
    pub export: bool,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// The calls of the innermost wrong call, one after the other
    TopDown,
    /// Half of what is suspicious
    Divide,
    /// Half, by the edges of the flow of control that calls covered
    Edges,
    /// Half, by chains of definition and use
    DefUse,
    /// By what a wrong value came from
    Slice,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Auto {
    /// The same call was judged before
    Identical,
    /// A run that --against names
    Against,
    /// Types that the source declares
    Types,
    /// Assertions in the source
    Assertions,
    All,
}

impl From<Order> for Strategy {
    fn from(order: Order) -> Strategy {
        match order {
            Order::TopDown => Strategy::TopDown,
            Order::Divide => Strategy::Divide,
            Order::Edges => Strategy::Edges,
            Order::DefUse => Strategy::DefUse,
            Order::Slice => Strategy::Slice,
        }
    }
}

pub fn run(args: JudgeArgs) -> Result<ExitCode, Failure> {
    let request = args.request();
    let folder = current_folder()?;
    request.against.iter().chain(&request.passing).try_for_each(|run| run.check(&folder))?;
    let (session, notes) = args.asking.session()?;
    let judged = conduct(&session, &request, &args);
    tell::notes(&notes);
    let Judged { code } = judged?;
    Ok(code)
}

impl JudgeArgs {
    fn request(&self) -> JudgeRequest {
        let runs = |names: &[String]| names.iter().map(|name| RunChoice(Some(name.clone()))).collect();
        let mut without = Vec::new();
        for auto in &self.no_auto {
            match auto {
                Auto::Identical => without.push(Automatic::Identical),
                Auto::Against => without.push(Automatic::Against),
                Auto::Types => without.push(Automatic::Types),
                Auto::Assertions => without.push(Automatic::Assertions),
                Auto::All => without.extend(Automatic::ALL),
            }
        }
        // What is wrong may be a point by itself.
        let point = self.wrong.as_ref().and_then(|text| text.parse::<PointText>().ok());
        let point = point.filter(|point| matches!(point, PointText::Output { .. } | PointText::Crash));
        JudgeRequest {
            strategy: self.strategy.into(),
            thread: self.asking.thread.clone(),
            wrong: self.wrong.clone().filter(|_| point.is_none()),
            at: point.or_else(|| self.asking.at.clone()),
            passing: runs(&self.passing),
            against: runs(&self.against),
            distrust: self.distrust,
            trust: self.trust.clone(),
            without,
            is_fresh: self.fresh,
            singly: self.singly,
        }
    }
}
