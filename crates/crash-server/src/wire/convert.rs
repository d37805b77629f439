//! Between the wire and `crash_path`, which knows no JSON.

use crash_path::{FunctionRef, SiteRef, SiteWithin};
use trace_model::FunctionKey;

use super::{Callee, FileName, Foreign, Function, FunctionHex, Kind, Label, Report, Site};

impl From<&Report> for crash_path::Path {
    fn from(report: &Report) -> crash_path::Path {
        let stack: Vec<SiteRef> = report.stack.iter().map(SiteRef::from).collect();
        let mut path = crash_path::Path::of_stack(report.exception.as_str(), stack);
        let ends_with_crash = matches!(report.labels.last(), Some(Label::Crash { .. }));
        // What an agent recorded before the crash counts also if it could not tell the crash itself: the stack tells it.
        let crash = if ends_with_crash { Vec::new() } else { std::mem::take(&mut path.labels) };
        path.labels = report.labels.iter().map(crash_path::Label::from).chain(crash).collect();
        path.is_cut = report.cut;
        path.wanted = report.wanted.iter().map(FunctionRef::from).collect();
        path
    }
}

impl From<&Label> for crash_path::Label {
    fn from(label: &Label) -> crash_path::Label {
        match label {
            Label::Start { site } => crash_path::Label::Start { site: site.into() },
            Label::Branch { site, taken } => crash_path::Label::Branch { site: site.into(), taken: *taken },
            Label::Call { site, callee } => crash_path::Label::Call {
                site: site.into(),
                callee: match callee {
                    Some(Callee::Program(function)) => crash_path::Callee::Program(function.into()),
                    Some(Callee::Foreign(_)) => crash_path::Callee::Foreign,
                    None => crash_path::Callee::Unknown,
                },
            },
            Label::Enter { function, caller } => {
                crash_path::Label::Enter { function: function.into(), caller: caller.as_ref().map(FunctionRef::from) }
            }
            Label::Exit { function, caller } => {
                crash_path::Label::Exit { function: function.into(), caller: caller.as_ref().map(FunctionRef::from) }
            }
            Label::Return { site } => crash_path::Label::Return { site: site.into() },
            Label::Write { site } => crash_path::Label::Write { site: site.into() },
            Label::Task { registered_at } => {
                crash_path::Label::Task { registered_at: registered_at.as_ref().map(SiteRef::from) }
            }
            Label::Crash { site } => crash_path::Label::Crash { site: site.into() },
        }
    }
}

impl From<&crash_path::Label> for Label {
    fn from(label: &crash_path::Label) -> Label {
        match label {
            crash_path::Label::Start { site } => Label::Start { site: site.into() },
            crash_path::Label::Branch { site, taken } => Label::Branch { site: site.into(), taken: *taken },
            crash_path::Label::Call { site, callee } => Label::Call {
                site: site.into(),
                callee: match callee {
                    crash_path::Callee::Program(function) => Some(Callee::Program(function.into())),
                    crash_path::Callee::Foreign => Some(Callee::Foreign(Foreign::Foreign)),
                    crash_path::Callee::Unknown => None,
                },
            },
            crash_path::Label::Enter { function, caller } => {
                Label::Enter { function: function.into(), caller: caller.as_ref().map(Function::from) }
            }
            crash_path::Label::Exit { function, caller } => {
                Label::Exit { function: function.into(), caller: caller.as_ref().map(Function::from) }
            }
            crash_path::Label::Return { site } => Label::Return { site: site.into() },
            crash_path::Label::Write { site } => Label::Write { site: site.into() },
            crash_path::Label::Task { registered_at } => {
                Label::Task { registered_at: registered_at.as_ref().map(Site::from) }
            }
            crash_path::Label::Crash { site } => Label::Crash { site: site.into() },
        }
    }
}

impl From<&Function> for FunctionRef {
    fn from(function: &Function) -> FunctionRef {
        FunctionRef {
            file: function.file.to_string(),
            key: key(&function.function),
            line: function.line,
            column: function.column,
        }
    }
}

impl From<&FunctionRef> for Function {
    fn from(function: &FunctionRef) -> Function {
        Function { file: file(function), function: hex(function.key), line: function.line, column: function.column }
    }
}

impl From<&Site> for SiteRef {
    fn from(site: &Site) -> SiteRef {
        let function = FunctionRef {
            file: site.file.to_string(),
            key: key(&site.function),
            line: site.function_line,
            column: site.function_column,
        };
        let within = site.kind.map(|Kind(kind)| SiteWithin { kind, nth: site.nth.unwrap_or(0) });
        SiteRef { function, within, line: site.line, column: site.column }
    }
}

impl From<&SiteRef> for Site {
    fn from(site: &SiteRef) -> Site {
        Site {
            file: file(&site.function),
            function: hex(site.function.key),
            function_line: site.function.line,
            function_column: site.function.column,
            kind: site.within.map(|within| Kind(within.kind)),
            nth: site.within.map(|within| within.nth),
            line: site.line,
            column: site.column,
        }
    }
}

pub fn hex(key: FunctionKey) -> FunctionHex {
    FunctionHex::try_from(key.to_string()).expect("a key is written in 16 hexadecimal digits")
}

fn key(hex: &FunctionHex) -> FunctionKey {
    FunctionKey(u64::from_str_radix(hex.as_str(), 16).expect("16 hexadecimal digits are a number of 64 bits"))
}

fn file(function: &FunctionRef) -> FileName {
    FileName::try_from(function.file.clone()).expect("a name that came over the wire")
}
