use trace_model::{FunctionFilter, Policy, Site, SiteKind, SiteTable};
use trace_store::{CodeUnit, Run};

use crate::not_captured::units;

/// A sentence for each name of the policy for which the run has nothing: it is misspelt, or its code did not run.
pub(crate) fn names_without_effect(run: &Run, policy: &Policy) -> Vec<String> {
    let Policy::Filtered(policy) = policy else { return Vec::new() };
    if policy.functions.is_none() && policy.properties.is_none() && policy.variables.is_none() {
        return Vec::new();
    }
    let units = units(run);
    let tables: Vec<&SiteTable> = units.iter().filter_map(|unit| Some(&unit.code().ok()?.sites)).collect();
    // Of code that cannot be read, nothing can be said.
    if units.is_empty() || tables.len() < units.len() {
        return Vec::new();
    }
    let has_site = |concerns: fn(SiteKind) -> bool, name: &str| {
        tables.iter().any(|table| table.sites.iter().any(|site| concerns(site.kind) && is_named(table, site, name)))
    };
    let mut sentences = Vec::new();
    for function in policy.functions.iter().flatten() {
        match function {
            FunctionFilter::Named(name) => {
                if !tables.iter().any(|table| table.functions.iter().any(|f| table.name(f.name) == name)) {
                    sentences.push(nothing_called(&units, name, "function"));
                }
            }
            FunctionFilter::AtLine { path, line } => {
                if !units.iter().any(|unit| has_line(unit, path, *line)) {
                    sentences.push(format!("there is no `{path}:{line}` in the code that ran"));
                }
            }
        }
    }
    for name in policy.variables.iter().flatten() {
        if !has_site(concerns_variable, name) {
            sentences.push(nothing_called(&units, name, "variable"));
        }
    }
    for name in policy.properties.iter().flatten() {
        // A computed key is known only from the run: a string of it, or a number.
        let is_computed = || name.parse::<f64>().is_ok() || run.threads().iter().any(|thread| thread.had_string(name));
        if !has_site(concerns_property, name) && !is_computed() {
            sentences.push(nothing_called(&units, name, "property"));
        }
    }
    sentences
}

/// Says no more than is known: the name may stand in the code as something else, or where nothing is recorded.
fn nothing_called(units: &[&CodeUnit], name: &str, what: &str) -> String {
    let stands_in = |unit: &&CodeUnit| unit.code().and_then(|code| code.source()).is_ok_and(|text| text.contains(name));
    match units.iter().any(stands_in) {
        true => format!("nothing was recorded for the {what} `{name}` of the policy"),
        false => format!("nothing is called `{name}` in the code that ran"),
    }
}

fn is_named(table: &SiteTable, site: &Site, name: &str) -> bool {
    let literal = site.literal();
    site.names.iter().any(|index| table.name(*index) == name && Some(*index) != literal)
}

fn concerns_variable(kind: SiteKind) -> bool {
    use SiteKind::{Catch, Param, Var, VarDecrement, VarIncrement};
    matches!(kind, Var | VarIncrement | VarDecrement | Param | Catch)
}

fn concerns_property(kind: SiteKind) -> bool {
    use SiteKind::{Delete, Field, ObjectLiteral, Put, PutDecrement, PutIncrement};
    matches!(kind, Put | PutIncrement | PutDecrement | Field | Delete | ObjectLiteral)
}

fn has_line(unit: &CodeUnit, path: &str, line: u32) -> bool {
    let is_file = unit.record.path.strip_suffix(path).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    // A text that is lost may have had the line.
    is_file && unit.code().and_then(|code| code.source()).map_or(true, |text| text.lines().count() >= line as usize)
}
