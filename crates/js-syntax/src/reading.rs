//! Code of a run, read again: as it is, or what its types leave of it.

use oxc_allocator::Allocator;
use trace_model::CodeKind;

use crate::{Decorators, Dialect, Fields, Parsed, Positions, SourceKind, parse, strip_types};

/// Reads a source as it is, or what its types leave of it. It recurses as deep as the text nests:
/// whoever calls sees to the stack.
pub fn read<T>(
    source: &str,
    kind: CodeKind,
    path: &str,
    read: impl FnOnce(&Parsed, &Positions) -> T,
) -> Result<T, String> {
    let allocator = Allocator::default();
    let kind = source_kind(kind);
    let dialects = dialects_of(path);
    if dialects.is_empty() {
        return Ok(read(&parse(&allocator, source, kind)?, &Positions::default()));
    }
    let mut refusal = None;
    for dialect in &dialects {
        match strip_types(source, kind == SourceKind::Module, dialect) {
            Ok(stripped) => {
                return Ok(read(&parse(&allocator, &stripped.code, kind)?, &Positions::new(&stripped.insertions)));
            }
            Err(error) => refusal = refusal.or(Some(error)),
        }
    }
    Err(refusal.unwrap_or_default())
}

/// What a file may have been written in, the most likely first; none for JavaScript.
pub fn dialects_of(path: &str) -> Vec<Dialect> {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let Some(plain) = Dialect::of_extension(extension) else { return Vec::new() };
    let mut dialects = vec![plain];
    let with = |change: fn(Dialect) -> Dialect, dialects: &mut Vec<Dialect>| {
        let changed: Vec<Dialect> = dialects.iter().cloned().map(change).collect();
        dialects.extend(changed);
    };
    with(|dialect| Dialect { decorators: Decorators::Legacy, ..dialect }, &mut dialects);
    with(|dialect| Dialect { fields: Fields::OnlyTypes, ..dialect }, &mut dialects);
    dialects
}

pub fn source_kind(kind: CodeKind) -> SourceKind {
    match kind {
        CodeKind::Script => SourceKind::Script,
        CodeKind::Module => SourceKind::Module,
        CodeKind::CommonJs => SourceKind::CommonJs,
        CodeKind::Eval => SourceKind::Eval,
        CodeKind::FunctionBody => SourceKind::FunctionBody,
    }
}
