mod dap;
mod import;
mod mcp;
mod plain;
mod questions;
mod readers;
mod reports;
mod run;
mod source_maps;

pub use plain::{files, plain};
pub use readers::READERS;

/// A place where bytes come in from outside.
pub struct Target {
    pub name: &'static str,
    /// Must end soon, in bounded memory, without a panic, whatever the bytes are.
    pub run: fn(&[u8]),
}

pub const TARGETS: &[Target] = &[
    Target { name: "import", run: import::import },
    Target { name: "run", run: run::run },
    Target { name: "readers", run: readers::readers },
    Target { name: "points", run: questions::points },
    Target { name: "expressions", run: questions::expressions },
    Target { name: "questions", run: questions::questions },
    Target { name: "dap", run: dap::dap },
    Target { name: "mcp", run: mcp::mcp },
    Target { name: "reports", run: reports::reports },
    Target { name: "source-maps", run: source_maps::source_maps },
];
