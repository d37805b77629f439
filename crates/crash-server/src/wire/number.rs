//! Numbers between bounds. To JSON Schema `1.0` is an integer, too.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer};

/// A whole number, of any type that can hold it.
pub fn whole<'de, T: TryFrom<u64>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    let Whole(number) = Whole::deserialize(from)?;
    T::try_from(number).map_err(|_| de::Error::custom("the number is too large"))
}

pub fn optional_whole<'de, T: TryFrom<u64>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    let number = Option::<Whole>::deserialize(from)?;
    let number = number.map(|Whole(number)| T::try_from(number)).transpose();
    number.map_err(|_| de::Error::custom("the number is too large"))
}

pub fn within<T: PartialOrd + fmt::Display, E: de::Error>(number: T, least: T, most: T) -> Result<T, E> {
    match number >= least && number <= most {
        true => Ok(number),
        false => Err(E::custom(format!("it must lie between {least} and {most}"))),
    }
}

struct Whole(u64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Whole, D::Error> {
        from.deserialize_any(WholeVisitor)
    }
}

struct WholeVisitor;

/// Up to here every whole number has a floating-point number of its own.
const LARGEST_EXACT: f64 = 9_007_199_254_740_991.0;

impl Visitor<'_> for WholeVisitor {
    type Value = Whole;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number that is not negative")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Whole, E> {
        Ok(Whole(number))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Whole, E> {
        match number.fract() == 0.0 && (0.0..=LARGEST_EXACT).contains(&number) {
            true => Ok(Whole(number as u64)),
            false => Err(E::custom("it must be a whole number that is not negative")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Counted {
        #[serde(deserialize_with = "super::whole")]
        events: u64,
    }

    /// Parsers that round differ by half here: half of the way to the largest exact number.
    #[test]
    fn a_large_whole_number_stays_whole() {
        let counted: Counted = serde_json::from_str(r#"{"events":2251799813685247.0}"#).expect("it is whole");
        assert_eq!(counted.events, 2_251_799_813_685_247);
        assert!(serde_json::from_str::<Counted>(r#"{"events":2251799813685247.5}"#).is_err());
    }
}
