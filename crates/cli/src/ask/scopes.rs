use std::process::ExitCode;

use debugger::{Child, Cursor, Handle, PageRequest, QuestionKind, ScopeShown};

use super::asking::{AnswerFormat, Asking, answer};
use super::page::Page;
use crate::failure::Failure;
use crate::text::{counted, grouped};

#[derive(clap::Args)]
pub struct ScopesArgs {
    /// A frame, by the handle that `stack --format json` gives; that of the point if left out
    pub frame: Option<Handle>,
    #[command(flatten)]
    pub asking: Asking,
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
}

#[derive(clap::Args)]
pub struct ChildrenArgs {
    /// A scope or an object, by its handle
    pub of: Handle,
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

pub fn scopes(args: ScopesArgs) -> Result<ExitCode, Failure> {
    answer(&args.asking, args.format, QuestionKind::Scopes { frame: args.frame })
}

pub fn children(args: ChildrenArgs) -> Result<ExitCode, Failure> {
    let page = PageRequest { from: args.from, limit: Some(args.limit) };
    answer(&args.asking, args.format, QuestionKind::Children { of: args.of, page })
}

pub fn page(scopes: &[ScopeShown]) -> Page {
    let mut page = Page::default();
    page.rows(Vec::from_iter(scopes.iter().map(|scope| {
        let of = scope.function.as_ref().map(|function| format!(" of {function}")).unwrap_or_default();
        (
            scope.handle.to_string(),
            format!("{}{of}, {}", scope.kind.name(), counted(scope.n_variables as u64, "variable")),
        )
    })));
    page
}

pub fn page_of_children(children: &debugger::Page<Child>) -> Page {
    let mut page = Page::default();
    page.rows(Vec::from_iter(children.items.iter().map(|child| {
        let inside = child.handle.as_ref().map(|handle| format!("  ({handle})")).unwrap_or_default();
        (child.name.clone(), format!("{}{inside}", child.value.text))
    })));
    if let Some(next) = &children.next {
        let of = children.n_all.map(|n| format!(" of {}", grouped(n))).unwrap_or_default();
        page.line(format!("… {}{of}; there are more: --from {next}", children.items.len()));
    }
    page
}
