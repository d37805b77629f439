//! What the programs wrote down at their probes: tests/oracle/dump.cjs says how.

use std::path::Path;

#[derive(Default, Debug)]
pub struct Probe {
    pub number: u64,
    /// Innermost first: function and line.
    pub frames: Vec<(String, u32)>,
    pub variables: Vec<(String, Held)>,
    pub objects: Vec<Dumped>,
}

#[derive(Default, Debug)]
pub struct Dumped {
    pub id: u32,
    pub class: String,
    pub length: Option<u32>,
    pub properties: Vec<(Held, Held)>,
    pub entries: Vec<(Held, Held)>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Held {
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    BigInt(String),
    Symbol(String),
    Object(u32),
    Accessor,
    Unknown,
}

pub fn read(path: &Path) -> std::io::Result<Vec<Probe>> {
    let mut probes: Vec<Probe> = Vec::new();
    for line in std::fs::read_to_string(path)?.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if let ["probe", number] = words[..] {
            probes.push(Probe { number: number.parse().unwrap_or_default(), ..Probe::default() });
            continue;
        }
        let Some(probe) = probes.last_mut() else { continue };
        match words[..] {
            ["frame", function, line] => probe.frames.push((decoded(&function[1..]), line.parse().unwrap_or_default())),
            ["variable", name, value] => probe.variables.push((name.into(), held(value))),
            ["object", id, class, _] => {
                probe.objects.push(Dumped {
                    id: id.parse().unwrap_or_default(),
                    class: class.into(),
                    ..Dumped::default()
                });
            }
            [what, ..] => {
                let Some(object) = probe.objects.last_mut() else { continue };
                match (what, &words[1..]) {
                    ("length", [length]) => object.length = length.parse().ok(),
                    ("property", [key, value]) => object.properties.push((held(key), held(value))),
                    ("entry", [key, value]) => object.entries.push((held(key), held(value))),
                    _ => {}
                }
            }
            [] => {}
        }
    }
    Ok(probes)
}

fn held(word: &str) -> Held {
    match word {
        "undefined" => return Held::Undefined,
        "null" => return Held::Null,
        "true" => return Held::Bool(true),
        "false" => return Held::Bool(false),
        "accessor" => return Held::Accessor,
        "unknown" => return Held::Unknown,
        _ => {}
    }
    let (kind, rest) = word.split_at(1);
    match kind {
        "n" => Held::Number(match rest {
            "NaN" => f64::NAN,
            "Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            digits => digits.parse().unwrap_or(f64::NAN),
        }),
        "s" => Held::Text(decoded(rest)),
        "b" => Held::BigInt(rest.into()),
        "y" => Held::Symbol(decoded(rest)),
        "o" => rest.parse().map_or(Held::Unknown, Held::Object),
        _ => Held::Unknown,
    }
}

/// As `decodeURIComponent` has it.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = (*first == b'%').then(|| after.get(..2)).flatten();
        match digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
