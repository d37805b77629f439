use crate::{FunctionIndex, LocalSite, NameIndex, VariableIndex};

/// Byte offsets into the original source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

/// Line and column as people count them, from 1; columns in UTF-16 units as V8 counts them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// A place in the source that can emit an event, or that the reader needs to know (`Function`, `Class`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    pub kind: SiteKind,
    pub span: Span,
    /// The function whose code this is.
    pub function: FunctionIndex,
    /// Variable or key that the site concerns; the keys of an object literal; nothing for most.
    pub names: Vec<NameIndex>,
    /// For `ArrayLiteral` the number of elements; for a value that is a function literal at this very place, 1 + its function;
    /// [`Site::READ_AGAIN`].
    pub extra: u32,
    /// The variable that the site writes, if the source declares it: of `Var`, `Param`, `Catch` and their like.
    pub variable: Option<VariableIndex>,
}

impl Site {
    /// Of a write whose object was found by reading its text again. Where that would have run code of the program, its events
    /// have no object: some object was written.
    pub const READ_AGAIN: u32 = u32::MAX;

    /// The function that the value is, where it is a function literal.
    pub fn literal_function(&self) -> Option<FunctionIndex> {
        let has_function = self.kind != SiteKind::ArrayLiteral && self.extra != Site::READ_AGAIN;
        self.extra.checked_sub(1).filter(|_| has_function).map(FunctionIndex)
    }

    /// The literal that the value is, in the words of the source, where an event of this site has none of its own.
    pub fn literal(&self) -> Option<NameIndex> {
        match self.kind {
            SiteKind::Var | SiteKind::Put => self.names.get(1).copied(),
            SiteKind::Return => self.names.first().copied(),
            _ => None,
        }
    }
}

macro_rules! site_kinds {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum SiteKind { $($(#[$doc])* $name),* }
        impl SiteKind {
            /// In the order of their numbers in a site table. New kinds go to the end.
            pub const ALL: &'static [SiteKind] = &[$(SiteKind::$name),*];
            pub fn name(self) -> &'static str {
                match self { $(SiteKind::$name => stringify!($name)),* }
            }
        }
    };
}

site_kinds! {
    /// Not an event: the text of a function that carries our mark.
    Function,
    /// Not an event: the text of a class that carries our mark.
    Class,
    Enter,
    /// A block scope, one for each time it is entered, where closures capture its bindings.
    Scope,
    Exit,
    This,
    Param,
    /// The `arguments` object at entry.
    Arguments,
    /// A variable was written; the value is the new one.
    Var,
    /// `x++` and `x--`; the value is the old one, converted to a number.
    VarIncrement,
    VarDecrement,
    /// A property with a key known from the source was written; the value is the new one.
    Put,
    PutIncrement,
    PutDecrement,
    PutComputed,
    PutComputedIncrement,
    PutComputedDecrement,
    /// A class field was initialised.
    Field,
    /// The value is the result of `delete`.
    Delete,
    DeleteComputed,
    ObjectLiteral,
    ArrayLiteral,
    /// A literal whose contents follow as a look.
    Literal,
    FunctionBirth,
    ClassBirth,
    Branch,
    Loop,
    /// Of `??`, `?.`, `??=`: true where the left side was there.
    Nullish,
    /// Control reached this case of a switch.
    Case,
    Discriminant,
    /// A default value was used, or the right side of a logical assignment.
    Default,
    Call,
    Result,
    Argument,
    Return,
    Throw,
    Catch,
    Finally,
    FinallyEnd,
    /// `await` or `yield` gives this value away and suspends the frame.
    Suspend,
    Resume,
    /// A resume that could only be noted after the call that is made on its value.
    LateResume,
    /// A variable of a loop's head (`for (let i = …)`) is carried into the instance of the next time round: the value is the one
    /// that it had in the instance before, and is no change.
    Carry,
}

/// What follows the value of an event, by the kind of its site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    None,
    ParentScope,
    Frame,
    Object,
    ObjectAndKey,
    /// One value for each key of the site.
    Keys,
    /// One value for each element of the site.
    Elements,
}

impl SiteKind {
    /// Whether its events take a property from an object, or try to.
    pub fn deletes(self) -> bool {
        matches!(self, SiteKind::Delete | SiteKind::DeleteComputed)
    }

    pub fn tail(self) -> Tail {
        use SiteKind::*;
        match self {
            Enter => Tail::ParentScope,
            Put | PutIncrement | PutDecrement | Field | Delete => Tail::Object,
            PutComputed | PutComputedIncrement | PutComputedDecrement | DeleteComputed => Tail::ObjectAndKey,
            ObjectLiteral => Tail::Keys,
            ArrayLiteral => Tail::Elements,
            Catch | Finally | Resume | LateResume => Tail::Frame,
            _ => Tail::None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionKind {
    /// The top level of a file.
    Module,
    Plain,
    Arrow,
    Method,
    Getter,
    Setter,
    Constructor,
    /// Initialisers of class fields and of parameters, and static blocks.
    ClassInit,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    pub kind: FunctionKind,
    /// As a stack trace would name it; empty for an anonymous one.
    pub name: NameIndex,
    pub span: Span,
    pub parent: Option<FunctionIndex>,
    pub is_async: bool,
    pub is_generator: bool,
    /// Whether every way out of the function, exceptions included, emits `Exit`.
    pub exact_exit: bool,
    /// Whether the function was instrumented at all.
    pub recorded: bool,
}

impl Function {
    /// Whether it is an initialiser, which nobody calls: it runs on the way into a function, or when an object is made.
    pub fn is_initialiser(&self) -> bool {
        self.kind == FunctionKind::ClassInit && !self.exact_exit
    }
}

/// A variable that the source declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub name: NameIndex,
    pub owner: Owner,
    pub kind: VariableKind,
    /// Where its name stands in its declaration.
    pub span: Span,
}

/// What a variable lives in: each frame, or each instance of a block scope, has its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The frames of this function. Variables of blocks that no closure captures count as the function's.
    Function(FunctionIndex),
    /// The instances that the `Scope` site numbers.
    Block(LocalSite),
    /// The global object or the global scope: top level of a script, or whatever an eval declares.
    Global,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableKind {
    Var,
    Let,
    Const,
    Function,
    Class,
    Parameter,
    Catch,
    /// Of an ES module: the value lives in another module.
    Import,
}

/// Everything that is known about one piece of instrumented code. Function 0 is its top level.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SiteTable {
    pub functions: Vec<Function>,
    pub sites: Vec<Site>,
    pub names: Vec<String>,
    pub variables: Vec<Variable>,
    /// Constructs that run as they are, and are therefore not captured: where, and why.
    pub not_captured: Vec<(Span, NameIndex)>,
    /// Nothing in runs that do not keep it.
    pub made: Option<Making>,
}

/// How a site table was made. Who makes it in the same way again gets the same sites.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Making {
    /// Of the instrumenter.
    pub version: u32,
    /// What of the source is more than its language, and how it was understood, in the words of the front end; empty: nothing.
    pub dialect: String,
}

impl SiteTable {
    pub fn site(&self, site: LocalSite) -> &Site {
        &self.sites[site.0 as usize]
    }

    pub fn name(&self, name: NameIndex) -> &str {
        &self.names[name.0 as usize]
    }

    pub fn variable(&self, variable: VariableIndex) -> &Variable {
        &self.variables[variable.0 as usize]
    }

    pub fn function(&self, function: FunctionIndex) -> &Function {
        &self.functions[function.0 as usize]
    }
}
