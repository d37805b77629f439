//! Small programs, analysed, and their facts as text.

use std::collections::BTreeSet;

use expect_test::Expect;
use instrument::{SourceKind, Text, instrument_fully};
use static_analysis::{Budget, Hints, SourceUnit, analyse};
use trace_model::{CallHow, CodeKind, OperationKind, ProgramFacts, ProgramFunction, SiteTable};

pub struct File {
    pub path: &'static str,
    pub source: String,
    pub kind: CodeKind,
    pub sites: SiteTable,
}

/// `//- /a.js` begins a file; one that is called `.mjs` is an ES module.
pub fn files(text: &str) -> Vec<File> {
    let mut files: Vec<(String, String)> = Vec::new();
    for line in text.trim_start_matches('\n').lines() {
        match line.trim().strip_prefix("//- ") {
            Some(path) => files.push((path.to_owned(), String::new())),
            None => {
                if files.is_empty() {
                    files.push(("/main.js".into(), String::new()));
                }
                let (_, source) = files.last_mut().expect("one was added above");
                source.push_str(line);
                source.push('\n');
            }
        }
    }
    let file = |(path, source): (String, String)| {
        let (kind, source_kind) = match path.ends_with(".mjs") {
            true => (CodeKind::Module, SourceKind::Module),
            false => (CodeKind::CommonJs, SourceKind::CommonJs),
        };
        let sites = instrument_fully(Text::new(&source, source_kind)).expect("the program can be parsed").sites;
        File { path: path.leak(), source, kind, sites }
    };
    files.into_iter().map(file).collect()
}

pub fn facts_of(files: &[File], hints: &Hints) -> ProgramFacts {
    let units: Vec<SourceUnit> = files
        .iter()
        .map(|file| SourceUnit { path: file.path, source: &file.source, kind: file.kind, sites: &file.sites })
        .collect();
    analyse(&units, hints, &Budget::default())
}

/// Calls as `caller → callee`, functions by name, or by their first line; those that happen later are marked.
pub fn calls(text: &str, expect: Expect) {
    let files = files(text);
    let facts = facts_of(&files, &Hints::default());
    expect.assert_eq(&shown_calls(&files, &facts));
}

pub fn shown_calls(files: &[File], facts: &ProgramFacts) -> String {
    let lines = facts.calls.iter().map(|call| {
        let later = if call.how == CallHow::Later { " (later)" } else { "" };
        format!("{} → {}{later}\n", name(files, facts, call.caller), name(files, facts, call.callee))
    });
    lines.collect::<BTreeSet<String>>().into_iter().collect()
}

/// Operations that may change something, with the texts of the objects' births.
pub fn operations(text: &str, expect: Expect) {
    let files = files(text);
    let facts = facts_of(&files, &Hints::default());
    let mut lines = Vec::new();
    for operation in &facts.operations {
        if matches!(operation.kind, OperationKind::Read(_)) {
            continue;
        }
        let code = facts.functions[operation.function.0 as usize].code;
        let source = &files[code.0 as usize].source;
        let births = facts.sets[operation.objects.0 as usize].iter().map(|birth| {
            let at = facts.births[birth.0 as usize].at;
            short(&files[at.code.0 as usize].source[at.span.start as usize..at.span.end as usize])
        });
        let births: Vec<String> = births.collect();
        let text = short(&source[operation.span.start as usize..operation.span.end as usize]);
        lines.push(format!("{text}: {:?} of {}\n", operation.kind, births.join(", ")));
    }
    expect.assert_eq(&lines.concat());
}

fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.len() < text.len() || line.len() > 40 {
        format!("{}…", &line[..line.len().min(40)])
    } else {
        line.to_owned()
    }
}

pub fn name(files: &[File], facts: &ProgramFacts, function: ProgramFunction) -> String {
    let function = facts.functions[function.0 as usize];
    let file = &files[function.code.0 as usize];
    if function.function.0 == 0 {
        return if files.len() == 1 { "top".into() } else { file.path.to_owned() };
    }
    let data = file.sites.function(function.function);
    match file.sites.name(data.name) {
        "" => format!("`{}`", short(&file.source[data.span.start as usize..data.span.end as usize])),
        name => name.to_owned(),
    }
}
