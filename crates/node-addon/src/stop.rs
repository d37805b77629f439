//! A wish to stop at a point. In the text of its site a call stands for the number: `$w_P(0x00000170,o,…,o.k = x)` becomes
//! `$w_P($w_Z(0)(0&&eval(0)),o,…,o.k = x)`. It is evaluated before anything else of the site, in the program's own frame; see
//! `load/stop.cjs`. The `eval` is never reached: where one is, V8 keeps every variable that could be seen from there, also those
//! that no code uses there, which otherwise no debugger could show.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use helper_names::{MEET, STOP};
use instrument::{Instrumented, NumberAt};
use trace_format::{LiveReport, private};
use trace_model::contract::header::TAG_BITS;
use trace_model::{LocalSite, SiteKind, SiteTable};

use crate::settings::{self, Settings};

/// What the runtime must know of a place to stop at.
#[derive(Clone, Copy)]
pub struct StopPlace {
    /// As the instrumented text would have it: site number × 16, and a tag.
    pub number: u32,
    /// Whether the event is recorded behind the write that it tells of.
    pub is_write: bool,
    /// Whether other code of the program may run between the beginning and the event.
    pub nests: bool,
}

/// The same code, with calls in the place of the site's numbers if it holds the site of the wish.
pub fn with_calls(settings: &Settings, path: &str, base: u32, mut instrumented: Instrumented) -> Instrumented {
    let Some(wish) = settings.stop.as_ref().filter(|wish| wish.path == path) else { return instrumented };
    let Some(site) = instrumented.sites.sites.get(wish.site.0 as usize) else { return instrumented };
    let code = &instrumented.code;
    let number = format!("0x{:07x}", wish.site.0);
    let is_it = |&NumberAt(at): &NumberAt| {
        // Numbers also stand in marks, which are comments.
        let start = at as usize - PREFIX;
        code[start..].starts_with(&number)
            && !code[..start].strip_suffix('(').is_some_and(|before| before.ends_with(EMITS_NOTHING))
    };
    let found: Vec<NumberAt> = instrumented.numbers.iter().copied().filter(is_it).collect();
    // Some headers have their tag in the text. A site has one header.
    let tag = found.first().and_then(|at| code[at.0 as usize - PREFIX + number.len()..].chars().next()?.to_digit(16));
    let mut places = places();
    let call = format!("{STOP}({})(0&&eval(0))", places.len());
    places.push(StopPlace {
        number: (base + wish.site.0) << TAG_BITS | tag.unwrap_or(0),
        is_write: is_write(site.kind),
        nests: nests(&instrumented.sites, wish.site),
    });
    // From the end, so that the places before stay where they are.
    for at in found.into_iter().rev() {
        replace(&mut instrumented, at, number.len() + TAG, &call);
    }
    instrumented
}

pub fn place(slot: u32) -> Option<StopPlace> {
    places().get(slot as usize).copied()
}

/// Tells the parent; see [`LiveReport::line`]. False if that is not possible.
pub fn report(fields: &[String]) -> bool {
    let Some(folder) = settings::get().and_then(|settings| settings.folder.as_ref()) else { return false };
    let file = private::append(&folder.join(LiveReport::FILE));
    file.and_then(|mut file| file.write_all(LiveReport::line(fields).as_bytes())).is_ok()
}

/// Whether this is the first thread of all processes to ask.
pub fn claim() -> bool {
    let Some(folder) = settings::get().and_then(|settings| settings.folder.as_ref()) else { return false };
    private::create_new(&folder.join("live.claim")).is_ok()
}

/// A number is written `0x00000170`; its digits are known.
const PREFIX: usize = 2;
/// Its last digit is a tag.
const TAG: usize = 1;
/// The helper that is given the number of a site whose event another one emits.
const EMITS_NOTHING: &str = MEET;

/// Puts a longer text in the place of a number, and keeps the way back to the original.
fn replace(instrumented: &mut Instrumented, at: NumberAt, length: usize, text: &str) {
    let start = at.0 as usize - PREFIX;
    let more = (text.len() - length) as u32;
    instrumented.code.replace_range(start..start + length, text);
    instrumented.numbers.retain(|number| *number != at);
    for number in instrumented.numbers.iter_mut().filter(|number| number.0 > at.0) {
        number.0 += more;
    }
    let mut inserted = 0;
    let around = instrumented.insertions.iter_mut().find(|insertion| {
        inserted += insertion.bytes;
        insertion.at + inserted > at.0
    });
    let Some(around) = around else { return };
    around.bytes += more;
    around.units += more;
    let source_at = around.at;
    for (site, units) in &mut instrumented.marked {
        let span = instrumented.sites.sites[*site as usize].span;
        if span.start < source_at && source_at < span.end {
            *units += more;
        }
    }
}

fn is_write(kind: SiteKind) -> bool {
    use SiteKind::*;
    matches!(
        kind,
        Var | VarIncrement
            | VarDecrement
            | Put
            | PutIncrement
            | PutDecrement
            | PutComputed
            | PutComputedIncrement
            | PutComputedDecrement
            | Field
            | Delete
            | DeleteComputed
    )
}

fn nests(table: &SiteTable, site: LocalSite) -> bool {
    let outer = table.site(site);
    let is_outer = is_write(outer.kind)
        || matches!(
            outer.kind,
            SiteKind::Branch
                | SiteKind::Loop
                | SiteKind::Nullish
                | SiteKind::Discriminant
                | SiteKind::Default
                | SiteKind::Result
                | SiteKind::Argument
                | SiteKind::Return
                | SiteKind::Throw
                | SiteKind::Suspend
                | SiteKind::Resume
                | SiteKind::LateResume
                | SiteKind::ObjectLiteral
                | SiteKind::ArrayLiteral
                | SiteKind::Literal
                | SiteKind::ClassBirth
        );
    is_outer
        && table.sites.iter().any(|inner| {
            matches!(inner.kind, SiteKind::Call | SiteKind::Suspend | SiteKind::Resume | SiteKind::LateResume)
                && outer.span.start <= inner.span.start
                && inner.span.end <= outer.span.end
        })
}

static PLACES: Mutex<Vec<StopPlace>> = Mutex::new(Vec::new());

fn places() -> std::sync::MutexGuard<'static, Vec<StopPlace>> {
    PLACES.lock().unwrap_or_else(PoisonError::into_inner)
}
