//! What is secret, taken out of texts about runs: of a report that others read, as it is taken out of a run that is shared.

use std::collections::HashSet;

use trace_model::with_redactions_shown;

use super::export::{find_secrets, words_of};
use super::rules::{RedactRequest, Rules};
use super::secrets::{Secrets, Size, TextOf};
use crate::{Error, Session};

/// Knows the values of some runs.
pub struct Redactor(Secrets);

impl Redactor {
    /// Of these runs, and of texts that belong to them. `written` says how a value stands in the texts, where that is not as it is.
    pub fn of(sessions: &[&Session], texts: &[&str], written: &dyn Fn(&str) -> String) -> Result<Redactor, Error> {
        let words: HashSet<String> = sessions.iter().flat_map(|session| words_of(session.run())).collect();
        let mut secrets = Secrets::new(Rules::new(&RedactRequest::default())?, words);
        for session in sessions {
            find_secrets(session.run(), &mut secrets)?;
        }
        texts.iter().for_each(|text| secrets.add_of_text(text, TextOf::Program));
        secrets.prepare_also(written)?;
        Ok(Redactor(secrets))
    }

    /// A text without them.
    pub fn text(&self, text: &str) -> String {
        with_redactions_shown(&self.0.taken_out(text, Size::Bytes)).into_owned()
    }

    /// Whether what stands under a name is secret, whatever it is.
    pub fn is_secret_name(&self, name: &str) -> bool {
        matches!(self.0.rules.secrecy(name), Some(super::rules::Secrecy::Always(_)))
    }
}
