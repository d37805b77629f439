//! What the source of a program says that could happen in it, joined with what was seen to happen.

use std::collections::HashMap;

use query::Trace;
use static_analysis::{Budget, SourceUnit, analyse};
use trace_model::{BirthId, CodeIndex, FunctionIndex, ObjectId, ProgramFacts, ProgramFunction, SiteId, Span};

/// The code of a thread, analysed.
pub(crate) struct Program {
    pub facts: ProgramFacts,
    /// By [`CodeIndex`]: the first site of the code.
    pub units: Vec<SiteId>,
    functions: HashMap<(CodeIndex, FunctionIndex), ProgramFunction>,
    births: HashMap<(CodeIndex, Span), BirthId>,
}

impl Program {
    pub fn of(trace: &Trace) -> Program {
        let mut units = Vec::new();
        let mut sources = Vec::new();
        let mut unread = Vec::new();
        for unit in trace.thread.code().units() {
            let Ok(file) = unit.code() else { continue };
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
        let codes = (0..).zip(&units).map(|(number, unit)| (*unit, CodeIndex(number))).collect();
        let hints = trace.hints(&codes);
        let mut facts = analyse(&sources, &hints, &Budget::default());
        facts.limits.extend(unread);
        let functions = (0..).zip(&facts.functions);
        let functions =
            functions.map(|(number, function)| ((function.code, function.function), ProgramFunction(number)));
        let births = (0..).zip(&facts.births);
        let births = births.map(|(number, birth)| ((birth.at.code, birth.at.span), BirthId(number)));
        Program { functions: functions.collect(), births: births.collect(), facts, units }
    }

    pub fn function(&self, unit: SiteId, function: FunctionIndex) -> Option<ProgramFunction> {
        self.functions.get(&(self.code(unit)?, function)).copied()
    }

    pub fn unit(&self, function: ProgramFunction) -> Option<SiteId> {
        let code = self.facts.functions.get(function.0 as usize)?.code;
        self.units.get(code.0 as usize).copied()
    }

    fn code(&self, unit: SiteId) -> Option<CodeIndex> {
        let at = self.units.iter().position(|known| *known == unit)?;
        Some(CodeIndex(at as u32))
    }

    /// A part of the source of the file that holds a function.
    pub fn text(&self, function: ProgramFunction, trace: &Trace, span: Span) -> String {
        let source = self.unit(function).and_then(|unit| trace.thread.code().unit(unit)?.code().ok()?.source().ok());
        source.and_then(|source| source.get(span.start as usize..span.end as usize)).unwrap_or_default().to_owned()
    }

    /// The births that an object may be: where it was made, as the recording tells.
    pub fn births_of(&self, trace: &Trace, object: ObjectId) -> Vec<BirthId> {
        let places = trace.birth_places(object);
        let known = places.iter().filter_map(|(unit, span)| self.births.get(&(self.code(*unit)?, *span)));
        let mut births: Vec<BirthId> = known.copied().collect();
        births.sort_unstable();
        births.dedup();
        births
    }
}
