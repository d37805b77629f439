//! The files that a recording needs, put where the runtime looks for them.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use anyhow::{Context, Result};

use crate::paths::Profile;
use crate::{contract, page, paths, process};

pub fn build() -> Result<()> {
    page::build()?;
    cargo_build(&["cli", "collect", "node-addon", "crash-report"])?;
    build_library()?;
    put_runtime()?;
    let shown = process::output(process::command(".", paths::wherefore()).args(["instrument", "--prelude"]))?;
    replace(&paths::prelude(), &shown)
}

/// Only what runs inside recorded programs; the command line stays as it is.
pub fn build_runtime() -> Result<()> {
    cargo_build(&["node-addon", "crash-report"])?;
    build_library()?;
    put_runtime()
}

/// The programs that try the query engine.
pub fn build_trials() -> Result<()> {
    cargo_build(&["trials"])
}

/// With the dev profile everything is built at once: cargo unites the features of what it is asked for, so a part by itself would have dependencies of its own.
fn cargo_build(packages: &[&str]) -> Result<()> {
    let mut cargo = process::command(".", "cargo");
    match paths::profile() {
        Profile::Dev => cargo.args(["build", "--workspace", "--all-targets"]),
        Profile::Release => {
            let packages = packages.iter().flat_map(|package| ["--package", package]);
            cargo.args(["build", "--release"]).args(packages)
        }
    };
    process::run(&mut cargo)
}

/// The library that every process of a recorded command loads, as small as it gets.
fn build_library() -> Result<()> {
    let build = ["build", "--profile", "preload", "--package", "preload", "--features", "bare"];
    process::run(process::command(".", "cargo").args(build))
}

/// The addon, what reads a crash for the agent, the library, and the texts that are made of the JavaScript in `packages/runtime`.
fn put_runtime() -> Result<()> {
    let runtime = paths::root().join("packages/runtime");
    replace(&runtime.join("wherefore.node"), &fs::read(paths::built().join("libnode_addon.so"))?)?;
    let report = runtime.join("wherefore-report");
    replace(&report, &fs::read(paths::built().join("wherefore-report"))?)?;
    fs::set_permissions(&report, fs::Permissions::from_mode(0o755))?;
    replace(&runtime.join("preload.so"), &fs::read(paths::target().join("preload/libpreload.so"))?)?;
    replace(&runtime.join("contract.generated.cjs"), contract::javascript().as_bytes())?;
    for text in ["recorder", "builtins", "prelude"] {
        let made = process::output(process::command("packages/runtime", "node").args(["make-runtime.js", text]))?;
        replace(&runtime.join(format!("{text}.generated.js")), &made)?;
    }
    Ok(())
}

/// A program that runs at this moment keeps the old file; a new one gets the whole new file.
fn replace(path: &std::path::Path, contents: &[u8]) -> Result<()> {
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    fs::write(&temporary, contents)
        .and_then(|()| fs::rename(&temporary, path))
        .with_context(|| format!("cannot write {}", path.display()))
}
