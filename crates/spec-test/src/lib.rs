//! The specifications in `specs/`: small programs with questions and their answers. `specs/README.md` says how they are written.
//!
//! For each the program is run plainly and recorded, which must look the same; the run is asked, and opened again and asked again,
//! which must give the same answers; and these are compared with what the specification says.

mod answers;
mod caret;
mod documents;
mod joined;
mod markdown;
mod plain_text;
mod program;
mod spec;
mod tell;
mod update;

use std::path::Path;

pub use answers::{Written, answer_point, point_of};
pub use documents::{Document, documents, folder};
pub use joined::{can_be_joined, check_joined};
pub use plain_text::without_numbers;
pub use program::{RECORD, write_files};
pub use spec::{Answer, Exchange, Question, Spec};
pub use tell::{AnswerText, reply};

/// Checks one specification; with `rewrite` its answers are put into the file instead of compared.
pub fn check(path: &Path, spec: &Spec, rewrite: bool) -> Result<(), String> {
    let program = program::run(spec).map_err(|difference| format!("the recorded program differs\n{difference}"))?;
    let answers = answers::answers(&program.run, spec)?;
    let again = answers::answers(&program.run, spec)?;
    if answers != again {
        let (first, second) = (answers.concat(), again.concat());
        return Err(format!("the run opened again answers differently\n--- first\n{first}--- again\n{second}"));
    }
    if rewrite {
        return update::update(path, &spec.heading, &answers).map_err(|error| format!("{}: {error}", path.display()));
    }
    let problems: Vec<String> = spec
        .exchanges
        .iter()
        .zip(&answers)
        .filter_map(|(exchange, answer)| difference(&exchange.answer, answer))
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

fn difference(expected: &Answer, given: &str) -> Option<String> {
    match expected {
        Answer::Given { text, .. } if text == given => None,
        Answer::Given { text, wrong: None, .. } => Some(format!("--- expected\n{text}--- answered\n{given}")),
        Answer::Given { text, wrong: Some(why), .. } => Some(format!(
            "the answer that is marked as wrong ({why}) is another one now; if it is right, take the mark away\n\
             --- marked\n{text}--- answered\n{given}"
        )),
        Answer::Missing { .. } => {
            Some(format!("there is no answer yet; UPDATE_SPECS=1 writes it\n--- answered\n{given}"))
        }
    }
}
