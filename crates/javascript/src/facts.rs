//! A source as the engine needs it: expressions, statements, and what depends on which branch.

mod builder;
mod calls;
mod expressions;
mod flow;
mod functions;
mod jumps;
mod modules;
mod statements;
mod writes;

use instrument::{NotInstrumented, Text, Walked};
use js_syntax::{dialect_of, source_kind};
use trace_model::{CodeFacts, Counterparts, SiteTable, SourceCode, VariableIndex};

use builder::Builder;
pub(crate) use expressions::{is_index, literal, template_text};

/// Facts about code of a run, with the numbers of its site table.
pub(crate) fn of_recorded(code: SourceCode, recorded: &SiteTable) -> Result<CodeFacts, String> {
    let longest = recorded.sites.iter().map(|site| site.span.end).max().unwrap_or(0);
    if longest as usize > code.source.len() {
        return Err("the sites are of another text".into());
    }
    let dialect = dialect_of(code)?;
    let text = Text { dialect: dialect.as_ref(), ..Text::new(code.source, source_kind(code.kind)) };
    let walked = instrument::walk(text, |walked| facts_of(walked, code, recorded));
    walked.map_err(|refusal| match refusal {
        NotInstrumented::SyntaxError(why) | NotInstrumented::Unfaithful(why) => why,
    })
}

fn facts_of(mut walked: Walked, code: SourceCode, recorded: &SiteTable) -> CodeFacts {
    let is_of_this_version = code.made.is_some_and(|made| made.version == instrument::VERSION);
    if is_of_this_version && has_same_sites(&walked.sites, recorded) {
        return Builder::facts(&walked, recorded, Some);
    }
    let counterparts = Counterparts::of(&walked.sites, recorded, code.source);
    walked.anchored.renumber(|site| counterparts.site(site), |function| counterparts.function(function));
    Builder::facts(&walked, recorded, |variable: VariableIndex| counterparts.variable(variable))
}

/// The text of a shared run may have lost something.
fn has_same_sites(walked: &SiteTable, recorded: &SiteTable) -> bool {
    let is_same = |(walked, recorded): (&trace_model::Site, &trace_model::Site)| {
        walked.kind == recorded.kind && walked.span == recorded.span
    };
    walked.functions.len() == recorded.functions.len()
        && walked.variables.len() == recorded.variables.len()
        && walked.sites.len() == recorded.sites.len()
        && walked.sites.iter().zip(&recorded.sites).all(is_same)
}
