//! Values for people: objects with a short preview of what they hold at the moment.

use query::{Contents, Datum};
use trace_model::{Event, EventId, LanguageRef, ObjectClass, ObjectId, Record, SiteKind};
use trace_store::{PropertyKey, Target};

use super::Moment;
use crate::{Elements, Value, ValueType};

impl Moment<'_> {
    /// A value as it is right before an event.
    pub(crate) fn value(&self, datum: &Datum, before: EventId) -> Value {
        let object = match datum {
            Datum::Object(object) => object,
            Datum::Made(made) => {
                let text = self.trace.language().text_of_made(made, &|part| self.value(part, before).text);
                return Value { kind: ValueType::Object, text, object: None, elements: None };
            }
            datum => return Value::plain(self.trace.language(), datum),
        };
        let is_function = self.trace.is_function(*object) == Some(true);
        let (preview, elements) = if self.trace.is_sparse() {
            (self.sparse_preview(*object), None)
        } else if is_function {
            (self.function_preview(*object), None)
        } else {
            // One more than is shown tells that there are more.
            let contents = self.glimpsed(*object, before, MOST_ENTRIES + 1);
            let elements = contents.as_ref().and_then(|contents| self.elements_of(contents));
            (contents.map(|contents| self.preview(&contents, before)), elements)
        };
        let text = match preview {
            Some(preview) => format!("#{} {preview}", object.0),
            None => format!("#{}", object.0),
        };
        let kind = if is_function { ValueType::Function } else { ValueType::Object };
        Value { kind, text, object: Some(object.0), elements }
    }

    pub(crate) fn option_value(&self, datum: &Option<Datum>, before: EventId) -> Option<Value> {
        datum.as_ref().map(|datum| self.value(datum, before))
    }

    /// What an object is, where its contents were not recorded: nobody asked for them.
    fn sparse_preview(&self, object: ObjectId) -> Option<String> {
        let birth = self.trace.birth(object)?;
        let Event::Record(Record::Look { class, name, .. }) = &birth.event else {
            return match self.trace.kind(&birth)? {
                SiteKind::ObjectLiteral => Some("{…}".into()),
                SiteKind::ArrayLiteral => Some("[…]".into()),
                _ => None,
            };
        };
        let name = name.and_then(|name| self.trace.thread.string(name));
        Some(match (class, name) {
            (ObjectClass::Function, name) => format!("function {}", name.unwrap_or_default()).trim_end().to_owned(),
            (ObjectClass::Array | ObjectClass::Arguments, _) => "[…]".into(),
            (ObjectClass::Plain, _) => "{…}".into(),
            (_, Some(name)) => format!("{name} {{…}}"),
            (class, None) => format!("{class:?} {{…}}"),
        })
    }

    /// Whether it has elements, and not keys with values.
    pub(super) fn is_set(&self, contents: &Contents, before: EventId) -> bool {
        let is_weak_set = || self.class_name(contents, before).as_deref() == Some("WeakSet");
        contents.class == Some(ObjectClass::Set) || contents.class == Some(ObjectClass::Weak) && is_weak_set()
    }

    fn function_preview(&self, object: ObjectId) -> Option<String> {
        let first = self.trace.next(&Target::Mentions(object), self.trace.thread.first_event());
        let site = first.and_then(|first| self.trace.site(first.site()?));
        let is_class = site.is_some_and(|site| {
            let is_class_text = |text: &str| text.trim_start().starts_with("class");
            site.site.kind == SiteKind::ClassBirth || site.text().is_some_and(is_class_text)
        });
        let word = if is_class { "class" } else { "function" };
        let name = self.function_object_name(object).unwrap_or_default();
        Some(format!("{word} {name}").trim_end().to_owned())
    }

    fn function_object_name(&self, object: ObjectId) -> Option<String> {
        if let Some((unit, function)) = self.trace.function_of(object) {
            return self.function_name(self.trace.thread.code().unit(unit)?, function);
        }
        let contents = self.glimpsed(object, self.trace.thread.end(), 0)?;
        contents.name.or_else(|| {
            let birth = self.trace.birth(object)?;
            let site = self.trace.site(birth.site()?)?;
            site.site.names.first().map(|name| site.name(*name).to_owned())
        })
    }

    /// How much of what an object holds is in order.
    fn elements_of(&self, contents: &Contents) -> Option<Elements> {
        let class = contents.class?;
        match self.trace.language().class_traits(class).has_length {
            true => contents.length.map(|length| Elements::List(length.into())),
            false => {
                let total = contents
                    .total
                    .filter(|total| total.is_exact && matches!(class, ObjectClass::Map | ObjectClass::Set))?;
                Some(Elements::Entries(total.n.into()))
            }
        }
    }

    fn preview(&self, contents: &Contents, before: EventId) -> String {
        let language = self.trace.language();
        let name = self.class_name(contents, before);
        let prefix = |usual: &str| match &name {
            Some(name) if name != usual => format!("{name} "),
            _ => String::new(),
        };
        match contents.class {
            Some(ObjectClass::Array | ObjectClass::Arguments | ObjectClass::Binary)
                if contents.class != Some(ObjectClass::Binary) || contents.length.is_some_and(|length| length > 0) =>
            {
                let length = contents.length.unwrap_or(0) as usize;
                let elements = contents.properties.iter().filter(|(key, _)| is_element(language, key));
                let elements = elements.map(|(_, slot)| brief(language, &slot.value));
                let (text, n_shown) = listed(elements);
                let count = if n_shown < length { format!(" ({length})") } else { String::new() };
                let more = if n_shown < length && n_shown > 0 {
                    ", …"
                } else if length > 0 && n_shown == 0 {
                    "…"
                } else {
                    ""
                };
                format!("{}[{text}{more}]{count}", prefix("Array"))
            }
            Some(class) if class.has_entries() => {
                let is_set = self.is_set(contents, before);
                let entry = |(key, slot): &(Datum, query::Slot)| match is_set {
                    false => format!("{} → {}", brief(language, key), brief(language, &slot.value)),
                    true => brief(language, key),
                };
                let (text, n_shown) = listed(contents.entries.iter().map(entry));
                let is_cut = n_shown < contents.entries.len() || !contents.is_complete;
                let more = match (is_cut, n_shown) {
                    (true, 0) => "…",
                    (true, _) => ", …",
                    (false, _) => "",
                };
                match class {
                    ObjectClass::Weak => format!("{} {{{text}{more}}}", name.unwrap_or_else(|| "Weak".into())),
                    _ => format!("{class:?} {{{text}{more}}} ({})", total_text(contents)),
                }
            }
            Some(ObjectClass::Error) => {
                let message = property(contents, language.error_keys().message).and_then(|value| match value {
                    Datum::String(text) => Some(text.to_string()),
                    _ => None,
                });
                let name = name.unwrap_or_else(|| "Error".into());
                match message {
                    Some(message) => format!("{name}: {}", shortened(&message, LONGEST_MESSAGE)),
                    None => name,
                }
            }
            Some(class @ (ObjectClass::Date | ObjectClass::RegExp | ObjectClass::Boxed)) => {
                let stands_for = contents.stands_for.as_ref();
                stands_for.map_or_else(|| class.name().to_owned(), |value| language.text_of_boxed(class, value))
            }
            _ => {
                let entries = contents
                    .properties
                    .iter()
                    .map(|(key, slot)| format!("{}: {}", key_text(language, key), brief(language, &slot.value)));
                let (text, n_shown) = listed(entries);
                let is_cut = n_shown < contents.properties.len() || !contents.is_complete;
                let more = match (is_cut, n_shown) {
                    (true, 0) => "…",
                    (true, _) => ", …",
                    (false, _) => "",
                };
                format!("{}{{{text}{more}}}", prefix("Object"))
            }
        }
    }

    /// The class of an instance: what was seen of it, or the constructor of its prototype.
    pub(crate) fn class_name(&self, contents: &Contents, before: EventId) -> Option<String> {
        if contents.name.is_some() {
            return contents.name.clone();
        }
        let constructor = PropertyKey::Name(self.trace.language().constructor_key()?.into());
        match self.trace.own_property(contents.prototype?, &constructor, before).value() {
            Datum::Object(constructor) => self.function_object_name(constructor),
            _ => self.constructing_class(contents.object),
        }
    }

    /// The class of the outermost constructor that made the object: inner ones are those of the classes that it extends.
    fn constructing_class(&self, object: ObjectId) -> Option<String> {
        let birth = self.trace.birth(object).filter(|birth| self.trace.kind(birth) == Some(SiteKind::This))?;
        let mut frame = self.trace.frame(birth.frame?)?;
        while let Some(caller) = frame.caller.and_then(|caller| self.trace.frame(caller))
            && self.trace.this(caller.id).is_some_and(|(this, _)| this == Datum::Object(object))
        {
            frame = caller;
        }
        self.function_name(self.trace.thread.code().unit(frame.unit)?, frame.function)
    }
}

