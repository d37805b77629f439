//! What others wrote and we ship: a text with each licence, and which crates and packages stand under it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::paths;
use crate::process::{command, output};

pub const FILE: &str = "THIRD-PARTY-NOTICES.txt";

/// The notices of what these packages of ours consist of, and of the page if it is in one of them.
pub fn of(packages: &[&str], has_page: bool) -> Result<String> {
    let mut parts = crates(packages)?;
    if has_page {
        parts.extend(of_page()?);
    }
    let mut by_text: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut without = Vec::new();
    for part in parts {
        let texts = licence_texts(&part.folder)?;
        if texts.is_empty() {
            without.push(format!("{} ({})", part.name, part.licence));
        }
        for text in texts {
            by_text.entry(text).or_default().insert(part.name.clone());
        }
    }
    let mut notices = "Wherefore contains what others wrote. Each licence stands below what it is for.\n".to_owned();
    for (text, names) in by_text {
        let names: Vec<String> = names.into_iter().collect();
        write!(notices, "\n{}\n{}\n\n{}\n", "=".repeat(80), names.join(", "), text.trim_end())?;
    }
    if !without.is_empty() {
        without.sort();
        write!(
            notices,
            "\n{}\nThese name their licence and have no text of it: {}\n",
            "=".repeat(80),
            without.join(", ")
        )?;
    }
    Ok(notices)
}

struct Part {
    /// With its version.
    name: String,
    licence: String,
    folder: PathBuf,
}

/// All crates that are built into these, for the platform that we ship.
fn crates(packages: &[&str]) -> Result<Vec<Part>> {
    let mut tree = command(".", "cargo");
    tree.args([
        "tree",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--target",
        "x86_64-unknown-linux-gnu",
    ]);
    for package in packages {
        tree.args(["--package", package]);
    }
    let listed = String::from_utf8(output(&mut tree)?)?;
    let used: BTreeSet<(&str, &str)> =
        listed.lines().filter_map(|line| line.split_once(" v")).map(|(name, rest)| (name, word(rest))).collect();
    let metadata = output(command(".", "cargo").args(["metadata", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_slice(&metadata)?;
    let all = metadata["packages"].as_array().context("cargo metadata lists packages")?;
    let mut parts = Vec::new();
    for package in all.iter().filter(|package| !package["source"].is_null()) {
        let field = |name: &str| package[name].as_str().unwrap_or_default();
        if !used.contains(&(field("name"), field("version"))) {
            continue;
        }
        let folder = Path::new(field("manifest_path")).parent().context("a manifest is in a folder")?.to_owned();
        parts.push(Part {
            name: format!("{} {}", field("name"), field("version")),
            licence: field("license").to_owned(),
            folder,
        });
    }
    ensure!(!parts.is_empty(), "no crate is used by {}", packages.join(", "));
    Ok(parts)
}

fn word(text: &str) -> &str {
    text.split(' ').next().unwrap_or(text)
}

/// What the page is bundled from: what its lock file has that is not only for building it.
fn of_page() -> Result<Vec<Part>> {
    let web = paths::root().join("web");
    let lock: Value = serde_json::from_slice(&fs::read(web.join("package-lock.json"))?)?;
    let packages = lock["packages"].as_object().context("a lock file lists packages")?;
    let shipped = packages.iter().filter(|(path, package)| path.starts_with("node_modules/") && package["dev"] != true);
    let part = |(path, package): (&String, &Value)| Part {
        name: format!(
            "{} {}",
            path.trim_start_matches("node_modules/"),
            package["version"].as_str().unwrap_or_default()
        ),
        licence: package["license"].as_str().unwrap_or_default().to_owned(),
        folder: web.join(path),
    };
    Ok(shipped.map(part).filter(|part| part.folder.exists()).collect())
}

/// The texts of the files of a package that are named like licences.
fn licence_texts(folder: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let is_licence =
            ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"].iter().any(|start| name.starts_with(start));
        if is_licence && path.is_file() && !name.ends_with(".SPDX") {
            texts.push(String::from_utf8_lossy(&fs::read(&path)?).replace("\r\n", "\n").trim().to_owned());
        }
    }
    Ok(texts)
}
