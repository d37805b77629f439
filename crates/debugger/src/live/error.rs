use crate::{Error, Recorded};

/// Why nothing came of it; a sentence for the user.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    #[error(transparent)]
    Run(#[from] Error),
    #[error("the point was not reached in this run: it is hit {hit}, and {}", hits_there_were(*.n_hits))]
    NotReached { hit: u32, n_hits: u64, recorded: Box<Recorded> },
    #[error("{expression} was not evaluated, as it would change something")]
    SideEffect { expression: String },
    #[error("{expression} threw {message}")]
    Threw { expression: String, message: String },
    #[error("the point was somewhere else in each of {n_runs} runs: the program behaves differently each time")]
    Moved { n_runs: u32 },
    #[error("the point was reached, but {why}")]
    Failed { why: String },
}

fn hits_there_were(n_hits: u64) -> String {
    match n_hits {
        0 => "it was never hit".into(),
        1 => "it was hit once".into(),
        n => format!("it was hit {n} times"),
    }
}
