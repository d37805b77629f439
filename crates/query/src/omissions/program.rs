//! The code of a thread, as whoever analysed it told: facts, and how its pieces are called in the recording.

use std::collections::HashMap;

use trace_model::{BirthId, CodeIndex, FunctionIndex, ObjectId, ProgramFacts, ProgramFunction, SiteId, Span};

use crate::Trace;

pub struct Program {
    pub facts: ProgramFacts,
    /// By [`CodeIndex`]: the first site of the code.
    pub units: Vec<SiteId>,
    codes: HashMap<SiteId, CodeIndex>,
    functions: HashMap<(CodeIndex, FunctionIndex), ProgramFunction>,
    births: HashMap<(CodeIndex, Span), BirthId>,
}

impl Program {
    pub fn new(facts: ProgramFacts, units: Vec<SiteId>) -> Program {
        let codes = (0..).zip(&units).map(|(number, unit)| (*unit, CodeIndex(number)));
        let functions = (0..).zip(&facts.functions);
        let functions =
            functions.map(|(number, function)| ((function.code, function.function), ProgramFunction(number)));
        let births = (0..).zip(&facts.births);
        let births = births.map(|(number, birth)| ((birth.at.code, birth.at.span), BirthId(number)));
        Program { codes: codes.collect(), functions: functions.collect(), births: births.collect(), facts, units }
    }

    pub fn function(&self, unit: SiteId, function: FunctionIndex) -> Option<ProgramFunction> {
        self.functions.get(&(*self.codes.get(&unit)?, function)).copied()
    }

    pub fn unit(&self, function: ProgramFunction) -> Option<SiteId> {
        let code = self.facts.functions.get(function.0 as usize)?.code;
        self.units.get(code.0 as usize).copied()
    }

    /// A part of the source of the file that holds a function.
    pub fn text(&self, function: ProgramFunction, trace: &Trace, span: Span) -> String {
        let source = self.unit(function).and_then(|unit| trace.thread.code().unit(unit)?.code().ok()?.source().ok());
        source.and_then(|source| source.get(span.start as usize..span.end as usize)).unwrap_or_default().to_owned()
    }

    /// The births that an object may be: where it was made, as the recording tells.
    pub fn births_of(&self, trace: &Trace, object: ObjectId) -> Vec<BirthId> {
        let places = trace.birth_places(object);
        let known = places.iter().filter_map(|(unit, span)| self.births.get(&(*self.codes.get(unit)?, *span)));
        let mut births: Vec<BirthId> = known.copied().collect();
        births.sort_unstable();
        births.dedup();
        births
    }
}
