//! Values of JavaScript: what they are called, how they are written and converted.

use std::borrow::Cow;

use trace_model::{
    Datum, DatumKind, Literal, Made, Member, ObjectClass, ObjectModel, ObjectsThen, PropertyKey, Prototype, REDACTED,
    Relation, Values, is_redacted, string_from_utf16, utf16_from_string,
};

use super::text::{MAX_LENGTH, date_text, is_name, number_text, quoted};
use super::{literals, operators};
use crate::JavaScript;

impl Values for JavaScript {
    fn text(&self, value: &Datum) -> String {
        match value {
            Datum::Undefined => "undefined".into(),
            Datum::Null => "null".into(),
            Datum::Bool(truth) => truth.to_string(),
            Datum::Number(number) => number_text(*number),
            Datum::String(text) => match text.chars().count() {
                length if length > MAX_LENGTH => format!("{} ({length} characters)", quoted(text)),
                _ => quoted(text),
            },
            Datum::LongString { length } => format!("\"…\" ({length} characters, not recorded)"),
            Datum::BigInt(digits) => format!("{digits}n"),
            Datum::Symbol(_, description) => format!("Symbol({})", description.as_deref().unwrap_or_default()),
            Datum::Object(id) => format!("#{}", id.0),
            Datum::Accessor => "<accessor>".into(),
            Datum::Redacted => REDACTED.into(),
            Datum::Made(made) => self.text_of_made(made, &|part| self.text(part)),
            Datum::NotCaptured => "<not captured>".into(),
        }
    }

    fn text_of_made(&self, made: &Made, of: &dyn Fn(&Datum) -> String) -> String {
        match made {
            Made::Array(elements) => format!("[{}]", elements.iter().map(of).collect::<Vec<_>>().join(", ")),
            Made::Object(entries) => {
                let entry = |(name, value): &(String, Datum)| format!("{}: {}", self.text_of_key(name), of(value));
                format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn text_of_boxed(&self, class: ObjectClass, value: &Datum) -> String {
        match (class, value) {
            (ObjectClass::Date, Datum::Number(time)) => match date_text(*time) {
                Some(text) => format!("Date {text}"),
                None => "Invalid Date".into(),
            },
            _ => format!("{} {}", class.name(), self.text(value)),
        }
    }

    fn text_of_key(&self, name: &str) -> String {
        if is_name(name) { name.to_owned() } else { quoted(name) }
    }

    fn truth(&self, value: &Datum) -> Option<bool> {
        truth(value)
    }

    fn unary(&self, operator: &str, operand: &Datum, objects: &dyn ObjectsThen) -> Result<Datum, Cow<'static, str>> {
        if operator == "typeof" {
            return type_of(operand, objects);
        }
        operators::unary(operator, operand).ok_or(Cow::Borrowed("its operand is an object"))
    }

    fn binary(
        &self,
        operator: &str,
        left: &Datum,
        right: &Datum,
        objects: &dyn ObjectsThen,
    ) -> Result<Datum, Cow<'static, str>> {
        match operator {
            "instanceof" => instance_of(left, right, objects),
            "in" => self.has(left, right, objects),
            _ => operators::binary(operator, left, right)
                .ok_or_else(|| operators::unknown_of(operator, left, right).into()),
        }
    }

    fn relation(&self, operator: &str) -> Option<Relation> {
        Some(match operator {
            "===" => Relation::Same,
            "==" => Relation::Equal,
            "!==" | "!=" => Relation::Differs,
            "!" => Relation::Not,
            "-" => Relation::Negative,
            "+" => Relation::Joined,
            _ => return None,
        })
    }

    fn comparisons(&self) -> &'static [&'static str] {
        &["===", "!==", "==", "!=", "<=", ">=", "<", ">"]
    }

    fn allows_unknown_name(&self, operator: &str) -> bool {
        operator == "typeof"
    }

