//! `analysis_bench HINTS-RUN SCORED-RUN`   a call graph with the hints of one run, scored on another
//! `analysis_bench RUN`                    the time and memory that the analysis takes
//!
//! Prints lines of a name and a number, for bench/analysis.mjs; with `--misses` also what was not found, and with `--extra`
//! what was found and did not happen. `--steps=N`: another budget.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use javascript::JavaScript;
use query::{Coverage, Trace};
use static_analysis::{Budget, Hints, SourceUnit, analyse};
use trace_model::{CallHow, CodeFunction, CodeIndex, FunctionKind, ProgramFacts, SiteId};
use trace_store::{Run, Thread};
use trials::timing::largest;

fn main() -> ExitCode {
    let (flags, runs): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let done = match &runs[..] {
        [hints, scored] => score(Path::new(hints), Path::new(scored), &flags),
        [run] => score(Path::new(run), Path::new(run), &flags),
        _ => Err("usage: analysis_bench HINTS-RUN [SCORED-RUN]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// The code of both runs; what both loaded is one piece.
struct Program<'t> {
    units: Vec<SourceUnit<'t>>,
    numbers: HashMap<(&'t str, &'t str), CodeIndex>,
}

impl<'t> Program<'t> {
    fn add(&mut self, thread: &'t Thread) -> HashMap<SiteId, CodeIndex> {
        let mut codes = HashMap::new();
        for unit in thread.code().units() {
            let Ok(code) = unit.code() else { continue };
            let Ok(source) = code.source() else { continue };
            let path = unit.record.path.as_str();
            let number = *self.numbers.entry((path, source)).or_insert_with(|| {
                self.units.push(SourceUnit { path, source, kind: unit.record.kind, sites: &code.sites });
                CodeIndex(self.units.len() as u32 - 1)
            });
            codes.insert(unit.record.base, number);
        }
        codes
    }
}

fn score(hinting: &Path, scored: &Path, flags: &[String]) -> Result<(), String> {
    let open = |path: &Path| Run::open(path).map_err(|error| error.to_string());
    let (hinting, scored) = (open(hinting)?, open(scored)?);
    let first = largest(&hinting).ok_or("nothing was recorded")?;
    let second = largest(&scored).ok_or("nothing was recorded")?;
    let mut program = Program { units: Vec::new(), numbers: HashMap::new() };
    let first_codes = program.add(first);
    let second_codes = program.add(second);
    let coverage = Arc::new(Coverage::of(&trace_model::Policy::full()));
    let started = Instant::now();
    let hints = Trace::new(first, &JavaScript, &coverage).hints(&first_codes);
    println!("hints-ms {}", started.elapsed().as_millis());
    let hints = if flags.iter().any(|flag| flag == "--no-hints") { Hints::default() } else { hints };
    let before = memory();
    let started = Instant::now();
    let mut budget = Budget::default();
    if let Some(steps) = flags.iter().find_map(|flag| flag.strip_prefix("--steps=")) {
        budget.n_steps = steps.parse().map_err(|_| format!("{steps} is no number of steps"))?;
    }
    let facts = analyse(&program.units, &hints, &budget);
    println!("analysis-ms {}", started.elapsed().as_millis());
    println!("memory-mb {}", memory().saturating_sub(before) / 1000);
    println!("units {}", program.units.len());
    println!("bytes {}", program.units.iter().map(|unit| unit.source.len()).sum::<usize>());
    println!("functions {}", facts.functions.len());
    println!("calls {}", facts.calls.len());
    println!("operations {}", facts.operations.len());
    for limit in &facts.limits {
        println!("limit {limit}");
    }
    let seen = Trace::new(second, &JavaScript, &coverage).hints(&second_codes);
    report(&program, &facts, &seen, flags);
    Ok(())
}

type Edge = (CodeFunction, CodeFunction);

fn report(program: &Program, facts: &ProgramFacts, seen: &Hints, flags: &[String]) {
    let is_top = |function: CodeFunction| function.function.0 == 0;
    let kind = |function: CodeFunction| program.units[function.code.0 as usize].sites.function(function.function).kind;
    let entered: HashSet<CodeFunction> = seen.entered.iter().copied().collect();
    // Initialisers of fields have no frame of their own in a recording: what they call is called by who calls them.
    let mut of_inits: HashMap<CodeFunction, Vec<CodeFunction>> = HashMap::new();
    let direct = facts.calls.iter().filter(|call| call.how == CallHow::Direct);
    let mut found: HashSet<Edge> = HashSet::new();
    let mut by_call: BTreeMap<(u32, u32, u32), HashSet<CodeFunction>> = BTreeMap::new();
    for call in direct {
        let (caller, callee) = (facts.functions[call.caller.0 as usize], facts.functions[call.callee.0 as usize]);
        found.insert((caller, callee));
        if kind(callee) == FunctionKind::ClassInit {
            of_inits.entry(callee).or_default().push(caller);
        }
        by_call.entry((caller.code.0, call.span.start, call.span.end)).or_default().insert(callee);
    }
    for &(caller, callee) in &found.clone() {
        for &outer in of_inits.get(&caller).into_iter().flatten() {
            found.insert((outer, callee));
        }
    }
    let is_scored = |&(_, callee): &Edge| !is_top(callee) && kind(callee) != FunctionKind::ClassInit;
    let happened: BTreeSet<Edge> = seen.calls.iter().map(|call| (call.caller, call.callee)).filter(is_scored).collect();
    let n_found = happened.iter().filter(|edge| found.contains(edge)).count();
    let claimed: Vec<Edge> =
        found.iter().copied().filter(|edge| entered.contains(&edge.0) && is_scored(edge)).collect();
    let n_true = claimed.iter().filter(|edge| happened.contains(edge)).count();
    println!("edges {}", happened.len());
    println!("recall {:.2}", 100.0 * n_found as f64 / happened.len().max(1) as f64);
    println!("precision {:.2}", 100.0 * n_true as f64 / claimed.len().max(1) as f64);
    // As Jelly compares: of each call that was executed, the part of its callees that was called; the mean of that.
    let mut at_calls: BTreeMap<(u32, u32, u32), HashSet<CodeFunction>> = BTreeMap::new();
    for call in &seen.calls {
        if let Some(span) = call.span.filter(|_| is_scored(&(call.caller, call.callee))) {
            at_calls.entry((call.caller.code.0, span.start, span.end)).or_default().insert(call.callee);
        }
    }
    let mut sum = 0.0;
    for (at, called) in &at_calls {
        let claimed: Vec<&CodeFunction> =
            by_call.get(at).into_iter().flatten().filter(|callee| !is_top(**callee)).collect();
        let n_true = claimed.iter().filter(|callee| called.contains(callee)).count();
        sum += if claimed.is_empty() { 1.0 } else { n_true as f64 / claimed.len() as f64 };
    }
    println!("call-precision {:.2}", 100.0 * sum / at_calls.len().max(1) as f64);
    let show = |function: CodeFunction| {
        let unit = &program.units[function.code.0 as usize];
        let data = unit.sites.function(function.function);
        let line = unit.source[..data.span.start as usize].matches('\n').count() + 1;
        format!("{} {}:{line}", unit.sites.name(data.name), unit.path.rsplit('/').take(2).collect::<Vec<_>>().join("<"))
    };
    if flags.iter().any(|flag| flag == "--misses") {
        for &(caller, callee) in happened.iter().filter(|edge| !found.contains(edge)) {
            println!("miss {} -> {}", show(caller), show(callee));
        }
    }
    let births: HashSet<(u32, u32, u32)> =
        facts.births.iter().map(|birth| (birth.at.code.0, birth.at.span.start, birth.at.span.end)).collect();
    let unknown: Vec<_> = seen
        .births
        .iter()
        .filter(|birth| !births.contains(&(birth.code.0, birth.span.start, birth.span.end)))
        .collect();
    println!("births {}", seen.births.len());
    println!("unknown-births {}", unknown.len());
    if flags.iter().any(|flag| flag == "--misses") {
        for birth in unknown {
            let source = program.units[birth.code.0 as usize].source;
            let text = source.get(birth.span.start as usize..birth.span.end as usize).unwrap_or_default();
            println!("miss birth {}", text.lines().next().unwrap_or_default());
        }
    }
    if flags.iter().any(|flag| flag == "--extra") {
        for &(caller, callee) in claimed.iter().filter(|edge| !happened.contains(edge)) {
            println!("extra {} -> {}", show(caller), show(callee));
        }
    }
}

/// The most memory that was in use so far, in kB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse().ok()).unwrap_or(0)
}
