//! Objects: what they hold, what they inherit, and what becomes of what is written to them.

use super::{Datum, PropertyKey};
use crate::{BuiltinOp, ObjectClass, ObjectId};

pub trait ObjectModel {
    /// What objects of a class of the trace are like in this language.
    fn class_traits(&self, class: ObjectClass) -> ClassTraits;

    /// The key under which a list has its length.
    fn length_key(&self) -> Option<&'static str>;

    /// The key under which what has entries has the number of them.
    fn size_key(&self) -> Option<&'static str> {
        None
    }

    /// The place of the element that a key names, counted from 0.
    fn element_at(&self, key: &str) -> Option<u32>;

    /// The key of the element at a place, counted from 0.
    fn element_key(&self, place: u32) -> String;

    /// Whether keys that name elements stand before all others, the lowest first, whenever they came.
    fn elements_stand_first(&self) -> bool {
        false
    }

    /// Whether a literal is that of a list.
    fn is_list_literal(&self, text: &str) -> bool;

    /// The key that leads from an object to the one that it inherits from.
    fn prototype_key(&self) -> Option<&'static str> {
        None
    }

    /// What an object inherits from that a look showed like this.
    fn prototype_by_look(&self, _class: ObjectClass, prototype: Option<ObjectId>, _has_name: bool) -> Prototype {
        prototype.map_or(Prototype::None, Prototype::Object)
    }

    /// What a literal inherits from.
    fn prototype_of_literal(&self) -> Prototype {
        Prototype::None
    }

    /// Whether what is built in has something under a key that an object inherits. `described` is what a symbol calls itself.
    fn is_built_in(&self, _key: &PropertyKey, _described: Option<&str>, _is_list: bool) -> bool {
        false
    }

    /// What the symbol calls itself under which objects of a class of the runtime hold what a getter of them gives.
    fn symbol_behind(&self, _class: &str, _key: &str) -> Option<&'static str> {
        None
    }

    /// The name of something built in that a program calls: `Array.map`. `None` if there is nothing of this name.
    fn name_of_built_in(&self, _owner: BuiltInOwner, _name: &str) -> Option<String> {
        None
    }

    /// The key under which an object has, or inherits, the function that made it.
    fn constructor_key(&self) -> Option<&'static str> {
        None
    }

    /// The key under which a function has what the objects that it makes inherit from.
    fn made_prototype_key(&self) -> Option<&'static str> {
        None
    }

    /// Whether every function has something under a key from the start.
    fn is_of_every_function(&self, _key: &str) -> bool {
        false
    }

    /// Whether a name is that of something which only the code of its class can reach.
    fn is_private(&self, _name: &str) -> bool {
        false
    }

    /// What is left of a value in an element of what shares its memory; `class` is what the object calls its class.
    fn stored_in_memory(&self, _class: Option<&str>, value: &Datum) -> Datum {
        value.clone()
    }

    /// Whether a source may have an object refuse assignments, or take them with code of its own that is no accessor by its syntax.
    fn may_restrict(&self, _source: &str) -> bool {
        false
    }

    /// Whether something that was done to an object ends that an element of it is a parameter as well.
    fn parts_parameter(&self, _operation: BuiltinOp) -> bool {
        false
    }

    /// Whether a function of this name is the accessor that gives what an object has under a key; `before` is the text before it.
    fn is_getter_of(&self, _function: &str, _key: &str, _before: &str) -> bool {
        false
    }
}

/// What something built in is asked of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuiltInOwner<'n> {
    /// It is a global function.
    Nothing,
    /// What every program finds under a name.
    Global(&'n str),
    Text,
    Object(ObjectClass),
}

/// What objects of a class are like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassTraits {
    pub look: LookTakes,
    pub has_length: bool,
    /// Its elements do not become more: what is written behind them is a member like others.
    pub is_of_fixed_length: bool,
    /// Its elements may be parameters of a call as well.
    pub has_parameters: bool,
    /// It has the number of its entries under [`ObjectModel::size_key`].
    pub has_size: bool,
    /// Its elements are numbers in memory, which others may show and write as well.
    pub is_memory: bool,
    /// It passes on what is done to it.
    pub passes_on: bool,
    /// What it holds is not for the program to see.
    pub is_opaque: bool,
}

impl ClassTraits {
    /// Members under names, and nothing else.
    pub const MEMBERS: ClassTraits = ClassTraits {
        look: LookTakes::Members,
        has_length: false,
        is_of_fixed_length: false,
        has_parameters: false,
        has_size: false,
        is_memory: false,
        passes_on: false,
        is_opaque: false,
    };

    /// A list that grows.
    pub const LIST: ClassTraits = ClassTraits { look: LookTakes::Elements, has_length: true, ..ClassTraits::MEMBERS };

    /// Something that a look does not take apart.
    pub const CLOSED: ClassTraits = ClassTraits { look: LookTakes::Nothing, ..ClassTraits::MEMBERS };
}

/// Which keys of an object the recorder takes when it looks at it; entries it takes always.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LookTakes {
    Members,
    Elements,
    Nothing,
}

/// Where an object inherits from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prototype {
    Object(ObjectId),
    /// What the language has built in for literals.
    BuiltIn,
    None,
    Unknown,
}