/// How much an object holds: `5000`, `at least 1001`.
fn total_text(contents: &Contents) -> String {
    match contents.total {
        Some(total) if total.is_exact => total.n.to_string(),
        Some(total) => format!("at least {}", total.n),
        None => format!("at least {}", contents.entries.len()),
    }
}

/// What was left out of an object when it was recorded: `of 5000 elements, 1000 were recorded`.
pub(super) fn left_out(contents: &Contents) -> Option<String> {
    let total = contents.total.filter(|_| !contents.is_complete)?;
    let n_known = contents.properties.len() + contents.entries.len();
    let what = match contents.class? {
        class if class.has_entries() => "entries",
        _ if contents.length.is_some() => "elements",
        _ => "properties",
    };
    (n_known < total.n as usize).then(|| format!("of {} {what}, {n_known} were recorded", total_text(contents)))
}

/// What of a value can be compared between runs: objects have other numbers in each.
pub(crate) fn comparable(value: &Value) -> String {
    match value.object {
        Some(_) => value.kind.name().to_owned(),
        None => value.text.clone(),
    }
}

pub(crate) fn key_text(language: LanguageRef, key: &PropertyKey) -> String {
    match key {
        PropertyKey::Name(name) if is_element(language, key) => name.clone(),
        PropertyKey::Name(name) => language.text_of_key(name),
        PropertyKey::Symbol(_) => "[symbol]".into(),
    }
}

