//! A person at the terminal: single keys; lines where stdin is no terminal.

use std::io::{self, BufRead, IsTerminal, Write};

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use debugger::{Judgement, QuestionShown, TableShown};

use super::conduct::{Person, Reply};
use super::oracle::word_of;
use super::tables::{TableReply, reply_of_line};
use crate::failure::{Failure, unless_closed};
use crate::width::{fitted, of_stdout};

pub struct Keys {
    is_terminal: bool,
    /// Who was told once what the keys are can ask for it.
    is_told: bool,
    is_told_of_tables: bool,
}

const HELP: &str = "v valid · i invalid · w invalid, and which place is wrong · t trusted · d don't know · u undo · m more · s verdicts so far · q quit";
const TABLE_HELP: &str = "a all right · 3 the first wrong row (3 return: and which place) · d don't know (d 2 5: these rows) · t trusted · r 3 all of a row · o one by one · u undo · m more · s verdicts so far · q quit; then return";
const SHORT_TABLE_HELP: &str = "a 3 d t r o u m s q, ? help";
const SHORT_HELP: &str = "v i w t d u m s q, ? help";

impl Keys {
    pub fn open() -> Result<Keys, Failure> {
        Ok(Keys {
            is_terminal: io::stdin().is_terminal() && io::stdout().is_terminal(),
            is_told: false,
            is_told_of_tables: false,
        })
    }

    fn key(&self) -> Result<Option<char>, Failure> {
        if !self.is_terminal {
            let mut line = String::new();
            let n_read = io::stdin().lock().read_line(&mut line).map_err(failed)?;
            return Ok((n_read > 0).then(|| line.trim().chars().next().unwrap_or(' ')));
        }
        let _raw = Raw::on()?;
        loop {
            if let Event::Key(key) = read().map_err(failed)?
                && key.kind != KeyEventKind::Release
            {
                let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
                match key.code {
                    KeyCode::Char('c' | 'd') if is_control => return Ok(None),
                    KeyCode::Esc => return Ok(None),
                    KeyCode::Char(c) => return Ok(Some(c)),
                    _ => {}
                }
            }
        }
    }

    fn say(&self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        unless_closed(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
    }

    /// Nothing at the end of the input.
    fn line(&self, prompt: &str) -> Result<Option<String>, Failure> {
        self.say(prompt)?;
        let mut line = String::new();
        let n_read = io::stdin().lock().read_line(&mut line).map_err(failed)?;
        Ok((n_read > 0).then(|| line.trim().to_owned()))
    }

    /// How much is trusted.
    fn trusted(&self) -> Result<Option<Judgement>, Failure> {
        self.say("  trust f the function · a all of its file · p its package: ")?;
        let answer = match self.key()? {
            Some('f') => Some(Judgement::TrustFunction),
            Some('a') => Some(Judgement::TrustFile),
            Some('p') => Some(Judgement::TrustPackage),
            _ => None,
        };
        self.say("\n")?;
        Ok(answer)
    }
}

impl Person for Keys {
    fn reply(&mut self, _: &QuestionShown) -> Result<Reply, Failure> {
        loop {
            let help = if self.is_told { SHORT_HELP } else { HELP };
            self.is_told = true;
            self.say(&fitted(&format!("  {help}: "), of_stdout()))?;
            let answer = match self.key()? {
                Some('v') => Judgement::Valid,
                Some('i') => Judgement::Invalid,
                Some('d') => Judgement::Unknown,
                Some('t') => match self.trusted()? {
                    Some(answer) => answer,
                    None => continue,
                },
                key => {
                    self.say("\n")?;
                    match key {
                        Some('w') => return Ok(Reply::Wrong(self.line("  wrong: ")?.unwrap_or_default())),
                        Some('u') => return Ok(Reply::Undo),
                        Some('m') => return Ok(Reply::More),
                        Some('s') => return Ok(Reply::Verdicts),
                        Some('q') | None => return Ok(Reply::Quit),
                        Some(_) => self.is_told = false,
                    }
                    continue;
                }
            };
            self.say(&format!("{}\n", word_of(answer)))?;
            return Ok(Reply::Answer(answer));
        }
    }

    fn reply_to_table(&mut self, table: &TableShown) -> Result<TableReply, Failure> {
        loop {
            let help = if self.is_told_of_tables { SHORT_TABLE_HELP } else { TABLE_HELP };
            self.is_told_of_tables = true;
            let Some(line) = self.line(&fitted(&format!("  {help}: "), of_stdout()))? else {
                return Ok(TableReply::Quit);
            };
            if let Some(reply) = reply_of_line(&line, table.rows.len()) {
                return Ok(reply);
            }
            self.is_told_of_tables = false;
        }
    }

    fn reads(&self) -> bool {
        true
    }
}

/// Keys come one by one, until it is dropped.
struct Raw;

impl Raw {
    fn on() -> Result<Raw, Failure> {
        enable_raw_mode().map_err(failed)?;
        Ok(Raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = disable_raw_mode();
    }
}

fn failed(error: io::Error) -> Failure {
    Failure::could_not_run(format!("the terminal: {error}"))
}
