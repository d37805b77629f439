//! Reading runs that are made by hand.

mod asked;
mod common;
mod oracle;
mod program;
mod reading;
mod stack;
