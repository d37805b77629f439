//! What instrumented texts do.

mod identity;
mod interventions;
