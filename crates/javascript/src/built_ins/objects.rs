//! `Object`, and what every object has.

use std::collections::HashMap;
use std::sync::Arc;

use trace_model::{Datum, Made, Member, ObjectClass, ObjectModel, PropertyKey, Reading, Unknown, Values};

use super::{NOT_INTERPRETED, convert, known, list, text, throws};
use crate::JavaScript;
use crate::object_model::text::date_text;

pub const FUNCTIONS: &[&str] = &["entries", "fromEntries", "hasOwn", "is", "keys", "values"];
pub const METHODS: &[&str] = &["getTime", "hasOwnProperty", "toISOString", "toString", "valueOf"];

pub fn function(name: &str, given: &[Datum], reading: &dyn Reading) -> Result<Datum, Unknown> {
    let first = known(given.first().unwrap_or(&Datum::Undefined))?;
    let second = given.get(1).unwrap_or(&Datum::Undefined);
    let own = || match first {
        Datum::Undefined | Datum::Null => Err(throws("it takes an object")),
        of => reading.own_values(of),
    };
    Ok(match name {
        "keys" => list(own()?.into_iter().map(|(name, _)| text(name)).collect()),
        "values" => {
            list(own()?.into_iter().map(|(_, value)| Ok(known(&value)?.clone())).collect::<Result<_, Unknown>>()?)
        }
        "entries" => {
            let pair = |(name, value): (String, Datum)| Ok(list(vec![text(name), known(&value)?.clone()]));
            list(own()?.into_iter().map(pair).collect::<Result<_, Unknown>>()?)
        }
        "fromEntries" => from_entries(&reading.iterated(first)?, reading)?,
        "hasOwn" => has_own(first, second, reading)?,
        "is" => Datum::Bool(known(first)? == known(second)?),
        _ => return Err(NOT_INTERPRETED.into()),
    })
}

pub fn method(receiver: &Datum, name: &str, given: &[Datum], reading: &dyn Reading) -> Result<Datum, Unknown> {
    let stands_for = |object| reading.stands_for(object).ok_or(Unknown::from("what it stands for was not recorded"));
    match (name, receiver) {
        ("hasOwnProperty", of) => has_own(of, given.first().unwrap_or(&Datum::Undefined), reading),
        ("toString", of) => Ok(text(convert::string(of, reading)?)),
        ("getTime" | "valueOf" | "toISOString", Datum::Object(object))
            if reading.class(*object) == Some(ObjectClass::Date) =>
        {
            match (name, stands_for(*object)?) {
                ("toISOString", Datum::Number(time)) => Ok(text(date_text(time).ok_or(throws("it is no valid date"))?)),
                (_, time) => Ok(time),
            }
        }
        ("valueOf", Datum::Object(object)) if reading.class(*object) == Some(ObjectClass::Boxed) => stands_for(*object),
        ("valueOf", of) => Ok(of.clone()),
        _ => Err(format!("the object has no {name} that is interpreted").into()),
    }
}

fn has_own(of: &Datum, key: &Datum, reading: &dyn Reading) -> Result<Datum, Unknown> {
    let key = JavaScript.key_of(known(key)?).ok_or("the key is an object")?;
    let PropertyKey::Name(name) = key else { return Err("the key is a symbol".into()) };
    match of {
        Datum::Made(made) => Ok(Datum::Bool(match &**made {
            Made::Object(entries) => entries.iter().any(|(known, _)| *known == name),
            Made::Array(elements) => {
                name == "length" || JavaScript.element_at(&name).is_some_and(|at| (at as usize) < elements.len())
            }
        })),
        Datum::Object(object) => match reading.own_member(*object, &name) {
            Member::Held(_) => Ok(Datum::Bool(true)),
            Member::Absent => Ok(Datum::Bool(false)),
            Member::NotCaptured(why) => Err(why.into()),
        },
        _ => Err("it is no object".into()),
    }
}

/// Whole numbers stand before all other keys.
fn from_entries(pairs: &[Datum], reading: &dyn Reading) -> Result<Datum, Unknown> {
    let mut entries: Vec<(String, Datum)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for pair in pairs {
        let parts = match pair {
            Datum::Object(_) | Datum::Made(_) => reading.iterated(pair)?,
            _ => return Err(throws("an entry is no object")),
        };
        let part = |place: usize| parts.get(place).unwrap_or(&Datum::Undefined);
        let PropertyKey::Name(name) = JavaScript.key_of(known(part(0))?).ok_or("a key is an object")? else {
            return Err("a key is a symbol".into());
        };
        match places.get(&name) {
            Some(place) => entries[*place].1 = part(1).clone(),
            None => {
                places.insert(name.clone(), entries.len());
                entries.push((name, part(1).clone()));
            }
        }
    }
    entries.sort_by_key(|(name, _)| JavaScript.element_at(name).map_or(u64::MAX, u64::from));
    Ok(Datum::Made(Arc::new(Made::Object(entries))))
}
