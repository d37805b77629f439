//! Whether a question has the same answer from a full recording and by re-execution with only the hooks that it needs.
//!
//! A program is recorded in full once and asked; then each question is asked again by running the program, as a person would who
//! never recorded it. A question at the answer of another is asked at that answer: of the sparse run that gave it, or of the full
//! recording. What is compared is what both must know: the kind of answer, the points (file, line, column, function, hit) and the
//! values (of objects only that they are objects: a sparse run does not record what they hold).

mod choose;
mod compare;
mod question;
mod reply;
mod report;
mod specs;

pub use choose::chosen;
pub use compare::{Program, compare};
pub use question::{Asks, At, Question};
pub use reply::{Reply, ask};
pub use report::{Comparison, Effort, Report};
pub use specs::{names, program};
