//! What texts have. A text is UTF-16 units, as everywhere in the language.

use trace_model::{Datum, Reading, Unknown, string_from_utf16, utf16_from_string};

use super::{LONGEST, NOT_INTERPRETED, TOO_LONG, convert, list, relative, text, throws, whole};
use crate::object_model::operators::is_white;

#[rustfmt::skip]
pub const METHODS: &[&str] = &[
    "at", "charAt", "charCodeAt", "codePointAt", "concat", "endsWith", "includes", "indexOf", "lastIndexOf", "padEnd", "padStart", "repeat",
    "replace", "replaceAll", "slice", "split", "startsWith", "substring", "toLowerCase", "toString", "toUpperCase", "trim", "trimEnd",
    "trimStart", "valueOf",
];

pub fn from_codes(name: &str, given: &[Datum]) -> Result<Datum, Unknown> {
    let mut units = Vec::new();
    for code in given {
        let code = convert::number(code)?;
        match name {
            "fromCharCode" => units.push(crate::object_model::operators::int32(code) as u16),
            _ => match code {
                code if code.trunc() == code && (0.0..=1_114_111.0).contains(&code) => {
                    match char::from_u32(code as u32) {
                        Some(c) => units.extend(c.encode_utf16(&mut [0; 2]).iter()),
                        // Half of a pair.
                        None => units.push(code as u16),
                    }
                }
                _ => return Err(throws("that is no code point")),
            },
        }
    }
    Ok(made(&units))
}

pub fn method(of: &str, name: &str, given: &[Datum], reading: &dyn Reading) -> Result<Datum, Unknown> {
    let units = utf16_from_string(of);
    let string = |place: usize| convert::string(given.get(place).unwrap_or(&Datum::Undefined), reading);
    let units_of = |place: usize| string(place).map(|text| utf16_from_string(&text));
    let length = units.len();
    let at = |place: f64| (place >= 0.0).then(|| units.get(place as usize).copied()).flatten();
    Ok(match name {
        "at" => {
            let place = whole(given.first(), 0.0)?;
            let unit = at(if place < 0.0 { length as f64 + place } else { place });
            unit.map_or(Datum::Undefined, |unit| made(&[unit]))
        }
        "charAt" => made(at(whole(given.first(), 0.0)?).as_slice()),
        "charCodeAt" => Datum::Number(at(whole(given.first(), 0.0)?).map_or(f64::NAN, f64::from)),
        "codePointAt" => {
            let place = whole(given.first(), 0.0)?;
            match (at(place), at(place + 1.0)) {
                (None, _) => Datum::Undefined,
                (Some(high @ 0xD800..=0xDBFF), Some(low @ 0xDC00..=0xDFFF)) => {
                    Datum::Number(f64::from(0x10000 + ((u32::from(high) - 0xD800) << 10) + (u32::from(low) - 0xDC00)))
                }
                (Some(unit), _) => Datum::Number(f64::from(unit)),
            }
        }
        "concat" => {
            let mut all = units;
            for place in 0..given.len() {
                all.extend(units_of(place)?);
            }
            made_if_short(&all)?
        }
        "startsWith" => {
            let start = place(given.get(1), length, 0.0)?;
            Datum::Bool(units[start..].starts_with(&units_of(0)?))
        }
        "endsWith" => {
            let end = place(given.get(1), length, length as f64)?;
            Datum::Bool(units[..end].ends_with(&units_of(0)?))
        }
        "includes" => Datum::Bool(find(&units, &units_of(0)?, place(given.get(1), length, 0.0)?).is_some()),
        "indexOf" => found(find(&units, &units_of(0)?, place(given.get(1), length, 0.0)?)),
        "lastIndexOf" => {
            let wanted = units_of(0)?;
            let last = match given.get(1) {
                None => f64::INFINITY,
                Some(last) => convert::number(last)?,
            };
            let last = if last.is_nan() { f64::INFINITY } else { last.max(0.0) };
            let starts = (0..=length.saturating_sub(wanted.len())).rev().filter(|start| *start as f64 <= last);
            found(starts.filter(|_| wanted.len() <= length).find(|start| units[*start..].starts_with(&wanted)))
        }
        "padEnd" | "padStart" => {
            let wanted = whole(given.first(), 0.0)?;
            let filler = if matches!(given.get(1), None | Some(Datum::Undefined)) { vec![0x20] } else { units_of(1)? };
            if wanted <= length as f64 || filler.is_empty() {
                return Ok(made(&units));
            }
            if wanted > LONGEST as f64 {
                return Err(TOO_LONG.into());
            }
            let padding: Vec<u16> = filler.into_iter().cycle().take(wanted as usize - length).collect();
            made(&if name == "padEnd" { [units, padding].concat() } else { [padding, units].concat() })
        }
        "repeat" => {
            let times = whole(given.first(), 0.0)?;
            match times {
                times if times < 0.0 || times.is_infinite() => return Err(throws("repeat takes a count from 0 on")),
                times if times * length as f64 > LONGEST as f64 => return Err(TOO_LONG.into()),
                times => made(&units.repeat(times as usize)),
            }
        }
        "replace" | "replaceAll" => replaced(&units, &units_of(0)?, &units_of(1)?, name == "replaceAll")?,
        "slice" => {
            let (start, end) = (relative(given.first(), length, 0.0)?, relative(given.get(1), length, length as f64)?);
            made(units.get(start..end).unwrap_or_default())
        }
        "substring" => {
            let (a, b) = (place(given.first(), length, 0.0)?, place(given.get(1), length, length as f64)?);
            made(&units[a.min(b)..a.max(b)])
        }
        "split" => split(of, &units, given, reading)?,
        "toLowerCase" => text(of.to_lowercase()),
        "toUpperCase" => text(of.to_uppercase()),
        "toString" | "valueOf" => text(of),
        "trim" => text(of.trim_matches(is_white)),
        "trimEnd" => text(of.trim_end_matches(is_white)),
        "trimStart" => text(of.trim_start_matches(is_white)),
        _ => return Err(NOT_INTERPRETED.into()),
    })
}

