//! A person at the terminal: single keys; lines where stdin is no terminal.

use std::io::{self, BufRead, IsTerminal, Write};

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use debugger::{Judgement as Answer, QuestionShown};

use super::conduct::{Person, Reply};
use super::oracle::word_of;
use crate::failure::{Failure, unless_closed};
use crate::width::{fitted, of_stdout};

pub struct Keys {
    is_terminal: bool,
    /// Who was told once what the keys are can ask for it.
    is_told: bool,
}

const HELP: &str = "v valid · i invalid · w invalid, and which place is wrong · t trusted · d don't know · u undo · m more · s verdicts so far · q quit";
const SHORT_HELP: &str = "v i w t d u m s q, ? help";

impl Keys {
    pub fn open() -> Result<Keys, Failure> {
        Ok(Keys { is_terminal: io::stdin().is_terminal() && io::stdout().is_terminal(), is_told: false })
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

    fn line(&self, prompt: &str) -> Result<String, Failure> {
        self.say(prompt)?;
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line).map_err(failed)?;
        Ok(line.trim().to_owned())
    }

    /// How much is trusted.
    fn trusted(&self) -> Result<Option<Answer>, Failure> {
        self.say("  trust f the function · a all of its file · p its package: ")?;
        let answer = match self.key()? {
            Some('f') => Some(Answer::TrustFunction),
            Some('a') => Some(Answer::TrustFile),
            Some('p') => Some(Answer::TrustPackage),
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
                Some('v') => Answer::Valid,
                Some('i') => Answer::Invalid,
                Some('d') => Answer::Unknown,
                Some('t') => match self.trusted()? {
                    Some(answer) => answer,
                    None => continue,
                },
                key => {
                    self.say("\n")?;
                    match key {
                        Some('w') => return Ok(Reply::Wrong(self.line("  wrong: ")?)),
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
