//! What the nearest tsconfig.json says about how TypeScript and JSX become JavaScript.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use instrument::{Decorators, Dialect, Fields, Jsx};
use serde_json::{Map, Value};

use source_map::url::plain_path;

/// By the file's name and its project.
pub fn dialect_of(filename: &str) -> Dialect {
    let path = plain_path(filename);
    let extension = path.rsplit('.').next().unwrap_or_default();
    let options = options_for(Path::new(&path));
    let is_legacy = options.get("experimentalDecorators").and_then(Value::as_bool).unwrap_or(false);
    let plain = Dialect::of_extension(extension).unwrap_or_else(Dialect::typescript);
    Dialect {
        has_types: plain.has_types,
        jsx: plain.jsx.map(|_| jsx(&options)),
        decorators: if is_legacy { Decorators::Legacy } else { Decorators::Standard },
        fields: if defines_fields(&options, is_legacy) { Fields::Defined } else { Fields::OnlyTypes },
        imports: plain.imports,
    }
}

type Options = Map<String, Value>;

fn jsx(options: &Options) -> Jsx {
    let text = |name: &str| options.get(name).and_then(Value::as_str);
    let source = text("jsxImportSource");
    match text("jsx") {
        Some("react-jsx" | "react-jsxdev" | "preserve") => Jsx::Automatic { source: source.unwrap_or("react").into() },
        _ => {
            let react = text("reactNamespace").unwrap_or("React");
            let or_of_react = |name: &str, member: &str| text(name).map_or(format!("{react}.{member}"), str::to_owned);
            Jsx::Classic {
                factory: or_of_react("jsxFactory", "createElement"),
                fragment: or_of_react("jsxFragmentFactory", "Fragment"),
            }
        }
    }
}

/// As TypeScript has it: since ES2022, unless told.
fn defines_fields(options: &Options, is_legacy: bool) -> bool {
    if let Some(said) = options.get("useDefineForClassFields").and_then(Value::as_bool) {
        return said;
    }
    match options.get("target").and_then(Value::as_str).map(str::to_ascii_lowercase) {
        Some(target) if target == "esnext" => true,
        Some(target) => {
            target.strip_prefix("es").and_then(|year| year.parse().ok()).is_some_and(|year: u32| year >= 2022)
        }
        None => !is_legacy,
    }
}

fn options_for(file: &Path) -> Options {
    static KNOWN: Mutex<Option<HashMap<PathBuf, Options>>> = Mutex::new(None);
    let Some(folder) = file.parent() else { return Options::new() };
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(options) = known.get(folder) {
        return options.clone();
    }
    let config = folder.ancestors().map(|folder| folder.join("tsconfig.json")).find(|path| path.is_file());
    let options = config.map(|config| read(&config, 0)).unwrap_or_default();
    known.insert(folder.to_owned(), options.clone());
    options
}

/// Configurations extend each other; a circle must end.
const MAX_DEPTH: u32 = 16;

fn read(config: &Path, depth: u32) -> Options {
    let text = fs::read_to_string(config).unwrap_or_default();
    let Ok(json) = serde_json::from_str::<Value>(&without_comments(&text)) else { return Options::new() };
    let bases: Vec<&str> = match json.get("extends") {
        Some(Value::String(base)) => vec![base],
        Some(Value::Array(bases)) => bases.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let mut options = Options::new();
    for base in bases.into_iter().filter(|_| depth < MAX_DEPTH) {
        if let Some(base) = base_file(config, base) {
            options.extend(read(&base, depth + 1));
        }
    }
    if let Some(Value::Object(own)) = json.get("compilerOptions") {
        options.extend(own.clone());
    }
    options
}

fn base_file(config: &Path, name: &str) -> Option<PathBuf> {
    let folder = config.parent()?;
    let candidates = |path: PathBuf| [path.clone(), path.with_added_extension("json"), path.join("tsconfig.json")];
    if name.starts_with('.') || name.starts_with('/') {
        return candidates(folder.join(name)).into_iter().find(|path| path.is_file());
    }
    let folders = folder.ancestors().map(|folder| folder.join("node_modules").join(name));
    folders.flat_map(candidates).find(|path| path.is_file())
}

/// Plain JSON: comments, and commas before a closing bracket, are left out.
fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.trim_start_matches('\u{feff}').chars().peekable();
    let mut comma = false;
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('/', Some('/')) => while rest.next_if(|c| *c != '\n').is_some() {},
            ('/', Some('*')) => {
                rest.next();
                while let Some(c) = rest.next() {
                    if c == '*' && rest.next_if_eq(&'/').is_some() {
                        break;
                    }
                }
            }
            (',', _) => comma = true,
            (c, _) if c.is_whitespace() => {}
            _ => {
                if std::mem::take(&mut comma) && !matches!(c, ']' | '}') {
                    plain.push(',');
                }
                plain.push(c);
                if c == '"' {
                    push_string(&mut plain, &mut rest);
                }
            }
        }
    }
    plain
}

fn push_string(plain: &mut String, rest: &mut impl Iterator<Item = char>) {
    while let Some(c) = rest.next() {
        plain.push(c);
        match c {
            '\\' => plain.extend(rest.next()),
            '"' => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use instrument::Imports;

    use super::*;

    #[test]
    fn comments_and_last_commas_are_allowed() {
        let text = "{ // a\n \"a\": \"/* no */ // \\\" ,]\", /* b */ \"b\": [1, 2,], }";
        assert_eq!(without_comments(text), r#"{"a":"/* no */ // \" ,]","b":[1,2]}"#);
    }

    #[test]
    fn configurations_extend_others() {
        let folder = std::env::temp_dir().join(format!("wherefore tsconfig {}", std::process::id()));
        fs::create_dir_all(folder.join("node_modules/@base/x")).unwrap();
        fs::create_dir_all(folder.join("src")).unwrap();
        let base = r#"{ "compilerOptions": { "target": "es2017", "jsx": "react", "experimentalDecorators": true } }"#;
        fs::write(folder.join("node_modules/@base/x/tsconfig.json"), base).unwrap();
        fs::write(folder.join("middle.json"), r#"{ "extends": "@base/x", "compilerOptions": { "jsx": "react-jsx" } }"#)
            .unwrap();
        let own = r#"{ "extends": ["./middle"], "compilerOptions": { "jsxImportSource": "preact", }, }"#;
        fs::write(folder.join("tsconfig.json"), own).unwrap();
        let dialect = dialect_of(&folder.join("src/a.tsx").to_string_lossy());
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(
            dialect,
            Dialect {
                has_types: true,
                jsx: Some(Jsx::Automatic { source: "preact".into() }),
                decorators: Decorators::Legacy,
                fields: Fields::OnlyTypes,
                imports: Imports::OfValues,
            }
        );
    }
}
