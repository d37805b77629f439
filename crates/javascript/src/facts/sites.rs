//! From a construct of the syntax tree to the sites and functions that the instrumenter made of it: by what they are and where
//! they stand. Where several are alike, the first one made comes first.

use trace_model::{FunctionIndex, FunctionKind, LocalSite, SiteKind, SiteTable, Span};

pub(crate) struct SiteFinder {
    /// By the start of their span, then in the order in which they were made.
    sites: Vec<Candidate>,
    /// For each place in the source the first of `sites` that starts there or later.
    first_at: Vec<u32>,
    /// End and start of the span, function; sorted.
    functions: Vec<(u32, u32, u32)>,
    /// The same of initialisers of classes.
    class_inits: Vec<(u32, u32, u32)>,
}

#[derive(Clone, Copy)]
struct Candidate {
    kind: SiteKind,
    end: u32,
    site: u32,
    is_taken: bool,
}

impl SiteFinder {
    pub fn new(table: &SiteTable, source_len: usize) -> SiteFinder {
        // Sorted by counting: sites are many, and mostly in order.
        let mut first_at = vec![0u32; source_len + 2];
        for site in &table.sites {
            first_at[site.span.start as usize + 1] += 1;
        }
        for i in 1..first_at.len() {
            first_at[i] += first_at[i - 1];
        }
        let mut next = first_at.clone();
        let nothing = Candidate { kind: SiteKind::Function, end: 0, site: 0, is_taken: true };
        let mut sites = vec![nothing; table.sites.len()];
        for (i, site) in table.sites.iter().enumerate() {
            let place = &mut next[site.span.start as usize];
            sites[*place as usize] = Candidate { kind: site.kind, end: site.span.end, site: i as u32, is_taken: false };
            *place += 1;
        }
        let mut functions: Vec<(u32, u32, u32)> = table
            .functions
            .iter()
            .enumerate()
            .skip(1)
            .map(|(i, function)| (function.span.end, function.span.start, i as u32))
            .collect();
        functions.sort_unstable();
        let (class_inits, functions) = functions
            .into_iter()
            .partition(|&(_, _, function)| table.functions[function as usize].kind == FunctionKind::ClassInit);
        SiteFinder { sites, first_at, functions, class_inits }
    }

    /// The first site of this kind at this place that was not taken before.
    pub fn take(&mut self, kind: SiteKind, span: Span) -> Option<LocalSite> {
        self.take_if(kind, span, |_| true)
    }

    pub fn take_if(
        &mut self,
        kind: SiteKind,
        span: Span,
        is_wanted: impl FnOnce(LocalSite) -> bool,
    ) -> Option<LocalSite> {
        let found = self.find(kind, span)?;
        let site = LocalSite(self.sites[found].site);
        self.sites[found].is_taken = is_wanted(site);
        self.sites[found].is_taken.then_some(site)
    }

    /// The one that [`SiteFinder::take`] would give.
    pub fn next(&self, kind: SiteKind, span: Span) -> Option<LocalSite> {
        self.find(kind, span).map(|found| LocalSite(self.sites[found].site))
    }

    fn find(&self, kind: SiteKind, span: Span) -> Option<usize> {
        let start = span.start as usize;
        let mut range = self.first_at[start] as usize..self.first_at[start + 1] as usize;
        range.find(|&at| {
            let candidate = &self.sites[at];
            !candidate.is_taken && candidate.kind == kind && candidate.end == span.end
        })
    }

    /// The function whose text ends where this does; it may begin earlier: that of a method begins at its key.
    pub fn function(&self, span: Span) -> Option<FunctionIndex> {
        let behind = self.functions.partition_point(|&(end, start, _)| (end, start) <= (span.end, span.start));
        let (end, _, function) = *self.functions.get(behind.checked_sub(1)?)?;
        (end == span.end).then_some(FunctionIndex(function))
    }

    /// The initialiser of a field, or a static block, with this text.
    pub fn class_init(&self, span: Span) -> Option<FunctionIndex> {
        let found = self.class_inits.binary_search_by_key(&(span.end, span.start), |&(end, start, _)| (end, start));
        found.ok().map(|found| FunctionIndex(self.class_inits[found].2))
    }
}
