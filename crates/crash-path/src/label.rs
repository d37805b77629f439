use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use trace_model::{FunctionKey, SiteKind};

/// A function of the program. Two are the same if file and key are: where it stands may change from release to release.
#[derive(Clone, Debug)]
pub struct FunctionRef {
    /// A name that the file has wherever the program is installed: the name of its package and the path inside it, or the path from
    /// the root of the program.
    pub file: String,
    pub key: FunctionKey,
    /// Where the function begins, as people count.
    pub line: u32,
    pub column: u32,
}

/// A place in a function.
#[derive(Clone, Debug)]
pub struct SiteRef {
    pub function: FunctionRef,
    /// `None` for a bare position, as a stack has it.
    pub within: Option<SiteWithin>,
    pub line: u32,
    pub column: u32,
}

/// A site, in the numbering of its function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SiteWithin {
    pub kind: SiteKind,
    /// Which of the sites of this kind in the function, from 0.
    pub nth: u32,
}

/// What a call led to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    Program(FunctionRef),
    /// Native code, Node's own, or code that is never recorded.
    Foreign,
    /// A function of which nobody could tell which it was.
    Unknown,
}

/// One step of a path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// The object of interest was born.
    Start {
        site: SiteRef,
    },
    /// A condition was decided.
    Branch {
        site: SiteRef,
        taken: bool,
    },
    Call {
        site: SiteRef,
        callee: Callee,
    },
    /// `caller` is told where it was not recorded, so that the call itself is missing.
    Enter {
        function: FunctionRef,
        caller: Option<FunctionRef>,
    },
    /// `caller` as above: a function that was entered before the birth has no other label that could tell.
    Exit {
        function: FunctionRef,
        caller: Option<FunctionRef>,
    },
    /// Control is back behind a call.
    Return {
        site: SiteRef,
    },
    /// A property of the object of interest was written or removed.
    Write {
        site: SiteRef,
    },
    /// The event loop began something new. The next `Enter` is the callback that was registered there.
    Task {
        registered_at: Option<SiteRef>,
    },
    Crash {
        site: SiteRef,
    },
}

impl Label {
    /// The function in which it happened; none for a task, which belongs to nobody.
    pub fn function(&self) -> Option<&FunctionRef> {
        match self {
            Label::Enter { function, .. } | Label::Exit { function, .. } => Some(function),
            Label::Task { .. } => None,
            _ => self.site().map(|site| &site.function),
        }
    }

    /// The site in which it happened.
    pub fn site(&self) -> Option<&SiteRef> {
        match self {
            Label::Start { site }
            | Label::Branch { site, .. }
            | Label::Call { site, .. }
            | Label::Return { site }
            | Label::Write { site }
            | Label::Crash { site } => Some(site),
            Label::Enter { .. } | Label::Exit { .. } | Label::Task { .. } => None,
        }
    }
}

impl SiteRef {
    /// Where it stands from the beginning of its function, which another release may have moved: lines, then the column.
    fn offset(&self) -> (i64, i64) {
        let line = self.line_in_function();
        let from = if line == 0 { i64::from(self.function.column) } else { 0 };
        (line, i64::from(self.column) - from)
    }

    /// The line, from the beginning of its function.
    pub(crate) fn line_in_function(&self) -> i64 {
        i64::from(self.line) - i64::from(self.function.line)
    }
}

impl FunctionRef {
    fn identity(&self) -> (&str, FunctionKey) {
        (&self.file, self.key)
    }
}

impl PartialEq for FunctionRef {
    fn eq(&self, other: &FunctionRef) -> bool {
        // Keys differ more often than files.
        self.key == other.key && self.file == other.file
    }
}

impl Eq for FunctionRef {}

impl PartialOrd for FunctionRef {
    fn partial_cmp(&self, other: &FunctionRef) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for FunctionRef {
    fn cmp(&self, other: &FunctionRef) -> Ordering {
        self.identity().cmp(&other.identity())
    }
}

impl Hash for FunctionRef {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

/// A bare position is the same as a site that stands there.
impl PartialEq for SiteRef {
    fn eq(&self, other: &SiteRef) -> bool {
        self.function == other.function
            && match (self.within, other.within) {
                (Some(here), Some(there)) => here == there,
                _ => self.offset() == other.offset(),
            }
    }
}

impl Eq for SiteRef {}

// What is equal must have equal hashes, and a bare position is equal to some site: so only the function counts.
impl Hash for SiteRef {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.hash(state);
    }
}
