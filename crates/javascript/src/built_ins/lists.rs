//! `Array`, and what lists have.

use std::cmp::Ordering;

use trace_model::{Datum, Made, ObjectClass, Reading, Unknown, same, utf16_from_string};

use super::convert::{self, truth};
use super::{DEEPEST, LONGEST, NOT_INTERPRETED, TOO_DEEP, TOO_LONG, known, list, relative, text, throws, whole};
use crate::object_model::operators::strictly_equal;

#[rustfmt::skip]
pub const METHODS: &[&str] = &[
    "at", "concat", "every", "filter", "find", "findIndex", "findLast", "findLastIndex", "flat", "flatMap", "includes", "indexOf", "join",
    "lastIndexOf", "map", "reduce", "reduceRight", "slice", "some", "toReversed", "toSorted", "toString", "with",
];

pub fn function(name: &str, given: &[Datum], reading: &dyn Reading) -> Result<Datum, Unknown> {
    let first = given.first().unwrap_or(&Datum::Undefined);
    match name {
        "isArray" => is_list(first, reading).map(Datum::Bool),
        "of" if !reading.has_function() => Ok(list(given.to_vec())),
        "from" => {
            match (reading.function_place(), given.get(1)) {
                (Some(1), _) => {}
                (Some(_), _) => return Err("a function is given to what takes none".into()),
                (None, None | Some(Datum::Undefined)) => return Ok(list(reading.iterated(first)?)),
                (None, Some(other)) => return Err(no_function_given(name, other)),
            }
            let elements = reading.iterated(first)?;
            let mapped = elements.into_iter().enumerate();
            let mapped = mapped.map(|(place, element)| reading.call(&[element, Datum::Number(place as f64)]));
            Ok(list(mapped.collect::<Result<_, _>>()?))
        }
        _ => Err(NOT_INTERPRETED.into()),
    }
}

pub fn method(
    receiver: &Datum,
    elements: &[Datum],
    name: &str,
    given: &[Datum],
    reading: &dyn Reading,
) -> Result<Datum, Unknown> {
    let first = given.first().unwrap_or(&Datum::Undefined);
    let sorts = matches!(name, "toSorted" | "sort");
    match reading.function_place() {
        Some(0) if sorts || TAKE_FUNCTION.contains(&name) => {}
        _ if TAKE_FUNCTION.contains(&name) || sorts && *first != Datum::Undefined => {
            return Err(no_function_given(name, first));
        }
        Some(_) => return Err("a function is given to what takes none".into()),
        None => {}
    }
    let list_of = Calling { receiver, elements, reading };
    let length = elements.len();
    Ok(match name {
        "at" => {
            let place = whole(given.first(), 0.0)?;
            let place = if place < 0.0 { length as f64 + place } else { place };
            let element = (place >= 0.0).then(|| elements.get(place as usize)).flatten();
            element.cloned().unwrap_or(Datum::Undefined)
        }
        "concat" => {
            let mut all = elements.to_vec();
            for value in given {
                match is_list(value, reading)? {
                    true => all.extend(reading.elements(value)?),
                    false => all.push(value.clone()),
                }
            }
            made_if_short(all)?
        }
        "includes" => {
            let wanted = known(first)?.clone().into_entry_key();
            let rest = &elements[relative(given.get(1), length, 0.0)?..];
            let is_wanted = |element: &&Datum| same(&(*element).clone().into_entry_key(), &wanted);
            Datum::Bool(first_that_holds(rest.iter(), is_wanted)?.is_some())
        }
        "indexOf" => {
            let start = relative(given.get(1), length, 0.0)?;
            let places = elements.iter().enumerate().skip(start);
            place_of(first_that_holds(places, |(_, element)| strictly_equal(element, first))?.map(|(place, _)| place))
        }
        "lastIndexOf" if given.len() < 2 => {
            let places = elements.iter().enumerate().rev();
            place_of(first_that_holds(places, |(_, element)| strictly_equal(element, first))?.map(|(place, _)| place))
        }
        "join" => {
            let between = if matches!(first, Datum::Undefined) { ",".into() } else { convert::string(first, reading)? };
            text(convert::joined(elements, &between, reading, 0)?)
        }
        "toString" => text(convert::joined(elements, ",", reading, 0)?),
        "slice" => {
            let (start, end) = (relative(given.first(), length, 0.0)?, relative(given.get(1), length, length as f64)?);
            list(elements.get(start..end).unwrap_or_default().to_vec())
        }
        "map" => list(list_of.results().collect::<Result<_, _>>()?),
        "flatMap" => {
            let mut all = Vec::new();
            for result in list_of.results() {
                flatten(&result?, 1, &mut all, reading, 0)?;
            }
            list(all)
        }
        "flat" => {
            let depth = whole(given.first(), 1.0)?;
            let mut all = Vec::new();
            for element in elements {
                flatten(element, depth as i64, &mut all, reading, 0)?;
            }
            list(all)
        }
        "filter" => {
            let mut kept = Vec::new();
            for (element, result) in elements.iter().zip(list_of.results()) {
                if truth(&result?)? {
                    kept.push(element.clone());
                }
            }
            list(kept)
        }
        "some" => Datum::Bool(list_of.first_true(0..length)?.is_some()),
        "every" => {
            for result in list_of.results() {
                if !truth(&result?)? {
                    return Ok(Datum::Bool(false));
                }
            }
            Datum::Bool(true)
        }
        "find" => list_of.element(list_of.first_true(0..length)?),
        "findIndex" => place_of(list_of.first_true(0..length)?),
        "findLast" => list_of.element(list_of.first_true((0..length).rev())?),
        "findLastIndex" => place_of(list_of.first_true((0..length).rev())?),
        "reduce" => list_of.reduced(0..length, given.get(1))?,
        "reduceRight" => list_of.reduced((0..length).rev(), given.get(1))?,
        "toReversed" | "reverse" => list(elements.iter().rev().cloned().collect()),
        "toSorted" | "sort" if reading.has_function() || matches!(first, Datum::Undefined) => {
            list(sorted(elements.to_vec(), reading)?)
        }
        "with" => {
            let place = whole(given.first(), 0.0)?;
            let place = if place < 0.0 { length as f64 + place } else { place };
            if !(0.0..length as f64).contains(&place) {
                return Err(throws("there is no such element"));
            }
            let mut changed = elements.to_vec();
            changed[place as usize] = given.get(1).cloned().unwrap_or(Datum::Undefined);
            list(changed)
        }
        name => return Err(format!("{name} of a list is not interpreted in this way").into()),
    })
}

