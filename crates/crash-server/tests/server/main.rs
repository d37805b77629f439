//! The server as its clients meet it.

mod growing;
mod pages;
mod refusals;
mod support;