/// What the source writes behind an object to come to a property; nothing for a symbol, which has no text of its own.
pub(crate) fn access_to_property(language: LanguageRef, key: &PropertyKey) -> Option<String> {
    let name = key.name()?;
    let text = key_text(language, key);
    Some(if text == name && !is_element(language, key) { format!(".{text}") } else { format!("[{text}]") })
}

fn is_element(language: LanguageRef, key: &PropertyKey) -> bool {
    key.name().is_some_and(|name| language.element_at(name).is_some())
}

const MOST_ENTRIES: usize = 4;
const LONGEST_LIST: usize = 60;
const LONGEST_STRING: usize = 24;
const LONGEST_MESSAGE: usize = 80;

/// Inside a preview.
fn brief(language: LanguageRef, datum: &Datum) -> String {
    match datum {
        Datum::String(text) if text.chars().count() > LONGEST_STRING => {
            language.text(&Datum::String(shortened(text, LONGEST_STRING).into()))
        }
        datum => language.text(datum),
    }
}

pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// As many as fit, and how many these are.
fn listed(entries: impl Iterator<Item = String>) -> (String, usize) {
    let mut text = String::new();
    let mut n_shown = 0;
    for entry in entries.take(MOST_ENTRIES) {
        if n_shown > 0 && text.chars().count() + entry.chars().count() > LONGEST_LIST {
            break;
        }
        if n_shown > 0 {
            text.push_str(", ");
        }
        text.push_str(&entry);
        n_shown += 1;
    }
    (text, n_shown)
}

fn property<'c>(contents: &'c Contents, name: &str) -> Option<&'c Datum> {
    let is_it = |key: &PropertyKey| matches!(key, PropertyKey::Name(own) if own == name);
    contents.properties.iter().find(|(key, _)| is_it(key)).map(|(_, slot)| &slot.value)
}
