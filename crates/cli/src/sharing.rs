//! A run as a file to be given to others, and such a file as a run.

use std::path::PathBuf;
use std::process::ExitCode;

use debugger::{Exported, RedactRequest, Redacted, RunChoice, Session};
use serde::Serialize;

use crate::ask::{AnswerFormat, escaped, print, print_json};
use crate::failure::{Failure, current_folder};
use crate::progress::{Busy, Progress};
use crate::text::{counted, size};
use crate::{ANSWERED, tell};

#[derive(clap::Args)]
pub struct ExportArgs {
    /// Number or folder of the run; the latest if left out
    pub run: Option<String>,
    /// The file to write; run-N.wherefore if left out
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Also take out what stands under this name, or matches this pattern: ssn, /ORD-\d+/
    #[arg(long, value_name = "NAME|/PATTERN/")]
    pub redact: Vec<String>,
    /// Also take out addresses of e-mail
    #[arg(long)]
    pub emails: bool,
    /// Take out only what --redact says, no passwords, tokens, keys, cookies and card numbers by themselves
    #[arg(long)]
    pub no_default_redactions: bool,
    /// Also list what stays and may be secret, to be looked through: it is shown as it is
    #[arg(long)]
    pub list_kept: bool,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

#[derive(clap::Args)]
pub struct ImportArgs {
    /// A file that `wherefore export` wrote
    pub file: PathBuf,
}

pub fn export(args: ExportArgs) -> Result<ExitCode, Failure> {
    let folder = current_folder()?;
    let session = Session::open(&RunChoice(args.run), &folder)?;
    let number = session.folder().file_name().unwrap_or_default().to_string_lossy();
    let file = args.output.unwrap_or_else(|| format!("run-{number}.wherefore").into());
    let request = RedactRequest { redact: args.redact, emails: args.emails, no_defaults: args.no_default_redactions };
    let mut progress = Progress::new("taking secrets out");
    let mut exported = debugger::export(&session, &file, &request, &mut |done, all| progress.show(done, all))?;
    drop(progress);
    if !args.list_kept {
        exported.kept.clear();
    }
    let shown = file.display().to_string();
    match args.format {
        AnswerFormat::Text => print(&text(&exported, &shown))?,
        AnswerFormat::Markdown => print(&escaped(&text(&exported, &shown)).replace('\n', "\n\n"))?,
        AnswerFormat::Json => print_json(&json(&exported, &shown))?,
    }
    if args.format != AnswerFormat::Json {
        tell::notes(&exported.notes);
    }
    Ok(ANSWERED)
}

pub fn import(args: ImportArgs) -> Result<ExitCode, Failure> {
    let _busy = Busy::new("opening the file");
    let number = debugger::import(&args.file, &current_folder()?)?;
    print(&format!("{} is run {number}\n", args.file.display()))?;
    Ok(ANSWERED)
}

fn text(exported: &Exported, file: &str) -> String {
    let mut out = String::new();
    if exported.taken.is_empty() {
        out.push_str("nothing was taken out\n");
    } else {
        out.push_str("taken out:\n");
    }
    let label = |taken: &Redacted| match &taken.name {
        Some(name) => format!("{} ({name})", taken.rule),
        None => taken.rule.clone(),
    };
    let width = exported.taken.iter().map(|taken| label(taken).chars().count()).max().unwrap_or(0);
    for taken in &exported.taken {
        let values = counted(taken.n_values as u64, "value");
        out.push_str(&format!("  {:width$}  {values}, in {}\n", label(taken), counted(taken.n_places, "place")));
    }
    if !exported.only_named.is_empty() {
        let names = exported.only_named.join(", ");
        out.push_str(&format!(
            "only where it stands under its name, as it is short or a word of the program: {names}\n"
        ));
    }
    if !exported.kept.is_empty() {
        out.push_str("stays, though it may be secret (--redact takes it out):\n");
    }
    for kept in &exported.kept {
        let name = kept.name.as_ref().map_or_else(String::new, |name| format!("  ({name})"));
        out.push_str(&format!("  {}{name}  in {}\n", one_line(&kept.value), counted(kept.n_places, "text")));
    }
    out.push_str(&format!("{file}, {}: look whether that is all before you share it\n", size(exported.size)));
    out
}

/// A value may have lines, and what a terminal would obey.
fn one_line(value: &str) -> String {
    value.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

#[derive(Serialize)]
struct ExportedJson<'a> {
    file: &'a str,
    size: u64,
    redacted: Vec<TakenJson<'a>>,
    only_named: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kept: Vec<KeptJson<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct KeptJson<'a> {
    value: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    texts: u64,
}

#[derive(Serialize)]
struct TakenJson<'a> {
    rule: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    values: usize,
    places: u64,
}

fn json<'a>(exported: &'a Exported, file: &'a str) -> ExportedJson<'a> {
    let redacted = exported.taken.iter().map(|taken| TakenJson {
        rule: &taken.rule,
        name: taken.name.as_deref(),
        values: taken.n_values,
        places: taken.n_places,
    });
    let kept = exported.kept.iter().map(|kept| KeptJson {
        value: &kept.value,
        name: kept.name.as_deref(),
        texts: kept.n_places,
    });
    ExportedJson {
        kept: kept.collect(),
        file,
        size: exported.size,
        redacted: redacted.collect(),
        only_named: &exported.only_named,
        notes: &exported.notes,
    }
}
