//! Reading runs that are made by hand.

mod common;
mod reading;
mod stack;
