//! A wish to stop at a point. At the sites in question the number that stands in the instrumented text is replaced by a call of
//! just its length, so that no column moves. It is evaluated before anything else of the site, in the program's own frame:
//! `$w_P(0x00000170,o,…,o.k = x)` becomes `$w_P($w_Z(0)() ,o,…,o.k = x)`. See `load/stop.cjs`.

use std::fs::OpenOptions;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use instrument::{Instrumented, NumberAt};
use trace_format::LiveReport;
use trace_model::{LocalSite, SiteKind, SiteTable};

use crate::settings::{self, Settings};

/// Which of the places to stop at; the text has two digits for it.
#[derive(Clone, Copy)]
pub struct Slot(usize);

/// What the runtime must know of a place to stop at.
#[derive(Clone, Copy)]
pub struct Place {
    /// As the instrumented text would have it: site number × 16.
    pub number: u32,
    /// Whether the event is recorded behind the write that it tells of.
    pub is_write: bool,
    /// Whether other code of the program may run between the beginning and the event.
    pub nests: bool,
}

/// A slot for a piece of code that holds the site of the wish.
pub fn slot_of(settings: &Settings, path: &str, base: u32, sites: &SiteTable) -> Option<Slot> {
    let wish = settings.stop.as_ref().filter(|wish| wish.path == path)?;
    let kind = sites.sites.get(wish.site.0 as usize)?.kind;
    let mut places = places();
    let slot = Slot(places.len());
    if slot.0 > LAST_SLOT {
        return None;
    }
    places.push(Place {
        number: (base + wish.site.0) * 16,
        is_write: is_write(kind),
        nests: nests(sites, wish.site),
    });
    Some(slot)
}

/// The text with calls in the place of the site's numbers. `instrumented` is what `text` was made of.
pub fn with_calls(slot: Slot, instrumented: &Instrumented, text: String) -> String {
    let Some(wish) = settings::get().and_then(|settings| settings.stop.as_ref()) else { return text };
    let call = format!("{:<LITERAL$}", format!("$w_Z({})()", slot.0));
    let number = format!("0x{:07x}0", wish.site.0);
    let code = &instrumented.code;
    let mut bytes = text.into_bytes();
    for &NumberAt(at) in &instrumented.numbers {
        let (start, end) = (at as usize - 2, at as usize - 2 + LITERAL);
        // Numbers also stand in marks, which are comments.
        let is_it = code.get(start..end) == Some(&number);
        if is_it && !EMIT_NOTHING.iter().any(|helper| code[..start].ends_with(helper)) {
            bytes[start..end].copy_from_slice(call.as_bytes());
        }
    }
    String::from_utf8(bytes).expect("ASCII was replaced by ASCII")
}

pub fn place(slot: u32) -> Option<Place> {
    places().get(slot as usize).copied()
}

/// Tells the parent; see [`LiveReport::line`]. False if that is not possible.
pub fn report(fields: &[String]) -> bool {
    let Some(settings) = settings::get() else { return false };
    let file = OpenOptions::new().append(true).create(true).open(settings.folder.join(LiveReport::FILE));
    file.and_then(|mut file| file.write_all(LiveReport::line(fields).as_bytes())).is_ok()
}

/// Whether this is the first thread of all processes to ask.
pub fn claim() -> bool {
    let Some(settings) = settings::get() else { return false };
    OpenOptions::new().write(true).create_new(true).open(settings.folder.join("live.claim")).is_ok()
}

/// Of a number in the text: `0x00000170`.
const LITERAL: usize = 10;
const LAST_SLOT: usize = 99;
/// Helpers that are given the number of a site whose event another one emits.
const EMIT_NOTHING: [&str; 2] = ["$w_J(", "$w_L("];

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

static PLACES: Mutex<Vec<Place>> = Mutex::new(Vec::new());

fn places() -> std::sync::MutexGuard<'static, Vec<Place>> {
    PLACES.lock().unwrap_or_else(PoisonError::into_inner)
}
