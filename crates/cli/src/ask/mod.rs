//! Questions: reads them, has them answered, prints the answers.

mod asking;
mod calls;
mod change;
mod condition;
mod eval;
mod excerpt;
mod experiments;
mod find;
mod history;
pub mod json;
mod omissions;
mod page;
mod sarif;
mod state;
mod svg;
mod tally;
mod trying;
mod why;

pub use asking::{AnswerFormat, Asking, print, print_json};
pub use calls::{CallsArgs, calls};
pub use change::{LastChangeArgs, last_change};
pub use condition::{LastConditionArgs, last_condition};
pub use eval::{EvalArgs, eval};
pub use find::{FindArgs, find};
pub use history::{HistoryArgs, history};
pub use omissions::{OmissionsArgs, WhyNotArgs, omissions, why_not};
pub use page::{Ink, escaped};
pub use state::{StateArgs, state};
pub use trying::{TryArgs, try_out};
pub use why::{WhyArgs, why};
