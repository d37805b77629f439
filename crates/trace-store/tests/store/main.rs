//! Reading runs that are made by hand.

mod asked;
mod common;
mod language;
mod oracle;
mod program;
mod reading;
mod stack;
