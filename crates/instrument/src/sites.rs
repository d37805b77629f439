//! Making sites: each has its number in the text, its entry in the table, and its construct.

use helper_names::MARK_OPENING;
use oxc_span::Span;
use trace_model::{Choice, LocalSite, NameIndex, SiteKind};

use crate::anchors::{Anchors, At, Role};
use crate::edits::{MarkedText, Slot, number_text};
use crate::values::ValueClass;
use crate::walker::Walker;

impl<'a, N: Anchors> Walker<'a, '_, N> {
    /// A new site, as the literal that stands for it in the new text; nothing where it emits no events.
    pub fn site(&mut self, kind: SiteKind, role: Role, at: At, name: Option<&str>) -> Option<String> {
        let names: Vec<NameIndex> = name.map(|name| self.name(name)).into_iter().collect();
        self.site_with(kind, role, at, names, 0)
    }

    pub fn site_with(
        &mut self,
        kind: SiteKind,
        role: Role,
        at: At,
        names: Vec<NameIndex>,
        extra: u32,
    ) -> Option<String> {
        let number = self.add_site(kind, role, at, names, extra);
        self.emitting(number)
    }

    /// The literal of a site that emits events.
    pub fn emitting(&self, number: u32) -> Option<String> {
        self.selection.has(LocalSite(number)).then(|| literal(number))
    }

    /// Whether the newest site emits events.
    pub fn newest_choice(&self) -> Choice {
        self.selection.choice(LocalSite(self.table.sites.len() as u32 - 1))
    }

    /// A write that records a value of this class.
    pub fn value_site(&mut self, kind: SiteKind, at: At, name: Option<&str>, class: ValueClass<'a>) -> Option<String> {
        self.value_site_as(kind, Role::Write, at, name, class)
    }

    /// A site that records a value of this class: the variable or key it concerns, then the literal if it is one; the function
    /// that the value is, if it is one.
    pub fn value_site_as(
        &mut self,
        kind: SiteKind,
        role: Role,
        at: At,
        name: Option<&str>,
        class: ValueClass<'a>,
    ) -> Option<String> {
        let mut names: Vec<NameIndex> = name.map(|name| self.name(name)).into_iter().collect();
        if let ValueClass::Literal(text) = class {
            names.push(self.name(text));
        }
        let extra = if class == ValueClass::FunctionLiteral { self.table.functions.len() as u32 + 1 } else { 0 };
        let number = self.add_site(kind, role, at, names, extra);
        self.class_site = (class == ValueClass::ClassLiteral).then_some(number);
        self.emitting(number)
    }

    pub fn add_site(&mut self, kind: SiteKind, role: Role, at: At, names: Vec<NameIndex>, extra: u32) -> u32 {
        let number = self.add_unanchored(kind, at.span, names, extra);
        self.anchors.site(at.node, role, LocalSite(number));
        number
    }

    /// The newest site has this role as well.
    pub fn newest_is_also(&mut self, role: Role, at: At) {
        let newest = LocalSite(self.table.sites.len() as u32 - 1);
        self.anchors.site(at.node, role, newest);
    }

    /// A site that is no event.
    fn add_unanchored(&mut self, kind: SiteKind, span: Span, names: Vec<NameIndex>, extra: u32) -> u32 {
        let function = self.frame().index;
        let number = self.table.sites.len() as u32;
        let span = trace_model::Span { start: span.start, end: span.end };
        self.table.sites.push(trace_model::Site { kind, span, function, names, extra, variable: None });
        number
    }

    /// Marks a function or class whose text was changed since there were `n_changes`; the mark is to be put behind the brace
    /// that opens its body. It has a site in any case.
    pub fn mark_text(&mut self, kind: SiteKind, span: Span, last_insertion: Option<Slot>, n_changes: usize) -> String {
        let site = self.add_unanchored(kind, span, Vec::new(), 0);
        if self.edits.n_changes() == n_changes {
            return String::new();
        }
        self.marked.push(MarkedText { start: span.start, end: span.end, last_insertion });
        self.marked_sites.push(site);
        let original = if self.for_prelude { format!(":{}", base64url(self.text(span))) } else { String::new() };
        format!("{MARK_OPENING}0{}{original}*/", number_text(site))
    }
}

/// Site number × 16, as the helpers take it.
pub(crate) fn literal(site: u32) -> String {
    format!("0x{}0", number_text(site))
}

fn base64url(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::with_capacity(text.len().div_ceil(3) * 4);
    for chunk in text.as_bytes().chunks(3) {
        let bytes = [chunk[0], *chunk.get(1).unwrap_or(&0), *chunk.get(2).unwrap_or(&0)];
        let bits = u32::from_be_bytes([0, bytes[0], bytes[1], bytes[2]]);
        for i in 0..=chunk.len() {
            out.push(DIGITS[(bits >> (18 - 6 * i)) as usize & 63] as char);
        }
    }
    out
}
