//! Functions and sites by names that leave the host.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use ::crash_path::{FunctionRef, SiteRef, SiteWithin};
use trace_model::{FunctionIndex, Identities, Position, SiteId, Span, installed_name, is_installed_name};

use crate::Trace;

pub(super) struct Names<'t, 'a> {
    trace: &'t Trace<'a>,
    root: String,
    known: RefCell<HashMap<SiteId, Option<Rc<Named>>>>,
}

struct Named {
    file: String,
    identities: Identities,
}

impl<'t, 'a> Names<'t, 'a> {
    pub fn new(trace: &'t Trace<'a>, root: &str) -> Names<'t, 'a> {
        Names { trace, root: root.to_owned(), known: RefCell::default() }
    }

    pub fn function(&self, unit: SiteId, function: FunctionIndex) -> Option<FunctionRef> {
        let named = self.named(unit)?;
        let code = self.trace.thread.code().unit(unit)?.code().ok()?;
        let Position { line, column } = code.position(code.sites.function(function).span.start)?;
        Some(FunctionRef { file: named.file.clone(), key: named.identities.function(function), line, column })
    }

    pub fn site(&self, site: SiteId) -> Option<SiteRef> {
        let bare = self.bare(site)?;
        let found = self.trace.site(site)?;
        let key = self.named(found.unit.record.base)?.identities.site(found.unit.local(site));
        Some(SiteRef { within: Some(SiteWithin { kind: key.kind, nth: key.nth }), ..bare })
    }

    /// Only where it stands.
    pub fn bare(&self, site: SiteId) -> Option<SiteRef> {
        let found = self.trace.site(site)?;
        self.at(found.unit.record.base, found.site.function, found.site.span)
    }

    pub fn at(&self, unit: SiteId, function: FunctionIndex, span: Span) -> Option<SiteRef> {
        let code = self.trace.thread.code().unit(unit)?.code().ok()?;
        let Position { line, column } = code.position(span.start)?;
        Some(SiteRef { function: self.function(unit, function)?, within: None, line, column })
    }

    pub fn beginning(&self, unit: SiteId, function: FunctionIndex) -> Option<SiteRef> {
        let span = self.trace.thread.code().unit(unit)?.code().ok()?.sites.function(function).span;
        self.at(unit, function, span)
    }

    fn named(&self, unit: SiteId) -> Option<Rc<Named>> {
        let unit = self.trace.thread.code().unit(unit)?;
        let mut known = self.known.borrow_mut();
        let named = known.entry(unit.record.base).or_insert_with(|| {
            let code = unit.code().ok()?;
            let path = unit.record.path.replace('\\', "/");
            // What lies outside of the program is known by its own name, as the folders there are those of one machine.
            let own = || path.rsplit('/').next().filter(|name| is_installed_name(name)).map(str::to_owned);
            let file = installed_name(&path, &self.root).or_else(own)?;
            let identities = Identities::of(&code.sites, &file, code.source().ok()?);
            Some(Rc::new(Named { file, identities }))
        });
        named.clone()
    }
}
