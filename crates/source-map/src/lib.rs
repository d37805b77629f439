//! Source maps: what compiled code says about where it came from. A map that is missing or wrong is no reason to complain;
//! the code is then reported as it is.

mod decode;
pub mod url;
mod vlq;

use std::fs;
use std::path::Path;

use trace_format::{Original, Origins};

use crate::url::{has_scheme, percent_decoded, plain_path};

/// The source map of a piece of code, not yet decoded.
pub struct SourceMap {
    json: String,
    /// What its sources are relative to.
    folder: String,
}

impl SourceMap {
    /// The map that the last `//# sourceMappingURL=` of the code names: in itself, or a file.
    pub fn of(source: &str, filename: &str) -> Option<SourceMap> {
        let url = mapping_url(source)?;
        let path = plain_path(filename);
        let folder = if path.starts_with('/') { parent(&path) } else { "" };
        if let Some(data) = url.strip_prefix("data:") {
            return Some(SourceMap { json: data_text(data)?, folder: folder.to_owned() });
        }
        let map_path = match url {
            url if url.starts_with("file://") => plain_path(url),
            url if has_scheme(url) || folder.is_empty() => return None,
            url => resolved(folder, &percent_decoded(url)),
        };
        Some(SourceMap { json: regular_file(&map_path)?, folder: parent(&map_path).to_owned() })
    }

    /// All that the origins depend on, so that the same code with another map is other code.
    pub fn identity(&self) -> String {
        format!("{}\n{}", self.folder, self.json)
    }

    /// `None` if it is no source map, or says nothing that could be looked at: a package often names sources that it does not
    /// bring along, and then its code itself is all that there is to show.
    pub fn decode(&self) -> Option<Origins> {
        let mut origins = decode::origins(&self.json, &self.folder)?;
        for mapping in &mut origins.mappings {
            let has_text = |original: &Original| origins.sources[original.source.0 as usize].content.is_some();
            mapping.original = mapping.original.filter(has_text);
        }
        origins.mappings.iter().any(|mapping| mapping.original.is_some()).then_some(origins)
    }
}

/// More than any map or source of use; what is larger is left.
const MAX_FILE_BYTES: u64 = 64 << 20;

fn mapping_url(source: &str) -> Option<&str> {
    let is_comment = |before: &str| {
        let before = before.trim_end_matches([' ', '\t']);
        ["//#", "//@", "/*#", "/*@"].iter().any(|start| before.ends_with(start))
    };
    let (at, key) = source.rmatch_indices("sourceMappingURL=").find(|(at, _)| is_comment(&source[..*at]))?;
    let rest = &source[at + key.len()..];
    rest.split(|c: char| c.is_whitespace() || c == '"' || c == '\'').next().filter(|url| !url.is_empty())
}

/// Of a data URL, from behind its scheme.
fn data_text(data: &str) -> Option<String> {
    let (kind, data) = data.split_once(',')?;
    if !kind.ends_with(";base64") {
        return Some(percent_decoded(data));
    }
    let bytes = vlq::base64_bytes(data)?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn regular_file(path: &str) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_FILE_BYTES {
        return None;
    }
    fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn parent(path: &str) -> &str {
    Path::new(path).parent().and_then(Path::to_str).unwrap_or_default()
}

/// `path` as seen from `folder`, without `.` and `..`.
fn resolved(folder: &str, path: &str) -> String {
    let whole = if path.starts_with('/') || folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match parts.last() {
            Some(&last) if part == ".." && last != ".." => {
                parts.pop();
            }
            _ if part == ".." && whole.starts_with('/') => {}
            _ => parts.push(part),
        }
    }
    format!("{}{}", if whole.starts_with('/') { "/" } else { "" }, parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_comment_counts() {
        let url = |source| mapping_url(source);
        assert_eq!(url("f();\n//# sourceMappingURL=a.map\n//# sourceMappingURL=b.map\n"), Some("b.map"));
        assert_eq!(url("f();\n//@ sourceMappingURL=a.map"), Some("a.map"));
        assert_eq!(url("a {}\n/*# sourceMappingURL=a.map */"), Some("a.map"));
        assert_eq!(url("//# sourceMappingURL=a.map\nlog('sourceMappingURL=b')"), Some("a.map"));
        assert_eq!(url("f();\n//# sourceMappingURL=\n"), None);
    }

    #[test]
    fn data_urls() {
        let json = |url: &str| data_text(url);
        assert_eq!(json("application/json;charset=utf-8;base64,eyJhIjoxfQ=="), Some(r#"{"a":1}"#.into()));
        assert_eq!(json("application/json,%7B%22a%22:1%7D"), Some(r#"{"a":1}"#.into()));
        assert_eq!(json("application/json;base64,***"), None);
    }

    #[test]
    fn paths_are_seen_from_a_folder() {
        assert_eq!(resolved("/p/dist", "../src/./a.ts"), "/p/src/a.ts");
        assert_eq!(resolved("/p", "../../../a.ts"), "/a.ts");
        assert_eq!(resolved("/p", "/q//a.ts"), "/q/a.ts");
        assert_eq!(resolved("", "../a.ts"), "../a.ts");
    }

    #[test]
    fn sources_that_are_nowhere_say_nothing() {
        let decoded = |contents: &str| {
            let json = format!(r#"{{"sources":["nowhere.ts"],"mappings":"AAAA"{contents}}}"#);
            SourceMap { json, folder: "/no/such/folder".into() }.decode()
        };
        assert!(decoded("").is_none());
        assert!(decoded(r#","sourcesContent":["f();"]"#).is_some());
    }

    #[test]
    fn maps_are_found_beside_the_code() {
        let folder = std::env::temp_dir().join(format!("wherefore source map {}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("a b.js.map"), "{}").unwrap();
        let of = |url: &str| {
            let source = format!("f();\n//# sourceMappingURL={url}");
            SourceMap::of(&source, &folder.join("a b.js").to_string_lossy()).map(|map| map.json)
        };
        assert_eq!(of("a%20b.js.map"), Some("{}".into()));
        assert_eq!([of("."), of("other.map"), of("https://example.org/a.map")], [None, None, None]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
