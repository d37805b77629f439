//! Objects of JavaScript: lists, prototypes, binary data, proxies, `arguments`.

use trace_model::{
    BuiltInOwner, BuiltinOp, ClassTraits, Datum, ObjectClass, ObjectId, ObjectModel, PropertyKey, Prototype,
};

use super::memory::cut_to_size;
use crate::JavaScript;

impl ObjectModel for JavaScript {
    fn class_traits(&self, class: ObjectClass) -> ClassTraits {
        match class {
            ObjectClass::Plain | ObjectClass::Instance | ObjectClass::Error => ClassTraits::MEMBERS,
            ObjectClass::Array => ClassTraits::LIST,
            ObjectClass::Arguments => {
                ClassTraits { is_of_fixed_length: true, has_parameters: true, ..ClassTraits::LIST }
            }
            ObjectClass::Binary => ClassTraits { is_memory: true, ..ClassTraits::LIST },
            ObjectClass::Map | ObjectClass::Set => ClassTraits { has_size: true, ..ClassTraits::CLOSED },
            ObjectClass::Proxy => ClassTraits { passes_on: true, ..ClassTraits::CLOSED },
            ObjectClass::Function | ObjectClass::Promise | ObjectClass::Weak | ObjectClass::Namespace => {
                ClassTraits { is_opaque: true, ..ClassTraits::CLOSED }
            }
            ObjectClass::Date | ObjectClass::RegExp | ObjectClass::Boxed => ClassTraits::CLOSED,
        }
    }

    fn length_key(&self) -> Option<&'static str> {
        Some("length")
    }

    fn size_key(&self) -> Option<&'static str> {
        Some("size")
    }

    /// An array index as it is written: `12`, not `012`.
    fn element_at(&self, key: &str) -> Option<u32> {
        let is_canonical = key == "0" || key.len() <= 10 && key.starts_with(|c: char| matches!(c, '1'..='9'));
        key.parse().ok().filter(|index| is_canonical && *index != u32::MAX)
    }

    fn element_key(&self, place: u32) -> String {
        place.to_string()
    }

    fn elements_stand_first(&self) -> bool {
        true
    }

    fn is_list_literal(&self, text: &str) -> bool {
        text.starts_with('[')
    }

    fn prototype_key(&self) -> Option<&'static str> {
        Some("__proto__")
    }

    fn prototype_by_look(&self, class: ObjectClass, prototype: Option<ObjectId>, has_name: bool) -> Prototype {
        match class {
            // By definition: `Object.prototype`, or none.
            ObjectClass::Plain if prototype.is_none() => Prototype::None,
            ObjectClass::Plain => Prototype::BuiltIn,
            ObjectClass::Array if !has_name => Prototype::BuiltIn,
            _ => prototype.map_or(Prototype::Unknown, Prototype::Object),
        }
    }

    fn prototype_of_literal(&self) -> Prototype {
        Prototype::BuiltIn
    }

    /// Whether a name could be one of `Object.prototype`, or of `Array.prototype`.
    fn is_built_in(&self, key: &PropertyKey, described: Option<&str>, is_list: bool) -> bool {
        match key {
            // `Symbol.iterator` and its like.
            PropertyKey::Symbol(_) => described.is_none_or(|text| text.starts_with("Symbol.")),
            PropertyKey::Name(name) => {
                OBJECT_NAMES.contains(&name.as_str()) || is_list && ARRAY_NAMES.contains(&name.as_str())
            }
        }
    }

    fn symbol_behind(&self, class: &str, key: &str) -> Option<&'static str> {
        ((class, key) == ("MessageEvent", "data")).then_some("kData")
    }

    fn name_of_built_in(&self, owner: BuiltInOwner, name: &str) -> Option<String> {
        super::built_in::name_of(owner, name)
    }

    fn constructor_key(&self) -> Option<&'static str> {
        Some("constructor")
    }

    fn made_prototype_key(&self) -> Option<&'static str> {
        Some("prototype")
    }

    fn is_of_every_function(&self, key: &str) -> bool {
        matches!(key, "prototype" | "name" | "length")
    }

    fn is_private(&self, name: &str) -> bool {
        name.starts_with('#')
    }

    fn stored_in_memory(&self, class: Option<&str>, value: &Datum) -> Datum {
        let number = match value {
            Datum::Number(number) => *number,
            Datum::Bool(truth) => f64::from(u8::from(*truth)),
            Datum::Null => 0.0,
            Datum::Undefined => f64::NAN,
            _ => return Datum::NotCaptured,
        };
        class.and_then(|class| cut_to_size(number, class)).map_or(Datum::NotCaptured, Datum::Number)
    }

    fn may_restrict(&self, source: &str) -> bool {
        RESTRICTING.iter().any(|name| source.contains(name))
    }

    fn parts_parameter(&self, operation: BuiltinOp) -> bool {
        matches!(operation, BuiltinOp::DefineProperty | BuiltinOp::DeleteProperty | BuiltinOp::Freeze)
    }

    fn is_getter_of(&self, function: &str, key: &str, before: &str) -> bool {
        let is_named = function == key || function.strip_prefix("get ") == Some(key);
        let before = before.trim_end().trim_end_matches(key).trim_end().trim_end_matches("get").trim_end();
        is_named && !before.ends_with("static")
    }
}

/// What a program must write so that an object refuses assignments, unless it has the syntax of an accessor.
const RESTRICTING: [&str; 4] = ["definePropert", "__defineSetter__", "__defineGetter__", "freeze"];

const OBJECT_NAMES: [&str; 12] = [
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];
#[rustfmt::skip]
pub(super) const ARRAY_NAMES: [&str; 37] = [
    "at", "concat", "copyWithin", "entries", "every", "fill", "filter", "find", "findIndex", "findLast", "findLastIndex",
    "flat", "flatMap", "forEach", "includes", "indexOf", "join", "keys", "lastIndexOf", "length", "map", "pop", "push",
    "reduce", "reduceRight", "reverse", "shift", "slice", "some", "sort", "splice", "toReversed", "toSorted", "toSpliced",
    "unshift", "values", "with",
];
