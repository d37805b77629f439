//! Code of a run, read again: as it is, or what its types leave of it.

use oxc_allocator::Allocator;
use trace_model::{CodeKind, SourceCode};

use crate::{Dialect, Parsed, Positions, SourceKind, parse, strip_types};

/// Parses a source as it was parsed when it was recorded. It recurses as deep as the text nests: whoever calls sees to the stack.
pub fn read<T>(code: SourceCode, read: impl FnOnce(&Parsed, &Positions) -> T) -> Result<T, String> {
    let allocator = Allocator::default();
    let kind = source_kind(code.kind);
    let Some(dialect) = dialect_of(code)? else {
        return Ok(read(&parse(&allocator, code.source, kind)?, &Positions::default()));
    };
    let stripped = strip_types(code.source, kind == SourceKind::Module, &dialect)?;
    Ok(read(&parse(&allocator, &stripped.code, kind)?, &Positions::new(&stripped.insertions)))
}

/// What a code was written in; `None` for JavaScript. Where the run does not say so, it is what the name of the file means in a project
/// that says nothing else.
pub fn dialect_of(code: SourceCode) -> Result<Option<Dialect>, String> {
    match code.made {
        Some(made) if made.dialect.is_empty() => Ok(None),
        Some(made) => match Dialect::parse(&made.dialect) {
            Some(dialect) => Ok(Some(dialect)),
            None => Err(format!("it was recorded by a newer version, as {}", made.dialect.replace('\n', ", "))),
        },
        None => Ok(code.path.rsplit_once('.').and_then(|(_, extension)| Dialect::of_extension(extension))),
    }
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
