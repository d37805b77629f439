use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::ask::{AnswerFormat, Ask};
use crate::ci::CiArgs;
use crate::collect::CollectArgs;
use crate::dap::DapArgs;
use crate::failure::Failure;
use crate::indexing::IndexArgs;
use crate::judge::JudgeArgs;
use crate::mcp::McpArgs;
use crate::open::OpenArgs;
use crate::pause::PauseArgs;
use crate::plan::PlanArgs;
use crate::sharing::{ExportArgs, ImportArgs};
use crate::shell::{CompletionsArgs, ManArgs};
use crate::text::parse_size;
use debugger::RecordedCode;

/// A debugger that answers questions about an execution.
#[derive(Parser)]
#[command(name = "wherefore", version, max_term_width = 100, after_help = AFTER_HELP)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

const AFTER_HELP: &str = "\
Begin with: wherefore why -- node app.js      (or npm test, npx jest, npx tsx app.ts …)
Then ask:   wherefore last-change cart.total --at app.js:22 · wherefore state --at P2 · wherefore eval 'a.length' --at P2

Exit codes: 0 answered; 1 the answer is that there is none; 2 wrong usage; 3 could not run. `record` and `ci` end as their command does.";

#[derive(Subcommand)]
pub enum Command {
    #[command(flatten)]
    Ask(Ask),
    /// See the run in a browser, and ask about what looks wrong by pointing at it
    Open(OpenArgs),
    /// Serve the Debug Adapter Protocol: the run in an editor, forward and back
    Dap(DapArgs),
    /// Serve the questions to coding agents (Model Context Protocol), on stdin and stdout or over HTTP
    Mcp(McpArgs),
    /// Run the program again and halt at a point, for Chrome DevTools or VS Code to attach
    Pause(PauseArgs),
    /// Find the wrong call by saying of a few calls whether they did what they should
    Judge(Box<JudgeArgs>),
    /// What answering a question by running the program would record
    Plan(PlanArgs),
    /// Run a command and record what it does
    Record(RecordArgs),
    /// Run a command as it is, for continuous integration; if it fails, run it again recorded and report why
    Ci(CiArgs),
    /// List the runs of this project, or remove some
    Runs(RunsArgs),
    /// Print the events of a run
    Events(EventsArgs),
    /// Make one file of a run to share, without passwords, tokens and their like
    Export(ExportArgs),
    /// Open a file that somebody shared, as a run
    Import(ImportArgs),
    /// Run the server that learns from the crashes of deployed programs
    #[command(disable_help_flag = true)]
    Collect(CollectArgs),
    /// Print a file as it is run under the recorder
    Instrument(InstrumentArgs),
    /// Print what a shell needs to complete commands and options
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
    /// Print how a coding agent uses this: when to ask which question, with three worked examples (SKILL.md)
    Skill,
    /// Make the index of a run, as `record` has it made
    #[command(hide = true)]
    Index(IndexArgs),
}

/// Which code is recorded when a command runs.
#[derive(Clone, clap::Args)]
pub struct CodeArgs {
    /// Record only files whose path matches
    #[arg(long, value_name = "GLOB")]
    pub include: Vec<String>,
    /// Do not record files whose path matches
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Record this package too, although it is a tool
    #[arg(long, value_name = "NAME")]
    pub include_package: Vec<String>,
    /// Record tools as well: package managers, test runners, transpilers
    #[arg(long)]
    pub include_tools: bool,
}

impl CodeArgs {
    pub fn recorded(&self) -> RecordedCode {
        RecordedCode {
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            packages: self.include_package.clone(),
            tools: self.include_tools,
        }
    }

    /// They say what is recorded, which is over where no program is run.
    pub fn check(&self, runs_program: bool) -> Result<(), Failure> {
        let is_vain = !runs_program && self.given().is_some();
        let why = "--include, --exclude, --include-package and --include-tools say what is recorded: give the command behind --";
        if is_vain { Err(Failure::wrong_usage(why)) } else { Ok(()) }
    }

