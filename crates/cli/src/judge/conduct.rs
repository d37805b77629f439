//! The dialogue, whoever answers.

use std::process::ExitCode;

use debugger::{CallRef, Judge, JudgeRequest, Judgement as Answer, Next, QuestionShown, Session};

use super::answers::Answers;
use super::json::{self, Transcript};
use super::keys::Keys;
use super::oracle::Oracle;
use super::{JudgeArgs, page};
use crate::args::Format;
use crate::ask::{Ink, print, print_json};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::width::{fitted, of_stdout};
use crate::{ANSWERED, NONE, tell};

pub struct Judged {
    pub code: ExitCode,
}

/// What somebody says to a question.
pub enum Reply {
    Answer(Answer),
    /// The call is invalid, and this is what is wrong of it.
    Wrong(String),
    Undo,
    /// Show all of it.
    More,
    /// Show what was said so far.
    Verdicts,
    Quit,
}

/// Who answers.
pub trait Person {
    fn reply(&mut self, question: &QuestionShown) -> Result<Reply, Failure>;
    /// Whether questions are to be shown.
    fn reads(&self) -> bool;
}

pub fn conduct(session: &Session, request: &JudgeRequest, args: &JudgeArgs) -> Result<Judged, Failure> {
    let mut progress = Progress::new("reading the calls");
    let mut judge = Judge::begin(session, request, &mut |done, all| progress.show(done, all))?;
    drop(progress);
    if args.export {
        print(&judge.export())?;
        return Ok(Judged { code: ANSWERED });
    }
    let mut person: Box<dyn Person> = match (&args.oracle, &args.answers) {
        (Some(command), _) => Box::new(Oracle::new(command)),
        (None, Some(file)) => Box::new(Answers::read(file)?),
        (None, None) => Box::new(Keys::open()?),
    };
    let mut dialogue = Dialogue { format: args.format, ink: Ink::of_stdout(), transcript: Vec::new() };
    let code = dialogue.hold(&mut judge, person.as_mut())?;
    tell::notes(judge.notes());
    Ok(Judged { code })
}

struct Dialogue {
    format: Format,
    ink: Ink,
    transcript: Vec<Transcript>,
}

impl Dialogue {
    fn hold(&mut self, judge: &mut Judge, person: &mut dyn Person) -> Result<ExitCode, Failure> {
        let mut n_conflicts = 0;
        let mut n_automatic = 0;
        loop {
            let next = judge.next_question()?;
            if self.format == Format::Text {
                let automatic = judge.automatic_verdicts(n_automatic);
                n_automatic += automatic.len();
                show(&page::automatic(&automatic))?;
            }
            let question = match next {
                Next::Ask(question) => question,
                end => return self.end(judge, end),
            };
            let is_text = self.format == Format::Text;
            if is_text && person.reads() {
                show(&page::question(&question, self.ink, false))?;
            }
            let mut wrong = None;
            let answer = loop {
                match person.reply(&question)? {
                    Reply::Answer(answer) => break Some(answer),
                    Reply::Wrong(place) => {
                        wrong = Some(place);
                        break Some(Answer::Invalid);
                    }
                    Reply::Undo => {
                        match judge.undo()? {
                            Some(taken) => {
                                self.transcript.pop();
                                n_automatic = 0;
                                print(&format!("taken back: {taken}\n"))?;
                            }
                            None => print("there is nothing to take back\n")?,
                        }
                        break None;
                    }
                    Reply::More => show(&page::question(&question, self.ink, true))?,
                    Reply::Verdicts => show(&page::verdicts(&judge.verdicts()))?,
                    Reply::Quit => {
                        if is_text {
                            let (n_left, _) = judge.n_suspicious();
                            print(&format!("{n_left} calls are suspicious; the verdicts are kept with the run\n"))?;
                        }
                        return Ok(ExitCode::from(NONE));
                    }
                }
            };
            let Some(answer) = answer else { continue };
            judge.answer(&question, answer)?;
            // A place that cannot be followed costs an order of questions, and nothing else.
            if let Some(place) = &wrong
                && let Err(error) = judge.point_at(&question, place)
                && person.reads()
            {
                print(&format!("{error}\n"))?;
            }
            if is_text && !person.reads() {
                show(&page::asked(&question, answer))?;
            }
            self.transcript.push(json::transcript(&question, answer));
            let conflicts = judge.conflicts();
            for conflict in conflicts.iter().skip(n_conflicts).filter(|_| is_text) {
                print(&format!("that contradicts: {}; now {}, which stands\n", conflict.older, conflict.newer))?;
            }
            n_conflicts = conflicts.len();
        }
    }

    fn end(&self, judge: &Judge, end: Next) -> Result<ExitCode, Failure> {
        if self.format == Format::Json {
            print_json(&json::ended(judge, &end, &self.transcript))?;
        } else {
            show(&match &end {
                Next::Found(found) => page::found(found, self.ink),
                Next::Unsure(calls) => unsure(calls),
                _ => "no call is suspicious any more: one of the verdicts is wrong, or what is wrong is in trusted code\n"
                    .to_owned(),
            })?;
        }
        Ok(if matches!(end, Next::Found(_)) { ANSWERED } else { ExitCode::from(NONE) })
    }
}

fn unsure(calls: &[CallRef]) -> String {
    const MOST: usize = 20;
    let mut text = format!("one of {} calls is wrong, and nobody knows which:\n", calls.len());
    for call in calls.iter().take(MOST) {
        text.push_str(&format!("    {}  @{}\n", call.text(), call.event));
    }
    if calls.len() > MOST {
        text.push_str("    …\n");
    }
    text
}

/// As wide as the terminal.
fn show(text: &str) -> Result<(), Failure> {
    print(&fitted(text, of_stdout()))
}
