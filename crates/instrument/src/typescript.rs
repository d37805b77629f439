//! From the JavaScript that was made of TypeScript back to the source.

use js_syntax::{DecoratedMethod, Inserted, Positions};

use trace_model::{NameIndex, SiteTable};

use crate::edits::utf16_len;
use crate::{Insertion, Instrumented};

/// Moves all positions from the stripped text to the source; `lowered` is what stripping inserted.
pub fn back_to_source(instrumented: &mut Instrumented, lowered: &[Inserted]) {
    let map = Positions::new(lowered);
    table_to_source(&mut instrumented.sites, &map);
    for insertion in &mut instrumented.insertions {
        insertion.at = map.to_source(insertion.at);
    }
    instrumented.insertions.extend(lowered.iter().map(|inserted| Insertion {
        at: inserted.at,
        bytes: inserted.text.len() as u32,
        units: utf16_len(&inserted.text),
        back: 0,
    }));
    instrumented.insertions.sort_by_key(|insertion| insertion.at);
}

pub fn table_to_source(table: &mut SiteTable, map: &Positions) {
    let sites = table.sites.iter_mut().map(|site| &mut site.span);
    let functions = table.functions.iter_mut().map(|function| &mut function.span);
    let variables = table.variables.iter_mut().map(|variable| &mut variable.span);
    for span in sites.chain(functions).chain(variables) {
        *span = map.span_to_source(span.start, span.end);
    }
}

/// Decorated methods are called what they are called in the source, and begin at their name.
pub fn name_methods(table: &mut SiteTable, methods: &[DecoratedMethod]) {
    for method in methods {
        if let Some(function) = table.functions.iter_mut().find(|function| function.span.end == method.end) {
            function.name = NameIndex(table.names.len() as u32);
            function.span.start = method.key_start;
            table.names.push(method.name.clone());
        }
    }
}
