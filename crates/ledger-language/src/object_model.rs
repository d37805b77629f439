//! What Ledger is, for the engine.

use std::borrow::Cow;

use trace_model::{
    BuiltIns, ClassTraits, Datum, ErrorKeys, Failures, Habits, Libraries, Literal, Made, Member, MessageHint,
    ObjectClass, ObjectModel, ObjectsThen, PropertyKey, Relation, Values,
};

use crate::Ledger;
use crate::syntax::{ExprKind, parse_expression};

impl Values for Ledger {
    fn text(&self, value: &Datum) -> String {
        match value {
            Datum::Null | Datum::Undefined => "nothing".into(),
            Datum::Bool(truth) => if *truth { "yes" } else { "no" }.into(),
            Datum::Number(number) => number.to_string(),
            Datum::String(text) => format!("\"{text}\""),
            Datum::Object(id) => format!("#{}", id.0),
            Datum::Made(made) => self.text_of_made(made, &|part| self.text(part)),
            _ => "<not captured>".into(),
        }
    }

    fn text_of_made(&self, made: &Made, of: &dyn Fn(&Datum) -> String) -> String {
        match made {
            Made::Array(elements) => format!("[{}]", elements.iter().map(of).collect::<Vec<_>>().join(", ")),
            Made::Object(fields) => {
                let field = |(name, value): &(String, Datum)| format!("{name}: {}", of(value));
                format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn text_of_key(&self, name: &str) -> String {
        name.to_owned()
    }

    fn truth(&self, value: &Datum) -> Option<bool> {
        value.is_known().then_some(!matches!(value, Datum::Null | Datum::Undefined | Datum::Bool(false)))
    }

    fn unary(&self, operator: &str, operand: &Datum, _: &dyn ObjectsThen) -> Result<Datum, Cow<'static, str>> {
        match (operator, operand) {
            ("not", operand) => {
                let truth = self.truth(operand).ok_or("what it negates was not recorded")?;
                Ok(Datum::Bool(!truth))
            }
            ("-", Datum::Number(number)) => Ok(Datum::Number(-number)),
            _ => Err("it is no number".into()),
        }
    }

    fn binary(
        &self,
        operator: &str,
        left: &Datum,
        right: &Datum,
        objects: &dyn ObjectsThen,
    ) -> Result<Datum, Cow<'static, str>> {
        Ok(match (operator, left, right) {
            ("=", ..) => Datum::Bool(are_equal(left, right, objects)?),
            ("<>", ..) => Datum::Bool(!are_equal(left, right, objects)?),
            ("&", ..) => Datum::String((self.string_of(left)? + &self.string_of(right)?).into()),
            ("has", Datum::Object(record), Datum::String(name)) => {
                match objects.own_member(*record, &PropertyKey::Name(name.to_string())) {
                    Member::Held(_) => Datum::Bool(true),
                    Member::Absent => Datum::Bool(false),
                    Member::NotCaptured(why) => return Err(why.into()),
                }
            }
            ("/" | "mod", _, Datum::Number(0.0)) => return Err("nothing can be divided by 0".into()),
            (_, Datum::Number(a), Datum::Number(b)) => match operator {
                "+" => Datum::Number(a + b),
                "-" => Datum::Number(a - b),
                "*" => Datum::Number(a * b),
                "/" => Datum::Number((a / b).floor()),
                "mod" => Datum::Number(a.rem_euclid(*b)),
                "<" => Datum::Bool(a < b),
                ">" => Datum::Bool(a > b),
                "<=" => Datum::Bool(a <= b),
                ">=" => Datum::Bool(a >= b),
                _ => return Err("there is no such operator".into()),
            },
            _ => return Err("it is no number".into()),
        })
    }

    fn relation(&self, operator: &str) -> Option<Relation> {
        Some(match operator {
            "=" => Relation::Same,
            "<>" => Relation::Differs,
            "not" => Relation::Not,
            "-" => Relation::Negative,
            "&" => Relation::Joined,
            _ => return None,
        })
    }

    fn comparisons(&self) -> &'static [&'static str] {
        &["<>", "<=", ">=", "<", ">", "="]
    }

