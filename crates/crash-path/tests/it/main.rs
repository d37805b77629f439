//! Paths as the paper describes them.

mod figure_7;
mod properties;
