//! A language that has what these tests ask for: the keys and lists of the traces here.

use std::borrow::Cow;

use trace_model::{
    BuiltIns, ClassTraits, CodeFacts, Datum, ErrorKeys, ExprId, Expression, ExpressionError, Failures, Habits,
    Language, Languages, Libraries, Literal, Made, MessageHint, ObjectClass, ObjectModel, ObjectsThen, PropertyKey,
    Relation, SiteTable, SourceCode, Span, Values, Writes,
};

pub fn languages() -> Languages {
    Languages::of(&[&Plain])
}

struct Plain;

impl Language for Plain {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn facts(&self, _: SourceCode, _: &SiteTable) -> Result<CodeFacts, String> {
        Err("no source of it is read".into())
    }

    fn writes_in(&self, _: SourceCode, _: &[Span]) -> Result<Vec<Writes>, String> {
        Err("no source of it is read".into())
    }

    fn parse_expression(&self, _: &str) -> Result<(Vec<Expression>, ExprId), ExpressionError> {
        Err(ExpressionError { message: "nobody types it".into(), at: 0 })
    }
}

impl Values for Plain {
    fn text(&self, value: &Datum) -> String {
        match value {
            Datum::Number(number) => number.to_string(),
            value => format!("{value:?}").to_lowercase(),
        }
    }

    fn text_of_made(&self, made: &Made, _: &dyn Fn(&Datum) -> String) -> String {
        format!("{made:?}")
    }

    fn text_of_key(&self, name: &str) -> String {
        name.to_owned()
    }

    fn truth(&self, _: &Datum) -> Option<bool> {
        None
    }

    fn unary(&self, _: &str, _: &Datum, _: &dyn ObjectsThen) -> Result<Datum, Cow<'static, str>> {
        Err("it has no operators".into())
    }

    fn binary(&self, _: &str, _: &Datum, _: &Datum, _: &dyn ObjectsThen) -> Result<Datum, Cow<'static, str>> {
        Err("it has no operators".into())
    }

    fn relation(&self, _: &str) -> Option<Relation> {
        None
    }

    fn comparisons(&self) -> &'static [&'static str] {
        &[]
    }

    fn string_of(&self, value: &Datum) -> Result<String, Cow<'static, str>> {
        Ok(self.text(value))
    }

    fn member_of_plain(&self, _: &Datum, _: &PropertyKey) -> Option<Datum> {
        None
    }

    fn key_of(&self, value: &Datum) -> Option<PropertyKey> {
        Some(PropertyKey::Name(self.text(value)))
    }

    fn literal(&self, source: &str) -> Option<Literal> {
        match source.strip_prefix('"') {
            Some(text) => Some(Literal::String(text.strip_suffix('"')?.to_owned())),
            None => source.parse().ok().map(Literal::Number),
        }
    }
}

impl ObjectModel for Plain {
    fn class_traits(&self, _: ObjectClass) -> ClassTraits {
        ClassTraits::MEMBERS
    }

    fn length_key(&self) -> Option<&'static str> {
        Some("length")
    }

    fn element_at(&self, key: &str) -> Option<u32> {
        key.parse().ok()
    }

    fn element_key(&self, place: u32) -> String {
        place.to_string()
    }

    fn is_list_literal(&self, _: &str) -> bool {
        false
    }
}

impl Failures for Plain {
    fn message_hint(&self, _: &str) -> MessageHint {
        MessageHint::None
    }

    fn error_keys(&self) -> ErrorKeys {
        ErrorKeys { message: "message", name: None, code: None, compared: None }
    }
}

impl Habits for Plain {
    fn receiver_name(&self) -> &'static str {
        "self"
    }

    fn arguments_name(&self) -> &'static str {
        "given"
    }
}

impl Libraries for Plain {}

impl BuiltIns for Plain {}