    fn string_of(&self, value: &Datum) -> Result<String, Cow<'static, str>> {
        match value {
            Datum::String(text) => Ok(text.to_string()),
            Datum::Null | Datum::Bool(_) | Datum::Number(_) => Ok(self.text(value)),
            _ => Err("only plain values are joined".into()),
        }
    }

    fn member_of_plain(&self, _: &Datum, _: &PropertyKey) -> Option<Datum> {
        None
    }

    fn key_of(&self, value: &Datum) -> Option<PropertyKey> {
        match value {
            Datum::Number(_) => Some(PropertyKey::Name(self.text(value))),
            Datum::String(text) => Some(PropertyKey::Name(text.to_string())),
            _ => None,
        }
    }

    fn literal(&self, source: &str) -> Option<Literal> {
        match parse_expression(source).ok()?.kind {
            ExprKind::Nothing => Some(Literal::Null),
            ExprKind::Bool(truth) => Some(Literal::Bool(truth)),
            ExprKind::Number(number) => Some(Literal::Number(number)),
            ExprKind::Text(text) => Some(Literal::String(text)),
            _ => None,
        }
    }
}

/// Records are equal if all that is in them is; lists if they are the same one.
fn are_equal(left: &Datum, right: &Datum, objects: &dyn ObjectsThen) -> Result<bool, Cow<'static, str>> {
    let (Datum::Object(a), Datum::Object(b)) = (left, right) else {
        return trace_model::same(left, right).ok_or("an operand was not recorded".into());
    };
    if a == b {
        return Ok(true);
    }
    let fields = |record| objects.members(record).ok_or("what is in it was not recorded");
    let (a, b) = (fields(*a)?, fields(*b)?);
    let is_list = |fields: &[(PropertyKey, Datum)]| {
        fields.iter().any(|(key, _)| key.name().is_some_and(|name| Ledger.element_at(name).is_some()))
    };
    if a.len() != b.len() || is_list(&a) || is_list(&b) {
        return Ok(false);
    }
    for (key, value) in &a {
        let Some((_, other)) = b.iter().find(|(known, _)| known == key) else { return Ok(false) };
        if !are_equal(value, other, objects)? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl ObjectModel for Ledger {
    fn class_traits(&self, class: ObjectClass) -> ClassTraits {
        match class {
            ObjectClass::Array => ClassTraits::LIST,
            _ => ClassTraits::MEMBERS,
        }
    }

    fn length_key(&self) -> Option<&'static str> {
        Some("count")
    }

    /// Lists begin at 1.
    fn element_at(&self, key: &str) -> Option<u32> {
        key.parse::<u32>().ok().filter(|number| number.to_string() == key)?.checked_sub(1)
    }

    fn element_key(&self, place: u32) -> String {
        (place + 1).to_string()
    }

    fn is_list_literal(&self, text: &str) -> bool {
        text.starts_with('[')
    }
}

impl Failures for Ledger {
    fn message_hint(&self, message: &str) -> MessageHint {
        let text = message.strip_prefix("Failure: ").unwrap_or(message);
        if let Some((_, field)) = text.rsplit_once(" has no field ") {
            return MessageHint::Property(field.to_owned());
        }
        match text.strip_suffix(" cannot be called") {
            Some(callee) => MessageHint::NotCallable { callee: callee.to_owned(), is_described: false },
            None => text
                .strip_prefix("there is no ")
                .map_or(MessageHint::None, |name| MessageHint::NotDefined(name.to_owned())),
        }
    }

    fn error_keys(&self) -> ErrorKeys {
        ErrorKeys { message: "message", name: None, code: None, compared: Some(("found", "wanted")) }
    }
}

impl Habits for Ledger {
    fn fills(&self, function: &str) -> bool {
        function == "add"
    }

    fn leads_out(&self, text: &str) -> bool {
        let text = text.trim_start_matches("then").trim_start();
        text.starts_with("return") || text.starts_with("fail")
    }

    fn ends_with_return(&self, text: &str) -> bool {
        text.ends_with("return")
    }

    /// There are no methods: nobody can type it.
    fn receiver_name(&self) -> &'static str {
        ""
    }

    fn arguments_name(&self) -> &'static str {
        ""
    }
}

impl Libraries for Ledger {}

impl BuiltIns for Ledger {}
