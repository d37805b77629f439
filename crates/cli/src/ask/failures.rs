use std::process::ExitCode;

use debugger::{Cursor, NumberedFailure, PageRequest, QuestionKind};

use super::asking::{AnswerFormat, Asking, answer};
use super::page::{self, Page};
use crate::failure::Failure;

#[derive(clap::Args)]
pub struct FailuresArgs {
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: usize,
    /// Go on from here, as the page before says at its end
    #[arg(long, value_name = "CURSOR")]
    pub from: Option<Cursor>,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

pub fn failures(args: FailuresArgs) -> Result<ExitCode, Failure> {
    let page = PageRequest { from: args.from, limit: Some(args.limit) };
    answer(&args.asking, args.format, QuestionKind::Failures(page))
}

pub fn page(failures: &debugger::Page<NumberedFailure>) -> Page {
    let mut page = Page::default();
    let are_tests = failures.items.iter().any(|failure| failure.failure.test.is_some());
    page.title(match (failures.n_all.unwrap_or(failures.items.len() as u64), are_tests) {
        (1, true) => "1 test failed; wherefore why explains it".to_owned(),
        (n, true) => format!("{n} tests failed; wherefore why --failure N explains one of them"),
        (1, false) => "one failure".to_owned(),
        (n, false) => format!("{n} failures; wherefore why --failure N explains one of them"),
    });
    for NumberedFailure { number, failure } in &failures.items {
        let says = match &failure.test {
            Some(test) => {
                let place = test.place().filter(|_| !test.titles.is_empty());
                let place = place.map_or(String::new(), |place| format!("  {place}"));
                let mut says = vec![format!("{number}. {}{place}", test.title()), format!("  {}", failure.message)];
                says.extend(test.slowed().map(|slowed| format!("  {slowed}")));
                says
            }
            None => vec![format!("{number}. {}", failure.message)],
        };
        match failure.kind {
            // There is no point to show.
            "unrecorded" => says.iter().for_each(|line| _ = page.line(line)),
            _ => _ = page.hop(page::HopText { point: failure.point.clone(), says, tree: None, is_parent: false }),
        }
    }
    if let Some(next) = &failures.next {
        page.line(format!("… there are more: --from {next}"));
    }
    page
}
