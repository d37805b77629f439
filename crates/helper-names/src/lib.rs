//! The names that instrumented JavaScript calls, written here and nowhere else.
//!
//! The instrumenter puts them into the program's text, the front end into what it lowers. `cargo xtask build` makes the same
//! names available to the JavaScript of `packages/runtime`. A test (`crates/xtask/tests/contract.rs`) fails where one of them is
//! written out elsewhere.

mod decorators;

pub use decorators::*;

/// What all of our names begin with. A program that uses such names is not recorded.
pub const PREFIX: &str = "$w_";

/// A function or constant that instrumented code uses.
pub struct Helper {
    /// As JavaScript writes it behind `HELPER.`.
    pub constant: &'static str,
    /// With the prefix.
    pub name: &'static str,
    /// As the README of `packages/runtime` names them.
    pub parameters: Option<&'static str>,
}

impl Helper {
    /// Without the prefix.
    pub fn short_name(&self) -> &'static str {
        &self.name[PREFIX.len()..]
    }
}

macro_rules! helpers {
    ($table:ident: $($(#[$doc:meta])* $constant:ident = $name:literal $(, $parameters:literal)?;)*) => {
        $($(#[$doc])* pub const $constant: &str = concat!("$w_", $name);)*
        pub const $table: &[$crate::Helper] = &[$($crate::Helper {
            constant: stringify!($constant),
            name: $constant,
            parameters: helpers!(@parameters $($parameters)?),
        }),*];
    };
    (@parameters $parameters:literal) => { Some($parameters) };
    (@parameters) => { None };
}
pub(crate) use helpers;

helpers! { RECORDING:
    /// A function is entered.
    ENTER = "E", "S,p";
    /// A block scope is entered, once for each time round.
    SCOPE = "S", "S";
    /// Any value.
    VALUE = "v", "S,v";
    /// A number, mostly.
    NUMBER = "d", "S,v";
    /// A small integer, mostly.
    INTEGER = "u", "S,v";
    /// The literal that the site names.
    LITERAL = "c", "S,v";
    /// `this` at entry.
    RECEIVER = "t", "S,v,n";
    /// The birth of a function.
    FUNCTION = "n", "S,v";
    /// The birth of a class.
    CLASS = "K", "S,v";
    /// A value whose number was asked for in place.
    NUMBERED = "p", "S,v,n";
    /// As `VALUE`, and checks the room.
    LOOP_VALUE = "i", "S,v";
    /// The truth of a condition.
    TRUTH = "b", "S,v";
    /// As `TRUTH`, and checks the room.
    LOOP_TRUTH = "l", "S,v";
    /// Whether something is neither null nor undefined.
    PRESENCE = "h", "S,v";
    /// Control came here.
    MARK = "m", "S";
    /// The result of a call.
    RESULT = "R", "S,_,v";
    /// A property was written under a key that the site names.
    PUT = "P", "S,o,n,v";
    /// As `PUT`, for a number.
    PUT_NUMBER = "B", "S,o,n,v";
    /// As `PUT`, for a literal.
    PUT_LITERAL = "C", "S,o,n,v";
    /// As `PUT`, for a value whose number was asked for in place.
    PUT_NUMBERED = "U", "S,o,n,v,m";
    /// A property was written under a computed key.
    PUT_COMPUTED = "Q", "S,o,n,v,k,m";
    /// As `PUT`, before the write.
    BEFORE_PUT = "F", "S,o,n,v";
    /// As `PUT_COMPUTED`, before the write.
    BEFORE_PUT_COMPUTED = "H", "S,o,n,v,k";
    /// As `BEFORE_PUT_COMPUTED`, where the target was found by `READ_AGAIN`.
    BEFORE_PUT_READ_AGAIN = "X", "S,o,k,v";
    /// What a member holds, read without running anything.
    READ_AGAIN = "Y", "o,k";
    /// As `PUT`, with the value first.
    PUT_VALUE_FIRST = "D", "S,v,o,n";
    /// As `PUT_COMPUTED`, with the value first.
    PUT_COMPUTED_VALUE_FIRST = "G", "S,v,o,n,k";
    /// A pattern wrote a property.
    PUT_BY_PATTERN = "W", "S,o,k";
    /// An object literal with plain keys.
    OBJECT_LITERAL = "o", "S,o";
    /// An array literal without spread.
    ARRAY_LITERAL = "y", "S,a";
    /// Any other literal.
    OTHER_LITERAL = "z", "S,o";
    /// The arguments object.
    ARGUMENTS = "A", "S,a";
    /// A value, and the frame that goes on with it.
    FRAME_VALUE = "k", "S,f,v";
    /// The frame that goes on.
    FRAME_MARK = "j", "S,f";
    /// As `FRAME_MARK`, spread among the arguments of a call that has none.
    FRAME_MARK_SPREAD = "e", "S,f";
    /// Records nothing, and gives its first argument.
    GIVE_FIRST = "a", "v,…";
    /// Records nothing, and gives its second argument.
    GIVE_SECOND = "r", "_,v";
    /// An object is about to get a field whose key nobody knows.
    LOOK_AGAIN = "w", "o,v";
    /// An object is about to be written to, in a run that does not record everything.
    MEET = "L", "S,o,n";
    /// A constructor begins, in such a run.
    MEET_NEWBORN = "J", "S,o,c";
    /// An object is about to be written to under a computed key, in such a run.
    MEET_FOR_KEY = "N", "o,k";
    /// As `PUT_COMPUTED`, if the key is needed.
    PUT_IF_NEEDED = "M", "S,o,v,k";
    /// As `PUT_COMPUTED_VALUE_FIRST`, if the key is needed.
    PUT_VALUE_FIRST_IF_NEEDED = "O", "S,v,o,k";
    /// As `PUT_BY_PATTERN`, if the key is needed.
    PUT_BY_PATTERN_IF_NEEDED = "V", "S,o,k";
    /// Checks the room.
    ROOM = "g", "";
    /// The instrumented text of a direct eval.
    EVAL_TEXT = "x", "e,s";
}

helpers! { AROUND:
    /// Gives what stands for the number of a site at which the program is to stop.
    STOP = "Z", "i";
    /// The private symbol under which objects carry their number.
    STAMP = "I";
    /// An array for temporaries where no local can be declared.
    TEMPORARIES = "T";
    /// Around the one place that is different in an experiment.
    EXPERIMENT = "exp", "v,other";
    /// Runs the text of `node -e`.
    MAIN = "main", "main";
    /// Through which a realm is given the helpers.
    GATE = "gate";
    /// The helpers of a bare realm.
    PRELUDE = "prelude";
}

/// All of them.
pub fn all() -> impl Iterator<Item = &'static Helper> {
    RECORDING.iter().chain(AROUND).chain(DECORATORS)
}

/// Variables that the instrumenter declares; a number follows the first three.
pub const FRAME_VARIABLE: &str = "$w_f";
pub const SCOPE_VARIABLE: &str = "$w_s";
pub const TEMPORARY: &str = PREFIX;
/// Is declared for its initialiser alone.
pub const UNUSED_VARIABLE: &str = "$w_q";

/// A function or class whose text was changed carries a comment that begins like this, right behind the brace that opens its body.
pub const MARK_OPENING: &str = "/*@w";
