//! The server as its clients meet it.

mod growing;
mod refusals;
mod support;
