//! The files that a recording needs, put where the runtime looks for them.

use std::fs;

use anyhow::{Context, Result};

use crate::{paths, process};

pub fn build() -> Result<()> {
    process::run(process::command(".", "cargo").args([
        "build",
        "--release",
        "--package",
        "cli",
        "--package",
        "node-addon",
    ]))?;
    let runtime = paths::root().join("packages/runtime");
    replace(&runtime.join("wherefore.node"), &fs::read(paths::release().join("libnode_addon.so"))?)?;
    let prelude = process::output(process::command("packages/runtime", "node").arg("make-prelude.js"))?;
    replace(&runtime.join("prelude.generated.js"), &prelude)?;
    let shown = process::output(process::command(".", paths::wherefore()).args(["instrument", "--prelude"]))?;
    replace(&paths::prelude(), &shown)
}

/// The programs that try the query engine.
pub fn build_trials() -> Result<()> {
    process::run(process::command(".", "cargo").args(["build", "--release", "--package", "trials"]))
}

/// A program that runs at this moment keeps the old file; a new one gets the whole new file.
fn replace(path: &std::path::Path, contents: &[u8]) -> Result<()> {
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    fs::write(&temporary, contents)
        .and_then(|()| fs::rename(&temporary, path))
        .with_context(|| format!("cannot write {}", path.display()))
}
