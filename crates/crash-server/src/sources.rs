//! Positions of a release, in the source that people wrote.

use std::collections::HashMap;

use crash_path::Label;
use sourcemap::{DecodedMap, decode_slice};

use crate::bugs::Bug;
use crate::store::{Content, ContentKind, ProjectId, Result, Store};
use crate::wire::{FileName, Source, SourceMap};

/// A longer line is cut: minified code has lines of megabytes.
const MAX_LINE: usize = 240;

/// Whether it can be read as a source map.
pub fn check_map(bytes: &[u8]) -> std::result::Result<(), String> {
    serde_json::from_slice::<SourceMap>(bytes).map_err(|_| "it is no source map of version 3".to_owned())?;
    decode_slice(bytes).map(|_| ()).map_err(|_| "the mappings of the source map cannot be read".to_owned())
}

/// For each label of the path of a bug its place in the original source, where something was uploaded for the file.
pub async fn of_path(store: &Store, project: ProjectId, bug: &Bug) -> Result<Vec<Option<Source>>> {
    let mut files: HashMap<String, Option<Readable>> = HashMap::new();
    let mut sources = Vec::with_capacity(bug.path.labels.len());
    for label in &bug.path.labels {
        let Some((file, line, column)) = position(label) else {
            sources.push(None);
            continue;
        };
        if !files.contains_key(file) {
            let name = FileName::try_from(file.to_owned()).expect("a name that came over the wire");
            let content = store.map(project, &bug.path_release, &name).await?;
            files.insert(file.to_owned(), content.and_then(Readable::of));
        }
        sources.push(files[file].as_ref().and_then(|readable| readable.at(file, line, column)));
    }
    Ok(sources)
}

enum Readable {
    Map(Box<DecodedMap>),
    Text(String),
}

impl Readable {
    fn of(content: Content) -> Option<Readable> {
        match content.kind {
            ContentKind::Map => decode_slice(&content.bytes).ok().map(|map| Readable::Map(Box::new(map))),
            ContentKind::Source => Some(Readable::Text(String::from_utf8_lossy(&content.bytes).into_owned())),
        }
    }

    /// Lines and columns count from 1 in paths, and from 0 in maps.
    fn at(&self, file: &str, line: u32, column: u32) -> Option<Source> {
        match self {
            Readable::Text(text) => {
                Some(Source { file: file.to_owned(), line, column, text: line_of(text, line.checked_sub(1)?) })
            }
            Readable::Map(map) => {
                let token = map.lookup_token(line.checked_sub(1)?, column.saturating_sub(1))?;
                let text = token.get_source_view().and_then(|view| line_of(view.source(), token.get_src_line()));
                Some(Source {
                    file: token.get_source()?.to_owned(),
                    line: token.get_src_line() + 1,
                    column: token.get_src_col() + 1,
                    text,
                })
            }
        }
    }
}

fn line_of(text: &str, number: u32) -> Option<String> {
    let line = text.lines().nth(number as usize)?;
    Some(line.chars().take(MAX_LINE).collect())
}

fn position(label: &Label) -> Option<(&str, u32, u32)> {
    match label {
        Label::Enter { function, .. } | Label::Exit { function, .. } => {
            Some((&function.file, function.line, function.column))
        }
        Label::Task { registered_at } => {
            registered_at.as_ref().map(|site| (&*site.function.file, site.line, site.column))
        }
        other => other.site().map(|site| (&*site.function.file, site.line, site.column)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_leads_to_the_original_line() {
        let map = br#"{"version":3,"sources":["cart.ts"],"names":[],"mappings":"AACA,SAAI","sourcesContent":["// a cart\nlet total = 0;\n"]}"#;
        let readable = Readable::of(Content { kind: ContentKind::Map, bytes: map.to_vec() }).expect("a map");
        let source = readable.at("cart.js", 1, 1).expect("a place");
        assert_eq!((source.file.as_str(), source.line, source.text.as_deref()), ("cart.ts", 2, Some("let total = 0;")));
    }

    #[test]
    fn what_is_not_there_is_not_told() {
        let readable = Readable::Text("one\ntwo".to_owned());
        assert_eq!(readable.at("a.js", 2, 1).and_then(|source| source.text).as_deref(), Some("two"));
        assert_eq!(readable.at("a.js", 3, 1).and_then(|source| source.text), None);
        assert_eq!(readable.at("a.js", 0, 1), None);
    }

    #[test]
    fn garbage_is_no_map() {
        assert!(check_map(b"{}").is_err());
        assert!(check_map(b"\xff").is_err());
    }
}
