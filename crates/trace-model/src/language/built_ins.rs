use std::borrow::Cow;

use crate::{Datum, Member, ObjectClass, ObjectId};

/// Why something cannot be told.
pub type Unknown = Cow<'static, str>;

/// What is called.
#[derive(Clone, Copy, Debug)]
pub enum Callee<'c> {
    /// `String(x)`, `Object.keys(x)`: a function that every program finds there, or one of a namespace.
    Function { namespace: Option<&'c str>, name: &'c str },
    /// `text.trim()`
    Method { receiver: &'c Datum, name: &'c str },
}

/// The built-ins of a language that only read: what a call of one gives follows from values, and nothing is run for it.
pub trait BuiltIns {
    /// Whether a name is that of an object whose members are built-ins: `Math`.
    fn is_namespace(&self, _name: &str) -> bool {
        false
    }

    /// Whether a function of this name, in a namespace or not, is one of them.
    fn only_reads(&self, _namespace: Option<&str>, _name: &str) -> bool {
        false
    }

    /// A member of a namespace that is no function: `Math.PI`.
    fn constant_of(&self, _namespace: &str, _name: &str) -> Option<Datum> {
        None
    }

    /// What a call gives, or why that cannot be told. Of a function among what is given there is `undefined`.
    fn call(&self, _callee: Callee, _given: &[Datum], _reading: &dyn Reading) -> Result<Datum, Unknown> {
        Err("built-ins are not interpreted in this language".into())
    }
}

/// Whose what an object has under the name of a method is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MethodOf {
    Program,
    /// A prototype of the language has it, if anything has.
    Language,
    /// There is no prototype that could have it.
    Nobody,
}

/// What a built-in reads, at a moment: all of it, or it is said why not.
pub trait Reading {
    /// What iterating gives.
    fn iterated(&self, of: &Datum) -> Result<Vec<Datum>, Unknown>;

    /// The elements of a list none of which is missing.
    fn elements(&self, of: &Datum) -> Result<Vec<Datum>, Unknown>;

    /// What can be enumerated of what an object itself has. Values that were not recorded are among them.
    fn own_values(&self, of: &Datum) -> Result<Vec<(String, Datum)>, Unknown>;

    fn class(&self, object: ObjectId) -> Option<ObjectClass>;

    /// Whose a method of an object is.
    fn method(&self, object: ObjectId, name: &str) -> Result<MethodOf, Unknown>;

    fn own_member(&self, object: ObjectId, name: &str) -> Member;

    /// What a Date or boxed primitive stands for.
    fn stands_for(&self, object: ObjectId) -> Option<Datum>;

    /// Which of what is given is a function.
    fn function_place(&self) -> Option<usize>;

    /// Whether a function is among what is given.
    fn has_function(&self) -> bool {
        self.function_place().is_some()
    }

    /// Calls that function.
    fn call(&self, given: &[Datum]) -> Result<Datum, Unknown>;
}
