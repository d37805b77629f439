use std::fs;
use std::path::Path;

use instrument::{Dialect, NotInstrumented, SourceKind, Text};
use trace_model::{Site, SiteTable, Span, Tail};

use crate::{Error, Policy};

/// How a text will be compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeKind {
    Script,
    Module,
    CommonJs,
}

impl CodeKind {
    /// As Node would take a file of this name without asking its package.
    pub fn of_file(path: &Path) -> CodeKind {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("mjs" | "mts") => CodeKind::Module,
            _ => CodeKind::CommonJs,
        }
    }

    fn source_kind(self) -> SourceKind {
        match self {
            CodeKind::Script => SourceKind::Script,
            CodeKind::Module => SourceKind::Module,
            CodeKind::CommonJs => SourceKind::CommonJs,
        }
    }
}

/// The text of a file that emits events, and its sites.
#[derive(Clone, Debug)]
pub struct Instrumented {
    pub code: String,
    pub sites: Vec<SiteLine>,
    pub passed_over: Vec<PassedOver>,
}

/// A site, for people.
#[derive(Clone, Debug)]
pub struct SiteLine {
    pub number: u32,
    pub line: u32,
    pub kind: &'static str,
    pub function: String,
    pub names: Vec<String>,
    /// Number of values that follow its events, for an array literal.
    pub n_elements: Option<u32>,
    /// The source text of the site; of a long one its first line.
    pub text: String,
}

/// A part of the text that has no sites although it might write something.
#[derive(Clone, Debug)]
pub struct PassedOver {
    pub line: u32,
    pub why: String,
    pub text: String,
}

/// Instruments a file the way a recording would.
pub fn instrument_file(path: &Path, kind: Option<CodeKind>, policy: &Policy) -> Result<Instrumented, Error> {
    let source = fs::read_to_string(path).map_err(Error::io(path))?;
    let kind = kind.unwrap_or_else(|| CodeKind::of_file(path));
    let dialect = path.extension().and_then(|extension| Dialect::of_extension(extension.to_str()?));
    let text = Text { dialect: dialect.as_ref(), ..Text::new(&source, kind.source_kind()) };
    let instrumented = instrument::instrument(text, &path.to_string_lossy(), &policy.0);
    let instrumented =
        instrumented.map_err(|why| Error::NotInstrumented { path: path.display().to_string(), why: reason(why) })?;
    let line_ends: Vec<usize> = source.match_indices('\n').map(|(at, _)| at).collect();
    let line_of = |span: Span| 1 + line_ends.partition_point(|&end| end < span.start as usize) as u32;
    let sites = instrumented.sites.sites.iter().enumerate().map(|(number, site)| {
        site_line(number as u32 + FIRST_SITE, line_of(site.span), site, &instrumented.sites, &source)
    });
    let passed_over = instrumented.sites.not_captured.iter().map(|&(span, why)| PassedOver {
        line: line_of(span),
        why: instrumented.sites.name(why).to_owned(),
        text: first_line(&source, span),
    });
    let (sites, passed_over) = (sites.collect(), passed_over.collect());
    Ok(Instrumented { code: instrumented.rebased(FIRST_SITE), sites, passed_over })
}

/// The source of a file and its sites.
pub(crate) fn site_table(path: &Path) -> Result<(String, SiteTable), Error> {
    let source = fs::read_to_string(path).map_err(Error::io(path))?;
    let dialect = path.extension().and_then(|extension| Dialect::of_extension(extension.to_str()?));
    let kind = CodeKind::of_file(path).source_kind();
    let text = Text { dialect: dialect.as_ref(), ..Text::new(&source, kind) };
    let instrumented = instrument::instrument(text, &path.to_string_lossy(), &trace_model::Policy::full());
    let refused = |why| Error::NotInstrumented { path: path.display().to_string(), why: reason(why) };
    let sites = instrumented.map_err(refused)?.sites;
    Ok((source, sites))
}

/// Instruments text after text for realms that have only the prelude; sites are numbered through.
pub struct InstrumentServer {
    next_site: u32,
}

impl InstrumentServer {
    #[expect(clippy::new_without_default, reason = "a server is started, it has no default")]
    pub fn new() -> InstrumentServer {
        InstrumentServer { next_site: FIRST_SITE }
    }

    /// The new text, or why it has to run as it is.
    pub fn instrument(&mut self, source: &str, kind: CodeKind, path: &str, policy: &Policy) -> Result<String, String> {
        let text = Text { for_prelude: true, ..Text::new(source, kind.source_kind()) };
        let instrumented = instrument::instrument(text, path, &policy.0).map_err(reason)?;
        let code = instrumented.rebased(self.next_site);
        self.next_site += instrumented.sites.sites.len() as u32;
        Ok(code)
    }
}

/// A header word of 0 is the end of the events, so numbers start at 1.
const FIRST_SITE: u32 = 1;

fn reason(why: NotInstrumented) -> String {
    match why {
        NotInstrumented::SyntaxError(why) | NotInstrumented::Unfaithful(why) => why,
    }
}

fn site_line(number: u32, line: u32, site: &Site, table: &SiteTable, source: &str) -> SiteLine {
    SiteLine {
        number,
        line,
        kind: site.kind.name(),
        function: table.name(table.function(site.function).name).into(),
        names: site.names.iter().map(|name| table.name(*name).into()).collect(),
        n_elements: (site.kind.tail() == Tail::Elements).then_some(site.extra),
        text: first_line(source, site.span),
    }
}

fn first_line(source: &str, span: Span) -> String {
    let text = source.get(span.start as usize..span.end as usize).unwrap_or_default();
    text.lines().next().unwrap_or_default().into()
}
