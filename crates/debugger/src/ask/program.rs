//! What the source of a program says that could happen in it, joined with what was seen to happen.

use query::Trace;
use query::omissions::Program;
use static_analysis::{Budget, SourceUnit, analyse};
use trace_model::{CodeIndex, ProgramFacts};

use crate::languages::RECORDED;

/// The code of a thread, analysed.
pub(crate) fn program_of(trace: &Trace) -> Program {
    let mut units = Vec::new();
    let mut sources = Vec::new();
    let mut unread = Vec::new();
    for unit in trace.thread.code().units() {
        let file = match unit.code() {
            Ok(file) => file,
            Err(error) => {
                unread.push(format!(
                    "{} cannot be read ({error}): what its code could do is not known",
                    unit.record.path
                ));
                continue;
            }
        };
        let Ok(source) = file.source() else {
            unread.push(format!(
                "the source of {} is not in this run: what its code could do is not known",
                unit.record.path
            ));
            continue;
        };
        units.push(unit.record.base);
        sources.push(SourceUnit { path: &unit.record.path, source, kind: unit.record.kind, sites: &file.sites });
    }
    if trace.language().name() != RECORDED.name() {
        let limit = format!("code of {} is not analysed: what it could do is not known", trace.language().name());
        let facts = ProgramFacts { limits: vec![limit], ..ProgramFacts::default() };
        return Program::new(facts, units);
    }
    let codes = (0..).zip(&units).map(|(number, unit)| (*unit, CodeIndex(number))).collect();
    let hints = trace.hints(&codes);
    let mut facts = analyse(&sources, &hints, &Budget::default());
    facts.limits.extend(unread);
    Program::new(facts, units)
}
