//! How a session begins and ends: a command is recorded and its run opened, or a run is opened that is there; and once more.

use std::path::{Path, PathBuf};

use debugger::{
    Answer, Environment, FindRequest, Input, PointText, QuestionKind, RecordRequest, RecordedCode, RunChoice, Session,
    StepRequest, StepStride,
};
use serde_json::json;

use crate::adapter::{Adapter, Body, Then};
use crate::position::OpenRun;
use crate::protocol::{AttachArguments, DisconnectArguments, LaunchArguments, Request, RunName, Words};
use crate::refusal::Refusal;

/// How the run came to be.
pub struct Start {
    /// The folder of the user.
    folder: PathBuf,
    /// Of a run that was there, its own command is run again.
    request: Option<RecordRequest>,
    stops_on_entry: bool,
}

impl Adapter {
    /// Answered when there is a run.
    pub fn launch(&mut self, arguments: &LaunchArguments, asked: &Request) -> Result<(), Refusal> {
        if self.is_running() {
            return Err(Refusal::new("a program is running; terminate ends it, and restart starts it again"));
        }
        let folder = self.folder_of(arguments.cwd.as_deref());
        let request = record_request(arguments)?;
        self.record(&request, &folder, asked);
        self.start = Some(Start { folder, request: Some(request), stops_on_entry: arguments.stop_on_entry });
        Ok(())
    }

    pub fn attach(&mut self, arguments: AttachArguments) -> Body {
        let folder = self.folder_of(arguments.cwd.as_deref());
        let run = arguments.run.map(|run| match run {
            RunName::Number(number) => Ok(number),
            // A configuration is mostly written by hand, and a variable of it is a text.
            RunName::Text(text) => text
                .parse::<u32>()
                .map_err(|_| Refusal::new(format!("{text} is no run: runs are named by their numbers"))),
        });
        let run = run.transpose()?.map(|number| number.to_string());
        let session = Session::open(&RunChoice(run), &folder)?;
        self.start = Some(Start { folder, request: None, stops_on_entry: arguments.stop_on_entry });
        self.open_run(session)?;
        self.then = Then::Initialized;
        Ok(json!({}))
    }

    /// Breakpoints are known now: control stands at the failure.
    pub fn configuration_done(&mut self) -> Body {
        self.opened()?;
        self.then = Then::Show(ENTRY);
        Ok(json!({}))
    }

    /// Runs the program once more. Answered when there is a run.
    pub fn restart(&mut self, asked: &Request) -> Result<(), Refusal> {
        let start = self.start.as_ref().ok_or_else(Refusal::nothing_open)?;
        let folder = start.folder.clone();
        let request = match &start.request {
            Some(request) => request.clone(),
            None => self.opened()?.session.recorded_again()?,
        };
        self.stop_program();
        self.record(&request, &folder, asked);
        Ok(())
    }

    /// The program ends with the session, unless the client wants it to go on. Then it is recorded to its end all the same.
    pub fn disconnect(&mut self, arguments: &DisconnectArguments) -> Body {
        if arguments.terminate_debuggee != Some(false) {
            self.stop_program();
        }
        self.then = Then::End;
        Ok(json!({}))
    }

    pub fn open_run(&mut self, session: Session) -> Result<(), Refusal> {
        if !self.is_running() {
            (self.options.opened)(&session);
        }
        self.references.forget();
        self.sources.forget();
        self.targets.forget();
        self.judge = None;
        let mut open = OpenRun::new(session, &self.control)?;
        if self.start.as_ref().is_some_and(|start| start.stops_on_entry) {
            let thread = open.thread;
            if let Some(first) = first_statement(&open, thread, &self.control) {
                open.go(thread, first);
            }
        }
        self.open = Some(open);
        Ok(())
    }

    fn folder_of(&self, cwd: Option<&str>) -> PathBuf {
        self.options.folder.join(cwd.unwrap_or_default())
    }
}

/// Where control stands when a session begins.
pub const ENTRY: &str = "entry";

/// The first statement that a thread executes.
pub fn first_statement(open: &OpenRun, thread: usize, control: &debugger::Control) -> Option<PointText> {
    let of_thread = |kind, at| {
        let from = debugger::Where { at, thread: Some(thread.to_string()), ..Default::default() };
        open.ask(&debugger::Question { kind, from }, control).ok().map(|reply| reply.answer)
    };
    let calls = FindRequest { kind: Some("call".into()), index: Some(0), ..FindRequest::default() };
    let Some(Answer::Find(found)) = of_thread(QuestionKind::Find(calls), Some(PointText::End)) else { return None };
    let entered = PointText::Event(found.items.first()?.point.event);
    let step = QuestionKind::Step(StepRequest { stride: StepStride::Into, is_back: false });
    match of_thread(step, Some(entered.clone())) {
        Some(Answer::Step(answer)) => Some(answer.point.map_or(entered, |point| PointText::Event(point.event))),
        _ => Some(entered),
    }
}

fn record_request(arguments: &LaunchArguments) -> Result<RecordRequest, Refusal> {
    let command = match (&arguments.command, &arguments.program) {
        (Some(Words::Each(words)), _) => words.clone(),
        (Some(Words::Line(line)), _) => words_of(line),
        (None, Some(program)) => ["node".into(), program.clone()].into_iter().chain(arguments.args.clone()).collect(),
        (None, None) => Vec::new(),
    };
    if command.is_empty() {
        return Err(Refusal::new("a launch needs a command: \"command\": \"node app.js\""));
    }
    let changes = arguments.env.iter().map(|(name, value)| (name.into(), value.as_ref().map(Into::into))).collect();
    Ok(RecordRequest {
        environment: Environment::Inherit { changes },
        input: Input::Nothing,
        code: RecordedCode {
            include: arguments.include.clone(),
            exclude: arguments.exclude.clone(),
            packages: arguments.include_packages.clone(),
            tools: arguments.include_tools,
        },
        ..RecordRequest::of(command)
    })
}

/// A line of words is taken as it is; in one with anything else a shell knows what is meant.
fn words_of(line: &str) -> Vec<String> {
    let is_plain = |c: char| c.is_alphanumeric() || c == ' ' || "_-./:=@%+,".contains(c);
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let sets_variable = words.first().is_some_and(|first| first.contains('='));
    match words.is_empty() || line.chars().all(is_plain) && !sets_variable {
        true => words,
        false => ["sh".into(), "-c".into(), line.to_owned()].into(),
    }
}

/// How a run is called in what is said about it.
pub fn name_of(run: &Path) -> String {
    run.file_name().map_or_else(|| run.display().to_string(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_words_or_what_a_shell_reads() {
        assert_eq!(words_of("node  app.js --x=1"), ["node", "app.js", "--x=1"]);
        assert_eq!(words_of("node 'my app.js'"), ["sh", "-c", "node 'my app.js'"]);
        assert_eq!(words_of("A=1 node app.js"), ["sh", "-c", "A=1 node app.js"]);
        assert_eq!(words_of("npm test && echo"), ["sh", "-c", "npm test && echo"]);
        assert!(words_of(" ").is_empty());
    }
}