    fn string_of(&self, value: &Datum) -> Result<String, Cow<'static, str>> {
        operators::string_of(value).ok_or_else(|| operators::unknown(value, value).into())
    }

    /// Halves of a surrogate pair that meet become one character.
    fn joined(&self, texts: &[String]) -> String {
        operators::joined(texts)
    }

    fn characters(&self, text: &str) -> Option<Vec<Datum>> {
        Some(text.chars().map(|c| Datum::String(c.to_string().into())).collect())
    }

    fn member_of_plain(&self, value: &Datum, key: &PropertyKey) -> Option<Datum> {
        let name = key.name()?;
        match value {
            Datum::LongString { length } if name == "length" => Some(Datum::Number(f64::from(*length))),
            Datum::String(text) if !is_redacted(text) => member_of_string(text, name, self),
            _ => None,
        }
    }

    fn key_of(&self, value: &Datum) -> Option<PropertyKey> {
        Some(match value {
            Datum::String(text) => PropertyKey::Name(text.to_string()),
            Datum::Symbol(id, _) => PropertyKey::Symbol(*id),
            // −0 is the key "0".
            Datum::Number(number) if *number == 0.0 => PropertyKey::Name("0".into()),
            Datum::Undefined | Datum::Null | Datum::Bool(_) | Datum::Number(_) => PropertyKey::Name(self.text(value)),
            Datum::BigInt(digits) => PropertyKey::Name(digits.to_string()),
            _ => return None,
        })
    }

    fn literal(&self, source: &str) -> Option<Literal> {
        literals::literal(source)
    }

    fn constant(&self, name: &str) -> Option<Datum> {
        Some(match name {
            "undefined" => Datum::Undefined,
            "NaN" => Datum::Number(f64::NAN),
            "Infinity" => Datum::Number(f64::INFINITY),
            _ => return None,
        })
    }
}

pub(crate) fn truth(value: &Datum) -> Option<bool> {
    Some(match value {
        Datum::Undefined | Datum::Null => false,
        Datum::Bool(truth) => *truth,
        Datum::Number(number) => !(*number == 0.0 || number.is_nan()),
        Datum::String(text) => !text.is_empty(),
        Datum::LongString { length } => *length > 0,
        Datum::BigInt(digits) => &**digits != "0",
        Datum::Symbol(..) | Datum::Object(_) | Datum::Made(_) => true,
        Datum::Accessor | Datum::Redacted | Datum::NotCaptured => return None,
    })
}

fn type_of(operand: &Datum, objects: &dyn ObjectsThen) -> Result<Datum, Cow<'static, str>> {
    let name = match (operand.kind(), operand) {
        (_, Datum::Object(object)) => match objects.is_function(*object) {
            Some(true) => "function",
            Some(false) => "object",
            None => return Err("whether the object is a function is not recorded".into()),
        },
        (DatumKind::Undefined, _) => "undefined",
        (DatumKind::Null | DatumKind::Object, _) => "object",
        (DatumKind::Bool, _) => "boolean",
        (DatumKind::Number, _) => "number",
        (DatumKind::String, _) => "string",
        (DatumKind::BigInt, _) => "bigint",
        (DatumKind::Symbol, _) => "symbol",
        (DatumKind::Unknown, _) => return Err("its value was not recorded".into()),
    };
    Ok(Datum::String(name.into()))
}

fn instance_of(left: &Datum, right: &Datum, objects: &dyn ObjectsThen) -> Result<Datum, Cow<'static, str>> {
    if matches!(left, Datum::Made(_)) {
        return Err("what was typed is no object of the program".into());
    }
    let (Datum::Object(object), Datum::Object(class)) = (left, right) else { return Ok(Datum::Bool(false)) };
    let wanted = match objects.own_member(*class, &PropertyKey::Name("prototype".into())) {
        Member::Held(Datum::Object(prototype)) => prototype,
        _ => return Err("the prototype of the class was not recorded".into()),
    };
    let mut at = *object;
    loop {
        match objects.prototype(at) {
            Prototype::Object(prototype) if prototype == wanted => return Ok(Datum::Bool(true)),
            Prototype::Object(prototype) => at = prototype,
            // Behind a built-in prototype there is none of the program's classes.
            Prototype::None | Prototype::BuiltIn => return Ok(Datum::Bool(false)),
            Prototype::Unknown => return Err("a prototype was not recorded".into()),
        }
    }
}

impl JavaScript {
    fn has(&self, left: &Datum, right: &Datum, objects: &dyn ObjectsThen) -> Result<Datum, Cow<'static, str>> {
        let (Some(key), Datum::Object(object)) = (self.key_of(left), right) else {
            return Err("an operand is not an object".into());
        };
        match objects.member(*object, &key) {
            Member::NotCaptured(why) => Err(why.into()),
            Member::Absent => Ok(Datum::Bool(false)),
            Member::Held(_) => Ok(Datum::Bool(true)),
        }
    }
}

/// Length and characters of a string; `None` for what its prototype has.
fn member_of_string(text: &str, name: &str, model: &JavaScript) -> Option<Datum> {
    if name == "length" {
        return Some(Datum::Number(utf16_from_string(text).len() as f64));
    }
    let index = model.element_at(name)?;
    Some(match utf16_from_string(text).get(index as usize) {
        Some(unit) => Datum::String(string_from_utf16(&[*unit]).into()),
        None => Datum::Undefined,
    })
}