fn split(of: &str, units: &[u16], given: &[Datum], reading: &dyn Reading) -> Result<Datum, Unknown> {
    let most = match given.get(1) {
        None | Some(Datum::Undefined) => usize::MAX,
        Some(most) => crate::object_model::operators::int32(convert::number(most)?) as u32 as usize,
    };
    let separator = match given.first() {
        None | Some(Datum::Undefined) => return Ok(list([text(of)].into_iter().take(most).collect())),
        Some(separator) => utf16_from_string(&convert::string(separator, reading)?),
    };
    if separator.is_empty() {
        return Ok(list(units.iter().take(most).map(|unit| made(&[*unit])).collect()));
    }
    let mut parts = Vec::new();
    let mut start = 0;
    while let Some(at) = find(units, &separator, start) {
        parts.push(made(&units[start..at]));
        start = at + separator.len();
    }
    parts.push(made(&units[start..]));
    parts.truncate(most);
    Ok(list(parts))
}

fn replaced(units: &[u16], wanted: &[u16], by: &[u16], is_all: bool) -> Result<Datum, Unknown> {
    if by.contains(&u16::from(b'$')) {
        return Err("patterns in what something is replaced by are not interpreted".into());
    }
    let mut all = Vec::new();
    let mut start = 0;
    while let Some(at) = find(units, wanted, start) {
        all.extend_from_slice(&units[start..at]);
        all.extend_from_slice(by);
        start = at + wanted.len();
        if wanted.is_empty() {
            // Nothing is found before each unit, and behind the last.
            match units.get(at) {
                Some(unit) if is_all => all.push(*unit),
                _ => break,
            }
            start = at + 1;
        }
        if !is_all || all.len() > LONGEST {
            break;
        }
    }
    all.extend_from_slice(units.get(start..).unwrap_or_default());
    made_if_short(&all)
}

fn find(units: &[u16], wanted: &[u16], start: usize) -> Option<usize> {
    let last = units.len().checked_sub(wanted.len())?;
    (start..=last).find(|at| units[*at..].starts_with(wanted))
}

fn found(at: Option<usize>) -> Datum {
    Datum::Number(at.map_or(-1.0, |at| at as f64))
}

/// A place from the start, within a length.
fn place(value: Option<&Datum>, length: usize, otherwise: f64) -> Result<usize, Unknown> {
    Ok(whole(value, otherwise)?.clamp(0.0, length as f64) as usize)
}

fn made(units: &[u16]) -> Datum {
    text(string_from_utf16(units))
}

fn made_if_short(units: &[u16]) -> Result<Datum, Unknown> {
    if units.len() > LONGEST { Err(TOO_LONG.into()) } else { Ok(made(units)) }
}
