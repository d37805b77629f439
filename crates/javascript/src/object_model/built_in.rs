//! The functions of the language that programs call most, by the names under which its documentation has them.

use trace_model::{BuiltInOwner, ObjectClass};

use super::objects::ARRAY_NAMES;

pub(super) fn name_of(owner: BuiltInOwner, name: &str) -> Option<String> {
    let (of, names): (&str, &[&str]) = match owner {
        BuiltInOwner::Nothing => return FUNCTIONS.contains(&name).then(|| name.to_owned()),
        BuiltInOwner::Global(of) => (of, STATIC.iter().find(|(known, _)| *known == of)?.1),
        BuiltInOwner::Text => ("String", STRING),
        BuiltInOwner::Object(ObjectClass::Array) => ("Array", &ARRAY_NAMES),
        BuiltInOwner::Object(ObjectClass::Map) => ("Map", MAP),
        BuiltInOwner::Object(ObjectClass::Set) => ("Set", SET),
        BuiltInOwner::Object(ObjectClass::RegExp) => ("RegExp", &["exec", "test"]),
        BuiltInOwner::Object(ObjectClass::Promise) => ("Promise", &["then", "catch", "finally"]),
        BuiltInOwner::Object(ObjectClass::Date) => {
            let is_method = name.starts_with("get") || name.starts_with("set") || name.starts_with("to");
            return is_method.then(|| format!("Date.{name}"));
        }
        BuiltInOwner::Object(_) => return None,
    };
    names.contains(&name).then(|| format!("{of}.{name}"))
}

#[rustfmt::skip]
const FUNCTIONS: [&str; 16] = [
    "Array", "BigInt", "Boolean", "Number", "Object", "String", "Symbol", "decodeURI", "decodeURIComponent", "encodeURI",
    "encodeURIComponent", "isFinite", "isNaN", "parseFloat", "parseInt", "structuredClone",
];

#[rustfmt::skip]
const STATIC: &[(&str, &[&str])] = &[
    ("Array", &["from", "fromAsync", "isArray", "of"]),
    ("Date", &["UTC", "now", "parse"]),
    ("JSON", &["parse", "stringify"]),
    ("Math", &[
        "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "clz32", "cos", "cosh", "exp", "expm1", "floor",
        "fround", "hypot", "imul", "log", "log10", "log1p", "log2", "max", "min", "pow", "random", "round", "sign", "sin", "sinh", "sqrt",
        "tan", "tanh", "trunc",
    ]),
    ("Number", &["isFinite", "isInteger", "isNaN", "isSafeInteger", "parseFloat", "parseInt"]),
    ("Object", &[
        "assign", "create", "defineProperties", "defineProperty", "entries", "freeze", "fromEntries", "getOwnPropertyDescriptor",
        "getOwnPropertyDescriptors", "getOwnPropertyNames", "getOwnPropertySymbols", "getPrototypeOf", "groupBy", "hasOwn", "is", "keys",
        "preventExtensions", "seal", "setPrototypeOf", "values",
    ]),
    ("Promise", &["all", "allSettled", "any", "race", "reject", "resolve", "try", "withResolvers"]),
    ("Reflect", &["apply", "construct", "defineProperty", "deleteProperty", "get", "has", "ownKeys", "set", "setPrototypeOf"]),
    ("String", &["fromCharCode", "fromCodePoint", "raw"]),
    ("Symbol", &["for", "keyFor"]),
];

#[rustfmt::skip]
const STRING: &[&str] = &[
    "at", "charAt", "charCodeAt", "codePointAt", "concat", "endsWith", "includes", "indexOf", "isWellFormed", "lastIndexOf",
    "localeCompare", "match", "matchAll", "normalize", "padEnd", "padStart", "repeat", "replace", "replaceAll", "search", "slice", "split",
    "startsWith", "substr", "substring", "toLocaleLowerCase", "toLocaleUpperCase", "toLowerCase", "toUpperCase", "toWellFormed", "trim",
    "trimEnd", "trimStart",
];

const MAP: &[&str] = &["clear", "delete", "entries", "forEach", "get", "has", "keys", "set", "values"];

#[rustfmt::skip]
const SET: &[&str] = &[
    "add", "clear", "delete", "difference", "entries", "forEach", "has", "intersection", "isDisjointFrom", "isSubsetOf", "isSupersetOf",
    "keys", "symmetricDifference", "union", "values",
];
