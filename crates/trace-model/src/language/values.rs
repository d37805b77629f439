//! Values: how they are written, converted and combined.

use std::borrow::Cow;

use super::{Datum, Made, PropertyKey, Prototype};
use crate::{Literal, ObjectClass, ObjectId};

pub trait Values {
    /// As the source would write it; objects by their number.
    fn text(&self, value: &Datum) -> String;

    /// A list or record that was typed, with the texts that its parts have.
    fn text_of_made(&self, made: &Made, of: &dyn Fn(&Datum) -> String) -> String;

    /// What an object of a class is that stands for a plain value: a moment, a pattern, a boxed number.
    fn text_of_boxed(&self, class: ObjectClass, value: &Datum) -> String {
        format!("{} {}", class.name(), self.text(value))
    }

    /// A key as it stands before a value, as in `{key: value}`.
    fn text_of_key(&self, name: &str) -> String;

    /// Which way a condition goes with it. `None` where it cannot be told.
    fn truth(&self, value: &Datum) -> Option<bool>;

    /// What an operator gives; the error says why that cannot be told.
    fn unary(&self, operator: &str, operand: &Datum, objects: &dyn ObjectsThen) -> Result<Datum, Cow<'static, str>>;

    fn binary(
        &self,
        operator: &str,
        left: &Datum,
        right: &Datum,
        objects: &dyn ObjectsThen,
    ) -> Result<Datum, Cow<'static, str>>;

    /// What an operator tells of its operands, for who reads it as a condition. `None`: anything else.
    fn relation(&self, operator: &str) -> Option<Relation>;

    /// The operators that a condition on a value may begin with, longer ones before what they begin with.
    fn comparisons(&self) -> &'static [&'static str];

    /// Whether an operator takes a name that nothing has.
    fn allows_unknown_name(&self, _operator: &str) -> bool {
        false
    }

    /// As a part of a text; the error says why that cannot be told.
    fn string_of(&self, value: &Datum) -> Result<String, Cow<'static, str>>;

    /// Texts behind each other.
    fn joined(&self, texts: &[String]) -> String {
        texts.concat()
    }

    /// The values that iterating a text gives.
    fn characters(&self, _text: &str) -> Option<Vec<Datum>> {
        None
    }

    /// What a value that is no object has under a key; `None` for what is not known of it.
    fn member_of_plain(&self, value: &Datum, key: &PropertyKey) -> Option<Datum>;

    /// The key that a value names when it is used as one.
    fn key_of(&self, value: &Datum) -> Option<PropertyKey>;

    /// The value of a literal, in the words of the source. `None` for what is not a literal.
    fn literal(&self, source: &str) -> Option<Literal>;

    /// The value of a name that every program has, and none can change.
    fn constant(&self, _name: &str) -> Option<Datum> {
        None
    }
}

/// What a condition says by an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// Both are the same.
    Same,
    /// Both are equal, after a conversion.
    Equal,
    /// Neither same nor equal.
    Differs,
    /// Of one operand: it is not true.
    Not,
    /// Of one operand: the number with the other sign.
    Negative,
    /// The text of both, one behind the other, where one is a text.
    Joined,
}

impl Relation {
    /// Whether two values are compared for being equal or not.
    pub fn is_comparison(self) -> bool {
        matches!(self, Relation::Same | Relation::Equal | Relation::Differs)
    }
}

/// Objects as they were at a moment, for operators that ask what they hold.
pub trait ObjectsThen {
    /// `None` where the recording does not tell.
    fn is_function(&self, object: ObjectId) -> Option<bool>;

    /// As reading it would find it.
    fn member(&self, object: ObjectId, key: &PropertyKey) -> Member;

    /// What the object itself has.
    fn own_member(&self, object: ObjectId, key: &PropertyKey) -> Member;

    fn prototype(&self, object: ObjectId) -> Prototype;

    /// All that the object itself has, in its order. `None` where not all of it was recorded.
    fn members(&self, object: ObjectId) -> Option<Vec<(PropertyKey, Datum)>>;
}

#[derive(Clone, PartialEq, Debug)]
pub enum Member {
    Held(Datum),
    Absent,
    /// The recording does not tell, and why.
    NotCaptured(&'static str),
}

/// Where there is no moment, nothing is known of any object.
pub struct NoObjects;

impl ObjectsThen for NoObjects {
    fn is_function(&self, _: ObjectId) -> Option<bool> {
        None
    }

    fn member(&self, _: ObjectId, _: &PropertyKey) -> Member {
        Member::NotCaptured(NO_MOMENT)
    }

    fn own_member(&self, _: ObjectId, _: &PropertyKey) -> Member {
        Member::NotCaptured(NO_MOMENT)
    }

    fn prototype(&self, _: ObjectId) -> Prototype {
        Prototype::Unknown
    }

    fn members(&self, _: ObjectId) -> Option<Vec<(PropertyKey, Datum)>> {
        None
    }
}

const NO_MOMENT: &str = "what the object held is not asked here";