    /// `None` if nothing was said.
    pub fn given(&self) -> Option<RecordedCode> {
        let code = self.recorded();
        (code != RecordedCode::default()).then_some(code)
    }
}

#[derive(clap::Args)]
pub struct RecordArgs {
    /// Keep about this much of the newest events: 500MB, 2GB
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub keep_last: Option<u64>,
    #[command(flatten)]
    pub code: CodeArgs,
    /// What to record: all (the default), calls,branches, properties=total,items, variables=x, functions=merge,app.js:22
    #[arg(long, value_name = "POLICY")]
    pub policy: Vec<String>,
    /// Keep the run in this folder instead of the next of .wherefore/runs
    #[arg(short = 'o', long, value_name = "DIR")]
    pub run_dir: Option<PathBuf>,
    /// The command
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct RunsArgs {
    #[command(subcommand)]
    pub command: Option<RunsCommand>,
    /// At most so many, the oldest first
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Go on from here, as the page before says at its end
    #[arg(long, value_name = "CURSOR")]
    pub from: Option<debugger::Cursor>,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

#[derive(Subcommand)]
pub enum RunsCommand {
    /// Remove runs
    Rm {
        #[arg(required = true, value_name = "N")]
        numbers: Vec<u32>,
    },
    /// Remove all but the latest runs
    Prune {
        /// How many to keep
        #[arg(long, value_name = "K", default_value_t = 10)]
        keep: usize,
    },
}

#[derive(clap::Args)]
pub struct EventsArgs {
    /// Number or folder of the run; the latest if left out
    pub run: Option<String>,
    /// Only this thread: 2, or 4711-0
    #[arg(long)]
    pub thread: Option<String>,
    /// Only events of this kind; may be given more than once
    #[arg(long)]
    pub kind: Vec<String>,
    /// Only events in this file
    #[arg(long)]
    pub file: Option<String>,
    /// Only events on this line
    #[arg(long)]
    pub line: Option<u32>,
    /// Only events in functions of this name
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Only from this event on
    #[arg(long, value_name = "@N", value_parser = parse_event)]
    pub from: Option<u64>,
    /// Only up to this event
    #[arg(long, value_name = "@N", value_parser = parse_event)]
    pub to: Option<u64>,
    /// At most so many
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Only those of the call that this point is in, without what it called
    #[arg(long, value_name = "POINT")]
    pub call: Option<debugger::PointText>,
    /// Print what ran and was not recorded instead, and why
    #[arg(long, conflicts_with_all = ["thread", "kind", "file", "line", "function", "from", "to", "limit", "call"])]
    pub not_captured: bool,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

#[derive(clap::Args)]
pub struct InstrumentArgs {
    /// The file
    #[arg(required_unless_present_any = ["server", "prelude"])]
    pub file: Option<PathBuf>,
    /// How it will be compiled; a guess from its name if left out
    #[arg(long, value_enum)]
    pub kind: Option<Kind>,
    /// What to record, as for `record`
    #[arg(long, value_name = "POLICY")]
    pub policy: Vec<String>,
    /// Print the sites instead of the text
    #[arg(long)]
    pub sites: bool,
    /// Answer requests on stdin, a line of JSON each
    #[arg(long, conflicts_with_all = ["file", "sites", "prelude", "kind", "policy"])]
    pub server: bool,
    /// Print the script that declares what instrumented code calls
    #[arg(long, conflicts_with_all = ["file", "sites", "kind", "policy"])]
    pub prelude: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    Script,
    Module,
    Cjs,
}

impl From<Kind> for debugger::CodeKind {
    fn from(kind: Kind) -> debugger::CodeKind {
        match kind {
            Kind::Script => debugger::CodeKind::Script,
            Kind::Module => debugger::CodeKind::Module,
            Kind::Cjs => debugger::CodeKind::CommonJs,
        }
    }
}

/// `@12345`, or without the `@`.
pub fn parse_event(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix('@').unwrap_or(text);
    digits.parse().map_err(|_| "an event is written @12345".into())
}
