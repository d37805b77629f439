//! `JSON.stringify`, where it calls nothing of the program.

use trace_model::{Datum, Made, MethodOf, ObjectClass, ObjectId, Reading, Unknown, utf16_from_string};

use super::{DEEPEST, LONGEST, TOO_DEEP, TOO_LONG, known, text, throws, whole};
use crate::object_model::text::{date_text, number_text};

pub fn stringify(value: &Datum, given: &[Datum], reading: &dyn Reading) -> Result<Datum, Unknown> {
    if given.get(1).is_some_and(|replacer| !replacer.is_nullish()) {
        return Err("a replacer is not interpreted".into());
    }
    let gap = match given.get(2) {
        Some(Datum::String(gap)) => indent(known(&Datum::String(gap.clone())).map(|_| gap)?)?,
        Some(Datum::Object(object)) if reading.class(*object).is_none_or(|class| class == ObjectClass::Boxed) => {
            return Err("by what it is indented is not known".into());
        }
        Some(number @ Datum::Number(_)) => " ".repeat(whole(Some(number), 0.0)?.clamp(0.0, 10.0) as usize),
        _ => String::new(),
    };
    let mut writing = Writing { reading, gap, open: Vec::new(), written: String::new() };
    Ok(match writing.value(value, 0)? {
        true => text(writing.written),
        false => Datum::Undefined,
    })
}

/// The first 10 UTF-16 units.
fn indent(gap: &str) -> Result<String, Unknown> {
    let units = utf16_from_string(gap);
    String::from_utf16(units.get(..10).unwrap_or(&units)).map_err(|_| "half of a character would indent it".into())
}

struct Writing<'r> {
    reading: &'r dyn Reading,
    /// What each level is indented by.
    gap: String,
    /// The objects that are being written.
    open: Vec<ObjectId>,
    written: String,
}

impl Writing<'_> {
    /// Whether there is anything to write.
    fn value(&mut self, value: &Datum, depth: usize) -> Result<bool, Unknown> {
        if depth > DEEPEST {
            return Err(TOO_DEEP.into());
        }
        if self.written.len() > LONGEST {
            return Err(TOO_LONG.into());
        }
        match known(value)? {
            Datum::Undefined | Datum::Symbol(..) => return Ok(false),
            Datum::Null => self.written.push_str("null"),
            Datum::Bool(truth) => self.written.push_str(if *truth { "true" } else { "false" }),
            Datum::Number(number) => self.number(*number),
            Datum::String(text) => self.text(text),
            Datum::BigInt(_) => return Err("whether the program gave BigInt a toJSON is not known".into()),
            Datum::Made(made) => match &**made {
                Made::Array(elements) => self.list(elements, depth)?,
                Made::Object(entries) if entries.iter().any(|(name, _)| name == "toJSON") => {
                    return Err("it has a toJSON, which is not called".into());
                }
                Made::Object(entries) => self.object(entries, depth)?,
            },
            Datum::Object(object) => return self.recorded(*object, value, depth),
            Datum::LongString { .. } | Datum::Accessor | Datum::Redacted | Datum::NotCaptured => return Ok(false),
        }
        Ok(true)
    }

    fn recorded(&mut self, object: ObjectId, value: &Datum, depth: usize) -> Result<bool, Unknown> {
        if self.open.contains(&object) {
            return Err(throws("the structure is circular"));
        }
        let class = self.reading.class(object).ok_or("the contents of an object were not recorded")?;
        if class == ObjectClass::Function {
            return Ok(false);
        }
        let date = || match self.reading.stands_for(object) {
            Some(Datum::Number(time)) => Ok(date_text(time)),
            _ => Err(Unknown::from("the time of a Date was not recorded")),
        };
        if self.reading.method(object, "toJSON")? == MethodOf::Program {
            return Err("an object has a toJSON, which is not called".into());
        }
        // Of what the language has, only this has one.
        if class == ObjectClass::Date {
            match date()? {
                Some(date) => self.text(&date),
                None => self.written.push_str("null"),
            }
            return Ok(true);
        }
        self.open.push(object);
        match class {
            ObjectClass::Array => {
                let elements = self.reading.elements(value)?;
                self.list(&elements, depth)?;
            }
            ObjectClass::Plain | ObjectClass::Instance | ObjectClass::Map | ObjectClass::Set => {
                let entries = self.reading.own_values(value)?;
                self.object(&entries, depth)?;
            }
            class => return Err(format!("how a {} is written is not interpreted", class.name()).into()),
        }
        self.open.pop();
        Ok(true)
    }

    fn list(&mut self, elements: &[Datum], depth: usize) -> Result<(), Unknown> {
        self.written.push('[');
        for (place, element) in elements.iter().enumerate() {
            self.begin_line(place, depth + 1);
            if !self.value(element, depth + 1)? {
                self.written.push_str("null");
            }
        }
        self.end_line(!elements.is_empty(), depth);
        self.written.push(']');
        Ok(())
    }

    fn object(&mut self, entries: &[(String, Datum)], depth: usize) -> Result<(), Unknown> {
        self.written.push('{');
        let mut n_written = 0;
        for (name, value) in entries {
            let before = self.written.len();
            self.begin_line(n_written, depth + 1);
            self.text(name);
            self.written.push_str(if self.gap.is_empty() { ":" } else { ": " });
            match self.value(value, depth + 1)? {
                true => n_written += 1,
                false => self.written.truncate(before),
            }
        }
        self.end_line(n_written > 0, depth);
        self.written.push('}');
        Ok(())
    }

    fn begin_line(&mut self, n_before: usize, depth: usize) {
        if n_before > 0 {
            self.written.push(',');
        }
        self.end_line(true, depth);
    }

    fn end_line(&mut self, is_needed: bool, depth: usize) {
        if is_needed && !self.gap.is_empty() {
            self.written.push('\n');
            self.written.push_str(&self.gap.repeat(depth));
        }
    }

    fn number(&mut self, number: f64) {
        match number.is_finite() {
            true if number == 0.0 => self.written.push('0'),
            true => self.written.push_str(&number_text(number)),
            false => self.written.push_str("null"),
        }
    }

    fn text(&mut self, text: &str) {
        self.written.push('"');
        for c in text.chars() {
            match c {
                '"' => self.written.push_str("\\\""),
                '\\' => self.written.push_str("\\\\"),
                '\u{8}' => self.written.push_str("\\b"),
                '\u{c}' => self.written.push_str("\\f"),
                '\n' => self.written.push_str("\\n"),
                '\r' => self.written.push_str("\\r"),
                '\t' => self.written.push_str("\\t"),
                // The trace writes a surrogate that stands alone as one of these.
                '\u{10F800}'.. => self.written.push_str(&format!("\\u{:04x}", c as u32 - 0x10_F800 + 0xD800)),
                c if c < ' ' => self.written.push_str(&format!("\\u{:04x}", c as u32)),
                c => self.written.push(c),
            }
        }
        self.written.push('"');
    }
}
