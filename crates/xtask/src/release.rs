//! `cargo xtask release`: checks what a release needs, makes what people install, tags it if asked to, and says what to upload. It uploads nothing.

use std::fs;

use anyhow::{Context, Result, bail, ensure};

use crate::process::{command, output, run as execute};
use crate::{npm, paths, vsix};

/// With `is_final`, the commit is tagged.
pub fn run(is_final: bool) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let tag = format!("v{version}");
    check(version, &tag)?;
    let mut files = npm::pack(npm::Build::Small)?.to_vec();
    files.push(vsix::pack()?);
    if is_final {
        execute(command(".", "git").args(["tag", "--annotate", &tag, "--message", &format!("Wherefore {version}")]))?;
        println!("tagged {tag}; `git push origin {tag}` starts the workflow `dist`, which publishes the npm packages");
    } else {
        println!("{tag} could be tagged: cargo xtask release --tag");
    }
    println!("to upload:");
    for file in files {
        println!("  {}", file.display());
    }
    Ok(())
}

fn check(version: &str, tag: &str) -> Result<()> {
    let changes = fs::read_to_string(paths::root().join("CHANGELOG.md"))?;
    let heading = changes.lines().find_map(|line| line.strip_prefix("## ")).context("CHANGELOG.md has no section")?;
    ensure!(
        heading.split(' ').next() == Some(version),
        "the first section of CHANGELOG.md is `{heading}`; it should be `{version}`, with what this release brings"
    );
    for package in ["packages/npm", "packages/agent", "packages/collect", "editors/vscode"] {
        let file = format!("{package}/package.json");
        let package: serde_json::Value = serde_json::from_slice(&fs::read(paths::root().join(&file))?)?;
        ensure!(
            package["version"] == version,
            "{file} has version {}, and Cargo.toml has {version}",
            package["version"]
        );
    }
    if !output(command(".", "git").args(["status", "--porcelain"]))?.is_empty() {
        bail!("there are changes that are not committed");
    }
    if !output(command(".", "git").args(["tag", "--list", tag]))?.is_empty() {
        bail!("{tag} is tagged already; a release needs a new version in Cargo.toml and in the packages");
    }
    Ok(())
}
