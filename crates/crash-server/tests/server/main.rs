//! The server as its clients meet it.

mod attacked;
mod growing;
mod operating;
mod pages;
mod refusals;
mod support;
mod webhook;
