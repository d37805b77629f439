//! The JSON of a source map → origins.

use std::collections::HashMap;

use serde::Deserialize;
use trace_format::{Mapping, OriginSource, Original, Origins, SourceIndex};
use trace_model::Position;

use super::{regular_file, resolved, vlq};
use crate::url::{has_scheme, plain_path};

pub fn origins(json: &str, folder: &str) -> Option<Origins> {
    // Servers put `)]}'` in front, so that no page can run it.
    let json = if json.starts_with(")]}") { json.split_once('\n')?.1 } else { json };
    let map: MapJson = serde_json::from_str(json).ok()?;
    let mut reader = MapReader { folder, origins: Origins::default(), by_path: HashMap::new() };
    reader.read(&map, Offset::default())?;
    let mut origins = reader.origins;
    origins.mappings.sort_by_key(|mapping| mapping.compiled);
    let says_something = origins.mappings.iter().any(|mapping| mapping.original.is_some());
    says_something.then(|| with_contents(origins))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MapJson {
    source_root: Option<String>,
    #[serde(default)]
    sources: Vec<Option<String>>,
    sources_content: Option<Vec<Option<String>>>,
    #[serde(default)]
    mappings: String,
    /// A map of maps, as bundlers make it.
    #[serde(default)]
    sections: Vec<SectionJson>,
}

#[derive(Deserialize)]
struct SectionJson {
    offset: Offset,
    map: Option<MapJson>,
}

/// Where a section starts; lines and columns of source maps count from 0.
#[derive(Clone, Copy, Default, Deserialize)]
struct Offset {
    line: u32,
    column: u32,
}

struct MapReader<'a> {
    folder: &'a str,
    origins: Origins,
    by_path: HashMap<String, SourceIndex>,
}

impl MapReader<'_> {
    fn read(&mut self, map: &MapJson, at: Offset) -> Option<()> {
        for section in &map.sections {
            if let Some(inner) = &section.map {
                self.read(inner, section.offset)?;
            }
        }
        let sources = self.add_sources(map);
        // All but the compiled column go on from line to line.
        let (mut source, mut line, mut column) = (0, 0, 0);
        // A section may begin at the last line that there is a number for.
        let first_line = i64::from(at.line);
        for (compiled_line, segments) in (first_line..).zip(map.mappings.split(';')) {
            let mut compiled_column = if compiled_line == first_line { i64::from(at.column) } else { 0 };
            for segment in segments.split(',').filter(|segment| !segment.is_empty()) {
                let mut digits = segment.as_bytes();
                compiled_column += vlq::take_number(&mut digits)?;
                let mut original = None;
                if !digits.is_empty() {
                    source += vlq::take_number(&mut digits)?;
                    line += vlq::take_number(&mut digits)?;
                    column += vlq::take_number(&mut digits)?;
                    let source = *sources.get(usize::try_from(source).ok()?)?;
                    let position = position(line, column)?;
                    original = source.map(|source| Original { source, position });
                }
                let compiled = position(compiled_line, compiled_column)?;
                self.origins.mappings.push(Mapping { compiled, original });
            }
        }
        Some(())
    }

    /// For each source of the map where it is among ours.
    fn add_sources(&mut self, map: &MapJson) -> Vec<Option<SourceIndex>> {
        let contents = map.sources_content.as_deref().unwrap_or_default();
        let mut indexes = Vec::with_capacity(map.sources.len());
        for (i, name) in map.sources.iter().enumerate() {
            let Some(name) = name.as_deref().filter(|name| !name.is_empty()) else {
                indexes.push(None);
                continue;
            };
            let path = source_path(name, map.source_root.as_deref().unwrap_or_default(), self.folder);
            let next = SourceIndex(self.origins.sources.len() as u32);
            let index = *self.by_path.entry(path.clone()).or_insert(next);
            if index == next {
                let content = contents.get(i).cloned().flatten();
                self.origins.sources.push(OriginSource { path, content });
            }
            indexes.push(Some(index));
        }
        indexes
    }
}

/// The files may have changed by the time somebody looks.
fn with_contents(mut origins: Origins) -> Origins {
    for source in origins.sources.iter_mut().filter(|source| source.path.starts_with('/')) {
        if source.content.is_none() {
            source.content = regular_file(&source.path);
        }
    }
    origins
}

fn source_path(name: &str, root: &str, folder: &str) -> String {
    let is_whole = |name: &str| name.starts_with('/') || has_scheme(name);
    let name = match root.trim_end_matches('/') {
        _ if is_whole(name) => name.to_owned(),
        "" => format!("{root}{name}"),
        root => format!("{root}/{name}"),
    };
    let path = plain_path(&name);
    if has_scheme(&path) { path } else { resolved(folder, &path) }
}

fn position(line: i64, column: i64) -> Option<Position> {
    let counted_from_1 = |number: i64| u32::try_from(number).ok()?.checked_add(1);
    Some(Position { line: counted_from_1(line)?, column: counted_from_1(column)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(json: &str, line: u32, column: u32) -> Option<(String, u32, u32)> {
        let origins = origins(json, "/p/dist")?;
        let (source, position) = origins.original(Position { line, column })?;
        Some((source.path.clone(), position.line, position.column))
    }

    #[test]
    fn a_plain_map() {
        let json = r#"{"version":3,"sourceRoot":"../src/","sources":["a.ts","webpack://x/./b.ts"],"names":["n"],
            "mappings":"AAAA;;EAGEA,ICDF,E"}"#;
        assert_eq!(found(json, 1, 9), Some(("/p/src/a.ts".into(), 1, 1)));
        assert_eq!(found(json, 2, 1), None);
        assert_eq!(found(json, 3, 3), Some(("/p/src/a.ts".into(), 4, 3)));
        assert_eq!(found(json, 3, 7), Some(("webpack://x/./b.ts".into(), 3, 1)));
        assert_eq!(found(json, 3, 9), None);
    }

    #[test]
    fn a_map_of_maps() {
        let json = r#"{"version":3,"sections":[
            {"offset":{"line":0,"column":0},"map":{"version":3,"sources":["a.ts"],"mappings":"AAAA"}},
            {"offset":{"line":1,"column":10},"map":{"version":3,"sources":["file:///q/b%20c.ts"],"mappings":"AACA;AACA"}}]}"#;
        assert_eq!(found(json, 1, 1), Some(("/p/dist/a.ts".into(), 1, 1)));
        assert_eq!(found(json, 2, 10), None);
        assert_eq!(found(json, 2, 11), Some(("/q/b c.ts".into(), 2, 1)));
        assert_eq!(found(json, 3, 1), Some(("/q/b c.ts".into(), 3, 1)));
    }

    #[test]
    fn what_is_no_map_is_none() {
        let maps = ["", "[]", "{}", r#"{"sources":[],"mappings":"AAAA"}"#, r#"{"sources":["a"],"mappings":"A!"}"#];
        assert!(maps.iter().all(|json| origins(json, "/p").is_none()));
        assert!(origins(r#"{"sources":[null],"mappings":"AAAA"}"#, "/p").is_none());
    }
}
