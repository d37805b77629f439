//! A chain of questions that somebody asked of a run, kept with the run: `chain.txt`, a revision and then a text that is the affair
//! of the front end. Several may have the run open: whoever writes says which revision that rests on, and nobody's work is lost.

use std::fs;
use std::path::Path;

use trace_format::private;

use crate::{Error, Session};

/// A chain as it is kept; of a run that has none it is empty, and its revision 0.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct KeptChain {
    pub text: String,
    pub revision: u64,
}

impl Session {
    pub fn kept_chain(&self) -> KeptChain {
        read(self.folder())
    }

    /// Keeps a chain in the place of the revision that it rests on. Gives its revision; nothing if it rests on an older one.
    pub fn keep_chain(&self, text: &str, based_on: u64) -> Result<Option<u64>, Error> {
        let folder = self.folder();
        let write = || {
            let lock = private::append(&folder.join(LOCK))?;
            lock.lock()?;
            if read(folder).revision != based_on {
                return Ok(None);
            }
            let revision = based_on + 1;
            let temporary = folder.join(format!("{FILE}.tmp"));
            private::write(&temporary, format!("{revision}\n{text}"))?;
            fs::rename(&temporary, folder.join(FILE))?;
            Ok(Some(revision))
        };
        write().map_err(Error::io(folder))
    }
}

const FILE: &str = "chain.txt";
const LOCK: &str = "chain.lock";

fn read(folder: &Path) -> KeptChain {
    let Ok(whole) = fs::read_to_string(folder.join(FILE)) else { return KeptChain::default() };
    let Some((revision, text)) = whole.split_once('\n') else { return KeptChain::default() };
    revision.parse().map_or_else(|_| KeptChain::default(), |revision| KeptChain { text: text.into(), revision })
}
