//! Where compiled code came from, as its source map says it ↔ bytes. Mappings go from one to the next by small steps, so
//! what is written is the distance from the mapping before.

use trace_model::Position;

use crate::FormatError;
use crate::error::check_version;
use crate::varint::{self, Reader};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origins {
    pub sources: Vec<OriginSource>,
    /// By `compiled`, ascending.
    pub mappings: Vec<Mapping>,
}

/// A file that the person wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OriginSource {
    /// A plain path, or a name such as `webpack://x/src/a.ts`.
    pub path: String,
    pub content: Option<String>,
}

/// What is at `compiled`, and behind it up to the next mapping or the end of the line, came from `original`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mapping {
    pub compiled: Position,
    /// Nothing for what the compiler added.
    pub original: Option<Original>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Original {
    pub source: SourceIndex,
    pub position: Position,
}

/// Of a source in its [`Origins`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceIndex(pub u32);

impl Origins {
    /// Where the code at this position of the compiled text came from.
    pub fn original(&self, compiled: Position) -> Option<(&OriginSource, Position)> {
        let after = self.mappings.partition_point(|mapping| mapping.compiled <= compiled);
        let mapping = self.mappings[..after].last().filter(|mapping| mapping.compiled.line == compiled.line)?;
        let Original { source, position } = mapping.original?;
        Some((self.sources.get(source.0 as usize)?, position))
    }
}

pub fn write_origins(origins: &Origins) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    varint::put(&mut bytes, crate::VERSION);
    varint::put(&mut bytes, origins.sources.len() as u32);
    for source in &origins.sources {
        varint::put_text(&mut bytes, &source.path);
        varint::put(&mut bytes, u32::from(source.content.is_some()));
        if let Some(content) = &source.content {
            varint::put_text(&mut bytes, content);
        }
    }
    varint::put(&mut bytes, origins.mappings.len() as u32);
    let (mut compiled, mut original) = (START, START);
    for mapping in &origins.mappings {
        put_step_forward(&mut bytes, compiled, mapping.compiled);
        compiled = mapping.compiled;
        varint::put(&mut bytes, mapping.original.map_or(0, |original| 1 + original.source.0));
        if let Some(Original { position, .. }) = mapping.original {
            varint::put_distance(&mut bytes, original.line, position.line);
            varint::put_distance(&mut bytes, original.column, position.column);
            original = position;
        }
    }
    bytes
}

/// Reads what [`write_origins`] wrote. The sources that mappings name are there.
pub fn read_origins(bytes: &[u8], file: &str) -> Result<Origins, FormatError> {
    let Some(bytes) = bytes.strip_prefix(MAGIC) else {
        return Err(FormatError::NotOurs { file: file.into(), expected: "source origins" });
    };
    let mut reader = Reader { file, bytes };
    check_version(file, reader.number()?)?;
    let mut origins = Origins::default();
    for _ in 0..reader.length()? {
        let path = reader.text()?;
        let content = if reader.number()? == 0 { None } else { Some(reader.text()?) };
        origins.sources.push(OriginSource { path, content });
    }
    let (mut compiled, mut original) = (START, START);
    for _ in 0..reader.length()? {
        compiled = take_step_forward(&mut reader, compiled)?;
        let source = reader.number()?.checked_sub(1).map(SourceIndex);
        if source.is_some_and(|source| source.0 as usize >= origins.sources.len()) {
            return Err(reader.damaged("an index is out of range"));
        }
        if source.is_some() {
            original.line = reader.distance(original.line)?;
            original.column = reader.distance(original.column)?;
        }
        let original = source.map(|source| Original { source, position: original });
        origins.mappings.push(Mapping { compiled, original });
    }
    Ok(origins)
}

const MAGIC: &[u8] = b"WFORIGS\0";

const START: Position = Position { line: 1, column: 1 };

/// Lines down; columns on from `from` if on the same line, from the first column otherwise.
fn put_step_forward(bytes: &mut Vec<u8>, from: Position, to: Position) {
    let start = if to.line == from.line { from.column } else { START.column };
    varint::put(bytes, to.line.wrapping_sub(from.line));
    varint::put(bytes, to.column.wrapping_sub(start));
}

fn take_step_forward(reader: &mut Reader, from: Position) -> Result<Position, FormatError> {
    let lines = reader.number()?;
    let start = if lines == 0 { from.column } else { START.column };
    let columns = reader.number()?;
    let (Some(line), Some(column)) = (from.line.checked_add(lines), start.checked_add(columns)) else {
        return Err(reader.damaged("a position is out of range"));
    };
    Ok(Position { line, column })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(line: u32, column: u32) -> Position {
        Position { line, column }
    }

    #[test]
    fn the_nearest_mapping_on_the_line_counts() {
        let to = |line, column| Some(Original { source: SourceIndex(0), position: at(line, column) });
        let origins = Origins {
            sources: vec![OriginSource { path: "a.ts".into(), content: None }],
            mappings: vec![
                Mapping { compiled: at(2, 3), original: to(10, 1) },
                Mapping { compiled: at(2, 8), original: to(9, 5) },
                Mapping { compiled: at(4, 1), original: None },
            ],
        };
        let found = |line, column| origins.original(at(line, column)).map(|(_, original)| original);
        assert_eq!(found(2, 3), Some(at(10, 1)));
        assert_eq!(found(2, 7), Some(at(10, 1)));
        assert_eq!(found(2, 99), Some(at(9, 5)));
        assert_eq!([found(1, 1), found(2, 2), found(3, 1), found(4, 5)], [None; 4]);
    }

    fn any_position() -> impl Strategy<Value = Position> {
        prop_oneof![(1u32..9, 1u32..9), (1u32.., 1u32..)].prop_map(|(line, column)| at(line, column))
    }

    fn any_origins() -> impl Strategy<Value = Origins> {
        let source = (".{0,8}", prop::option::of(".{0,20}"));
        let source = source.prop_map(|(path, content)| OriginSource { path, content });
        let mapping = (any_position(), prop::option::of((any::<prop::sample::Index>(), any_position())));
        (prop::collection::vec(source, 1..4), prop::collection::vec(mapping, 0..20)).prop_map(|(sources, mappings)| {
            let original = |(source, position): (prop::sample::Index, Position)| Original {
                source: SourceIndex(source.index(sources.len()) as u32),
                position,
            };
            let mapping = |(compiled, to): (Position, Option<_>)| Mapping { compiled, original: to.map(original) };
            let mut mappings: Vec<_> = mappings.into_iter().map(mapping).collect();
            mappings.sort_by_key(|mapping| mapping.compiled);
            Origins { sources, mappings }
        })
    }

    proptest! {
        #[test]
        fn origins_come_back(origins in any_origins()) {
            prop_assert_eq!(read_origins(&write_origins(&origins), "x.origins").unwrap(), origins);
        }

        #[test]
        fn a_cut_is_said(origins in any_origins(), cut in any::<prop::sample::Index>()) {
            let bytes = write_origins(&origins);
            prop_assert!(read_origins(&bytes[..cut.index(bytes.len())], "x.origins").is_err());
        }
    }
}
