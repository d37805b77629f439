//! The command line as people use it. One program, so that it is linked once.

mod asking;
mod binary;
mod book;
mod changed;
mod ci;
mod client;
mod closed;
mod damaged;
mod dap;
mod experimenting;
mod huge;
mod indexing;
mod judge_tables;
mod judging;
mod mcp;
mod private;
mod readme;
mod recording;
mod sharing;
mod shell;
mod starts;
mod support;
mod transcripts;
mod typescript;
mod waiting;
