//! Binary data: several objects may show the same memory, and built-ins that are not recorded write it.

use trace_model::{Event, ObjectClass, ObjectId, Record};

use trace_store::PropertyKey;

use crate::change::{index_of, is_index};
use crate::{Contents, Datum, Trace};

impl Trace<'_> {
    /// Whether the elements of an object are memory that others may write unseen.
    pub(crate) fn shares_memory(&self, object: ObjectId) -> bool {
        self.class_at_birth(object) == Some(ObjectClass::Binary) && self.writes_memory()
    }

    /// Whether a key is that of an element which binary data does not have: nothing can be written there.
    pub(crate) fn is_beyond_memory(&self, object: ObjectId, key: &PropertyKey) -> bool {
        let PropertyKey::Name(name) = key else { return false };
        let Some(index) = index_of(name).filter(|_| self.class_at_birth(object) == Some(ObjectClass::Binary)) else {
            return false;
        };
        match self.birth(object).map(|birth| birth.event) {
            Some(Event::Record(Record::Look { size, .. })) => index >= size,
            _ => false,
        }
    }

    /// What is left of a value in an element of binary data.
    pub(crate) fn stored_in_memory(&self, object: ObjectId, value: &Datum) -> Datum {
        let number = match value {
            Datum::Number(number) => *number,
            Datum::Bool(bool) => f64::from(u8::from(*bool)),
            Datum::Null => 0.0,
            Datum::Undefined => f64::NAN,
            _ => return Datum::NotCaptured,
        };
        let class = match self.birth(object).map(|birth| birth.event) {
            Some(Event::Record(Record::Look { name: Some(name), .. })) => self.thread.string(name),
            _ => None,
        };
        class.and_then(|class| cut_to_size(number, &class)).map_or(Datum::NotCaptured, Datum::Number)
    }

    pub(crate) fn leave_out_shared(&self, contents: &mut Contents) {
        if !self.shares_memory(contents.object) {
            return;
        }
        contents.is_complete = false;
        let elements = contents.properties.iter_mut().filter(|(key, _)| is_index(key));
        elements.for_each(|(_, slot)| slot.value = Datum::NotCaptured);
    }

    /// Whether the code mentions anything that shows memory a second time, or that writes it without an event.
    fn writes_memory(&self) -> bool {
        *self.writes_memory.get_or_init(|| {
            let units = self.thread.code().units().iter();
            let mut sources = units.filter_map(|unit| unit.code().ok()?.source().ok());
            sources.any(|source| self.language().may_write_memory(source))
        })
    }
}

/// A number as an element of this class holds it; nothing for a class that is not known.
fn cut_to_size(number: f64, class: &str) -> Option<f64> {
    let bits = |n: u32| {
        let size = 2f64.powi(n as i32);
        let whole = if number.is_finite() { number.trunc().rem_euclid(size) } else { 0.0 };
        (whole, size)
    };
    let unsigned = |n| bits(n).0;
    let signed = |n| match bits(n) {
        (whole, size) if whole >= size / 2.0 => whole - size,
        (whole, _) => whole,
    };
    Some(match class {
        "Uint8Array" | "Buffer" => unsigned(8),
        "Uint16Array" => unsigned(16),
        "Uint32Array" => unsigned(32),
        "Int8Array" => signed(8),
        "Int16Array" => signed(16),
        "Int32Array" => signed(32),
        "Uint8ClampedArray" if number.is_nan() => 0.0,
        "Uint8ClampedArray" => number.clamp(0.0, 255.0).round_ties_even(),
        "Float32Array" => f64::from(number as f32),
        "Float64Array" => number,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::cut_to_size;

    #[test]
    fn numbers_are_cut_as_the_elements_of_each_class_are() {
        let cases = [
            (300.0, "Uint8Array", 44.0),
            (-1.0, "Uint8Array", 255.0),
            (-1.9, "Buffer", 255.0),
            (200.0, "Int8Array", -56.0),
            (40000.0, "Int16Array", -25536.0),
            (-1.0, "Uint32Array", 4294967295.0),
            (4294967296.0, "Int32Array", 0.0),
            (f64::INFINITY, "Uint16Array", 0.0),
            (f64::NAN, "Int32Array", 0.0),
            (1.5, "Uint8ClampedArray", 2.0),
            (2.5, "Uint8ClampedArray", 2.0),
            (-7.0, "Uint8ClampedArray", 0.0),
            (f64::NAN, "Uint8ClampedArray", 0.0),
            (0.5, "Float64Array", 0.5),
        ];
        for (number, class, held) in cases {
            assert_eq!(cut_to_size(number, class), Some(held), "{number} in {class}");
        }
        assert_eq!(cut_to_size(1.0, "Mine"), None);
    }
}