/// What stands where a function has to.
fn no_function_given(name: &str, given: &Datum) -> Unknown {
    match known(given) {
        Ok(Datum::Object(_)) => format!("{name} takes a function that is typed here, for example x => x.price").into(),
        Ok(_) => throws(&format!("{name} is not given a function")),
        Err(why) => why,
    }
}

#[rustfmt::skip]
const TAKE_FUNCTION: &[&str] = &[
    "every", "filter", "find", "findIndex", "findLast", "findLastIndex", "flatMap", "map", "reduce", "reduceRight", "some",
];

/// A list whose elements are given to a function one by one.
struct Calling<'c> {
    receiver: &'c Datum,
    elements: &'c [Datum],
    reading: &'c dyn Reading,
}

impl Calling<'_> {
    fn call(&self, place: usize) -> Result<Datum, Unknown> {
        self.reading.call(&[self.elements[place].clone(), Datum::Number(place as f64), self.receiver.clone()])
    }

    fn results(&self) -> impl Iterator<Item = Result<Datum, Unknown>> {
        (0..self.elements.len()).map(|place| self.call(place))
    }

    fn first_true(&self, places: impl Iterator<Item = usize>) -> Result<Option<usize>, Unknown> {
        for place in places {
            if truth(&self.call(place)?)? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    fn element(&self, place: Option<usize>) -> Datum {
        place.map_or(Datum::Undefined, |place| self.elements[place].clone())
    }

    fn reduced(&self, mut places: impl Iterator<Item = usize>, first: Option<&Datum>) -> Result<Datum, Unknown> {
        let first = first.cloned().or_else(|| places.next().map(|place| self.elements[place].clone()));
        let mut reduced = first.ok_or_else(|| throws("there is no element, and nothing to begin with"))?;
        for place in places {
            let given = [reduced, self.elements[place].clone(), Datum::Number(place as f64), self.receiver.clone()];
            reduced = self.reading.call(&given)?;
        }
        Ok(reduced)
    }
}

fn is_list(value: &Datum, reading: &dyn Reading) -> Result<bool, Unknown> {
    match known(value)? {
        Datum::Made(made) => Ok(matches!(**made, Made::Array(_))),
        Datum::Object(object) => match reading.class(*object) {
            Some(ObjectClass::Proxy) => Err("what is behind a Proxy is not asked".into()),
            Some(class) => Ok(class == ObjectClass::Array),
            None => Err("what the object is was not recorded".into()),
        },
        _ => Ok(false),
    }
}

/// The first of which something holds. Where it cannot be told of one, nobody knows whether that is it.
fn first_that_holds<T>(
    all: impl Iterator<Item = T>,
    mut holds: impl FnMut(&T) -> Option<bool>,
) -> Result<Option<T>, Unknown> {
    for one in all {
        match holds(&one) {
            Some(true) => return Ok(Some(one)),
            Some(false) => {}
            None => return Err("an element cannot be compared: it was not recorded".into()),
        }
    }
    Ok(None)
}

fn place_of(place: Option<usize>) -> Datum {
    Datum::Number(place.map_or(-1.0, |place| place as f64))
}

fn flatten(
    element: &Datum,
    depth: i64,
    all: &mut Vec<Datum>,
    reading: &dyn Reading,
    n_around: usize,
) -> Result<(), Unknown> {
    if n_around > DEEPEST {
        return Err(TOO_DEEP.into());
    }
    if depth < 1 || !is_list(element, reading)? {
        all.push(element.clone());
        return if all.len() > LONGEST { Err(TOO_LONG.into()) } else { Ok(()) };
    }
    reading.elements(element)?.iter().try_for_each(|inner| flatten(inner, depth - 1, all, reading, n_around + 1))
}

/// What is undefined comes last. Without a function, texts are compared by their units.
fn sorted(elements: Vec<Datum>, reading: &dyn Reading) -> Result<Vec<Datum>, Unknown> {
    elements.iter().try_for_each(|element| known(element).map(drop))?;
    let (undefined, defined): (Vec<Datum>, Vec<Datum>) =
        elements.into_iter().partition(|element| *element == Datum::Undefined);
    let mut sorted = match reading.has_function() {
        true if defined.len() > MOST_COMPARED => {
            return Err(format!(
                "whether the function puts more than {MOST_COMPARED} elements into one order is not checked"
            )
            .into());
        }
        true => in_one_order(defined, &|a, b| {
            // What is not a number counts as 0.
            let order = |a: &Datum, b: &Datum| -> Result<Ordering, Unknown> {
                let order = convert::number(&reading.call(&[a.clone(), b.clone()])?)?;
                Ok(order.partial_cmp(&0.0).unwrap_or(Ordering::Equal))
            };
            // Else the order depends on how the engine sorts.
            match order(a, b)? {
                one if one == order(b, a)?.reverse() => Ok(one),
                _ => Err("the function that compares does not say the same of two elements both ways round".into()),
            }
        })?,
        false => {
            let key = |element: &Datum| Ok(utf16_from_string(&convert::string(element, reading)?));
            let keys = defined.iter().map(key).collect::<Result<Vec<_>, Unknown>>()?;
            let mut keyed: Vec<_> = keys.into_iter().zip(defined).collect();
            keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
            keyed.into_iter().map(|(_, element)| element).collect()
        }
    };
    sorted.extend(undefined);
    Ok(sorted)
}

/// A list of more is not sorted by a function, as each pair is compared.
const MOST_COMPARED: usize = 300;

type Compare<'c> = dyn Fn(&Datum, &Datum) -> Result<Ordering, Unknown> + 'c;

/// Sorted, if each pair says the same: else the order depends on which pairs the engine compares.
fn in_one_order(elements: Vec<Datum>, compare: &Compare) -> Result<Vec<Datum>, Unknown> {
    let sorted = merged(elements, compare)?;
    // Those that are equal have one rank.
    let mut ranks = vec![0];
    for pair in sorted.windows(2) {
        let is_equal = compare(&pair[0], &pair[1])? == Ordering::Equal;
        ranks.push(ranks[ranks.len() - 1] + usize::from(!is_equal));
    }
    for (place, (element, rank)) in sorted.iter().zip(&ranks).enumerate() {
        for (other, its_rank) in sorted.iter().zip(&ranks).skip(place + 1) {
            if compare(element, other)? != rank.cmp(its_rank) {
                return Err("the function that compares does not put the elements into one order".into());
            }
        }
    }
    Ok(sorted)
}

/// Sorts by merging, which any comparison ends.
fn merged(mut elements: Vec<Datum>, compare: &Compare) -> Result<Vec<Datum>, Unknown> {
    if elements.len() < 2 {
        return Ok(elements);
    }
    let second = merged(elements.split_off(elements.len() / 2), compare)?;
    let first = merged(elements, compare)?;
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    let mut sorted = Vec::new();
    while let (Some(a), Some(b)) = (first.peek(), second.peek()) {
        let is_second = compare(a, b)? == Ordering::Greater;
        sorted.extend(if is_second { second.next() } else { first.next() });
    }
    sorted.extend(first.chain(second));
    Ok(sorted)
}

fn made_if_short(elements: Vec<Datum>) -> Result<Datum, Unknown> {
    if elements.len() > LONGEST { Err(TOO_LONG.into()) } else { Ok(list(elements)) }
}
