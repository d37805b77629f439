//! The dialogue, whoever answers.

use std::process::ExitCode;

use debugger::{CallRef, Judge, JudgeRequest, Judgement, Next, QuestionShown, Session, TableShown};

use super::answers::Answers;
use super::json::{self, Transcript};
use super::keys::Keys;
use super::oracle::Oracle;
use super::tables::{Said, TableReply, by_rows};
use super::{JudgeArgs, page, table_page};
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
    Answer(Judgement),
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
    /// Who does not read answers for each row.
    fn reply_to_table(&mut self, table: &TableShown) -> Result<TableReply, Failure> {
        by_rows(table, &mut |row| self.reply(row).map(Some))
    }
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
    let mut dialogue =
        Dialogue { format: args.format, ink: Ink::of_stdout(), transcript: Vec::new(), n_automatic: 0, n_conflicts: 0 };
    let code = dialogue.hold(&mut judge, person.as_mut())?;
    tell::notes(judge.notes());
    Ok(Judged { code })
}

struct Dialogue {
    format: Format,
    ink: Ink,
    transcript: Vec<Transcript>,
    n_automatic: usize,
    n_conflicts: usize,
}

/// Whether there is a next question.
enum Going {
    On,
    Ended(ExitCode),
}

impl Dialogue {
    fn hold(&mut self, judge: &mut Judge, person: &mut dyn Person) -> Result<ExitCode, Failure> {
        loop {
            let next = judge.next_question()?;
            if self.is_text() {
                let automatic = judge.automatic_verdicts(self.n_automatic);
                self.n_automatic += automatic.len();
                show(&page::automatic(&automatic))?;
            }
            let going = match next {
                Next::Ask(question) => self.ask(judge, person, &question)?,
                Next::AskTable(table) => self.ask_table(judge, person, &table)?,
                end => return self.end(judge, end),
            };
            if let Going::Ended(code) = going {
                return Ok(code);
            }
        }
    }

    fn ask(&mut self, judge: &mut Judge, person: &mut dyn Person, question: &QuestionShown) -> Result<Going, Failure> {
        if self.is_text() && person.reads() {
            show(&page::question(question, self.ink, false))?;
        }
        let (answer, wrong) = loop {
            match person.reply(question)? {
                Reply::Answer(answer) => break (answer, None),
                Reply::Wrong(place) => break (Judgement::Invalid, Some(place)),
                Reply::Undo => return self.undo(judge),
                Reply::More => show(&page::question(question, self.ink, true))?,
                Reply::Verdicts => show(&page::verdicts(&judge.verdicts()))?,
                Reply::Quit => return self.quit(judge),
            }
        };
        judge.answer(question, answer)?;
        self.point_at(judge, person, wrong.as_ref().map(|place| (question, place.as_str())))?;
        if self.is_text() && !person.reads() {
            show(&page::asked(question, answer))?;
        }
        self.transcript.push(json::transcript(question, answer));
        self.tell_conflicts(judge)
    }

    fn ask_table(&mut self, judge: &mut Judge, person: &mut dyn Person, table: &TableShown) -> Result<Going, Failure> {
        if self.is_text() && person.reads() {
            show(&table_page::table(table, self.ink, false))?;
        }
        let Said { rows, wrong } = loop {
            match person.reply_to_table(table)? {
                TableReply::Said(said) => break said,
                TableReply::Singly => {
                    judge.ask_singly(table);
                    return Ok(Going::On);
                }
                TableReply::Row(row) => show(&page::question(&table.rows[row], self.ink, true))?,
                TableReply::Undo => return self.undo(judge),
                TableReply::More => show(&table_page::table(table, self.ink, true))?,
                TableReply::Verdicts => show(&page::verdicts(&judge.verdicts()))?,
                TableReply::Quit => return self.quit(judge),
            }
        };
        judge.answer_table(table, &rows)?;
        self.point_at(judge, person, wrong.as_ref().map(|(row, place)| (&table.rows[*row], place.as_str())))?;
        if self.is_text() && !person.reads() {
            show(&table_page::asked(table, &rows))?;
        }
        self.transcript.push(json::transcript_of_table(table, &rows));
        self.tell_conflicts(judge)
    }

    fn is_text(&self) -> bool {
        self.format == Format::Text
    }

    fn undo(&mut self, judge: &mut Judge) -> Result<Going, Failure> {
        match judge.undo()? {
            Some(taken) => {
                self.transcript.pop();
                self.n_automatic = 0;
                print(&format!("taken back: {taken}\n"))?;
            }
            None => print("there is nothing to take back\n")?,
        }
        Ok(Going::On)
    }

    fn quit(&self, judge: &Judge) -> Result<Going, Failure> {
        if self.is_text() {
            let (n_left, _) = judge.n_suspicious();
            print(&format!("{n_left} calls are suspicious; the verdicts are kept with the run\n"))?;
        }
        Ok(Going::Ended(ExitCode::from(NONE)))
    }

    /// A place that cannot be followed costs an order of questions, and nothing else.
    fn point_at(
        &self,
        judge: &mut Judge,
        person: &dyn Person,
        wrong: Option<(&QuestionShown, &str)>,
    ) -> Result<(), Failure> {
        if let Some((question, place)) = wrong
            && let Err(error) = judge.point_at(question, place)
            && person.reads()
        {
            print(&format!("{error}\n"))?;
        }
        Ok(())
    }

    fn tell_conflicts(&mut self, judge: &Judge) -> Result<Going, Failure> {
        let conflicts = judge.conflicts();
        for conflict in conflicts.iter().skip(self.n_conflicts).filter(|_| self.is_text()) {
            print(&format!("that contradicts: {}; now {}, which stands\n", conflict.older, conflict.newer))?;
        }
        self.n_conflicts = conflicts.len();
        Ok(Going::On)
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
