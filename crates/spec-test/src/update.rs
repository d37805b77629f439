//! `UPDATE_SPECS=1`: the answers of one test put into its file.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::{Answer, Exchange, documents};

/// Tests of one file may run at the same time, also in processes of their own.
pub fn update(path: &Path, heading: &str, answers: &[String]) -> io::Result<()> {
    let mut file = File::open(path)?;
    file.lock()?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let specs = documents::parse(&text).map_err(io::Error::other)?;
    let Some(spec) = specs.iter().find(|spec| spec.heading == heading) else { return Ok(()) };
    let updated = rewritten(&text, &spec.exchanges, answers);
    if updated != text {
        fs::write(path, updated)?;
    }
    Ok(())
}

fn rewritten(text: &str, exchanges: &[Exchange], answers: &[String]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (exchange, answer) in exchanges.iter().zip(answers).rev() {
        let new = answer.lines().map(str::to_owned);
        match &exchange.answer {
            Answer::Given { lines: old, .. } => {
                lines.splice(old.clone(), new);
            }
            Answer::Missing { at } => {
                let block = ["```answer".to_owned()].into_iter().chain(new).chain(["```".to_owned()]);
                lines.splice(*at..*at, block);
            }
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_replaced_and_added() {
        let text = "# A\n```js\nf();\n// ^ state\n```\n```answer\nold\nold\n```\n```ask\nstate at 1\n```\n\n# B\n";
        let specs = documents::parse(text).expect("well-formed");
        assert_eq!(
            rewritten(text, &specs[0].exchanges, &["one\n".into(), "two\n".into()]),
            "# A\n```js\nf();\n// ^ state\n```\n```answer\none\n```\n```ask\nstate at 1\n```\n```answer\ntwo\n```\n\n# B\n"
        );
    }
}
