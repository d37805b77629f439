//! Crash paths, and how the instrumentation grows that finds them.
//!
//! # What a crash path is
//!
//! A program crashed because an object was not what it should be. The *crash path* is what control did between the birth of that
//! object and the crash: `Start` where it was born, then every branch, call, entry, exit and return, and `Crash`. It comes from
//! "Feedback-Directed Instrumentation for Deployed JavaScript Applications" (Madsen, Tip, Andreasen, Sen, Møller; ICSE 2016). A
//! path that lacks its beginning is *partial*: the function in which the object was born was not recorded yet.
//!
//! Recording everything would be too dear in production. So only some functions are recorded, each crash shows where the path has
//! holes, and the next run records more. The paper's Figure 8:
//!
//! ```text
//! path ← Crash(s)                                  recorded ← { function of s }
//! repeat
//!     for each Call(s, f) on the path:             recorded ← recorded ∪ { f }           the callee
//!     for each Enter(f) called by c on the path:   recorded ← recorded ∪ { c }           the caller
//!     run the program until it crashes on a path that matches: that is the new path
//! until the path begins with Start, and every Call has its Enter
//! ```
//!
//! Two crashes are the same if the shorter path comes from the longer one by removing labels that do not occur in it
//! ([`matches`]).
//!
//! # What we do beyond the paper, and why it is right
//!
//! - **The stack tells all callers at once** ([`Path::stack`]). The paper asks for one caller with each crash. An uncaught
//!   exception has the whole stack, so all of its functions are recorded from the second run on.
//! - **The birth is looked for first, and along the reference.** The paper grows breadth-first from everything on the path, and most
//!   of what is recorded then happened before the object existed. Whoever reads the events knows how the object came to the crash: as
//!   an argument, as the result of a call, out of a property. It names the functions that can tell more ([`Path::wanted`]), and
//!   while there are any, only these are added. Nothing is lost by it: where there is none left and the birth is still not known,
//!   the paper's rule applies.
//! - **What a hole surely calls is recorded with it**, where a name leads to one function alone: without that, each crash would show one
//!   level of calls more. What was not called after all is dropped with the next crash.
//! - **Calls count from the birth on.** Once the path begins with `Start`, only holes behind it are filled. What was called
//!   before is not part of the path by its definition.
//! - **What turned out not to lie on the path is dropped** ([`Grown`]). A function without a label between birth and crash tells
//!   nothing about this path, so leaving it out changes no label of it. In another execution the path may lead there after all:
//!   then it is found missing again, is added again, and stays. So each function is added twice at most, and growing ends. What
//!   showed where the object came from stays as long as the search goes on, as without it nobody would know which object it is.
//! - **A copy leads to its original.** A collection that was filled from another one in one go is wrong where that one was, and the
//!   defect is older than its birth. So the path begins with what it was made from (`query/src/path_to_crash/copies.rs`).
//! - **Listeners** (section 3.4): a frame that starts a task says where its callback was registered ([`Label::Task`]), and the
//!   function that registered it is recorded, as the caller would be.
//! - **Loops are folded** ([`fold`]), for people, and before two paths are compared: how often a loop ran depends on the data of
//!   one user, and is no sign of another bug.
//!
//! # Names
//!
//! Paths leave the host on which they were recorded. They hold no value and no text of the program: functions and sites are named
//! by keys that follow from the source ([`trace_model::FunctionKey`]), so a function that a release did not touch keeps its name.
//! Where it stands is for people and for source maps; it makes no difference to whether two are the same.

mod folding;
mod growth;
mod label;
mod matching;
mod path;

pub use folding::{Folded, fold};
pub use growth::{Grown, Outcome, grow, outcome};
pub use label::{Callee, FunctionRef, Label, SiteRef, SiteWithin};
pub use matching::{matches, tell_the_same};
pub use path::{Path, is_complete};
