//! Ledger, a language that nobody needs: it shows that the engine knows none.
//!
//! It is as little like JavaScript as it can be in a few hundred lines. Records are values: who takes one takes a copy (`for` takes nothing, it names each element in turn). Lists are
//! shared, and begin at 1. There are no prototypes, no methods, no functions as values. `=` compares, and records by what is in
//! them; `/` divides whole numbers, `&` joins texts. A condition fails for `no` and `nothing` alone: 0 is as true as 1.
//!
//! ```text
//! let prices := [3, 4]
//! fun total(list, rate)
//!   let sum := 0
//!   for price in list do sum := sum + price * rate end
//!   return sum
//! end
//! check total(prices, 2) = 14
//! ```
//!
//! [`record`] runs a program and writes a run that the debugger opens. [`Ledger`] is what the engine asks about it.

mod interpreter;
mod lowering;
mod object_model;
mod run_writer;
mod syntax;
mod typed;

use std::io;
use std::path::Path;

use trace_model::{CodeFacts, ExprId, Expression, ExpressionError, Language, SiteTable, SourceCode, Span, Writes};

/// The front end of Ledger.
pub struct Ledger;

/// Runs a program and writes what it does as a run into a new folder.
pub fn record(path: &str, source: &str, run: &Path) -> Result<Recorded, RecordError> {
    let program = syntax::parse(source).map_err(RecordError::Syntax)?;
    let code = lowering::lower(&program, source);
    let execution = interpreter::run(&program, &code);
    run_writer::write(run, path, source, &code.table, &execution).map_err(RecordError::Io)?;
    Ok(Recorded { output: execution.output, failure: execution.failure })
}

/// What a program did, for who ran it.
#[derive(Debug)]
pub struct Recorded {
    pub output: String,
    /// The message with which it ended.
    pub failure: Option<String>,
}

#[derive(Debug)]
pub enum RecordError {
    Syntax(syntax::SyntaxError),
    Io(io::Error),
}

pub use syntax::SyntaxError;

impl Language for Ledger {
    fn name(&self) -> &'static str {
        "ledger"
    }

    fn facts(&self, code: SourceCode, sites: &SiteTable) -> Result<CodeFacts, String> {
        let source = code.source;
        let program = syntax::parse(source).map_err(|error| error.message)?;
        let code = lowering::lower(&program, source);
        match code.table == *sites {
            true => Ok(code.facts),
            false => Err("the sites are of another text".into()),
        }
    }

    fn writes_in(&self, _: SourceCode, spans: &[Span]) -> Result<Vec<Writes>, String> {
        // Everything is recorded.
        Ok(vec![Writes::default(); spans.len()])
    }

    fn parse_expression(&self, text: &str) -> Result<(Vec<Expression>, ExprId), ExpressionError> {
        typed::parse(text)
    }
}
