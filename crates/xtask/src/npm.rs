//! `cargo xtask dist npm`: the npm package `wherefore`, and one for this platform with the program,
//! the addon, the runtime and the agent.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::process::{command, output, run as execute, say};
use crate::{artifacts, notices, paths};

/// What an installation may take.
const MOST_BYTES: u64 = 25_000_000;

/// The one that is built here; packages/npm/platform.cjs names all.
const PLATFORM: &str = "linux-x64-gnu";

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// Made to be small, which takes long.
    Small,
    /// The release build without its symbols.
    Release,
}

/// The two tarballs, in the order in which they are installed.
pub fn pack(build: Build) -> Result<[PathBuf; 2]> {
    let built = match build {
        Build::Small => small_build()?,
        Build::Release => release_build()?,
    };
    let folder = folder();
    let _ = fs::remove_dir_all(&folder);
    let platform = folder.join(PLATFORM);
    put_platform(&platform, &built)?;
    let size = size_of(&platform)?;
    say(&format!("{PLATFORM}, installed: {:.1} MB (limit {} MB)", size as f64 / 1e6, MOST_BYTES / 1_000_000));
    let tarballs = [tarball(&platform)?, tarball(&paths::root().join("packages/npm"))?];
    for tarball in &tarballs {
        say(&format!("{} ({:.1} MB)", tarball.display(), fs::metadata(tarball)?.len() as f64 / 1e6));
    }
    if size > MOST_BYTES && build == Build::Small {
        bail!("the installed package is larger than {MOST_BYTES} bytes");
    }
    Ok(tarballs)
}

fn folder() -> PathBuf {
    paths::target().join("dist/npm")
}

/// The program and the addon.
struct Built {
    program: PathBuf,
    addon: PathBuf,
}

fn release_build() -> Result<Built> {
    artifacts::build()?;
    Ok(Built { program: paths::wherefore(), addon: paths::built().join("libnode_addon.so") })
}

fn small_build() -> Result<Built> {
    artifacts::build()?;
    let mut cargo = command(".", "cargo");
    // A program that is shipped does not look for its runtime in the checkout that it was built in.
    cargo.env("WHEREFORE_SHIPPED", "1");
    execute(cargo.args(["build", "--profile", "small", "--package", "cli", "--package", "node-addon"]))?;
    let target = paths::target().join("small");
    Ok(Built { program: target.join("wherefore"), addon: target.join("libnode_addon.so") })
}

fn put_platform(folder: &Path, built: &Built) -> Result<()> {
    let root = paths::root();
    copy_folder(
        &root.join("packages/runtime"),
        &folder.join("runtime"),
        &["test", "wherefore.node", "make-runtime.js"],
    )?;
    copy_folder(&root.join("packages/agent"), &folder.join("agent"), &["package.json"])?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root.join(licence), folder.join(licence))?;
    }
    fs::write(folder.join(notices::FILE), notices::of(&["cli", "node-addon", "preload"], true)?)?;
    strip(&built.program, &folder.join("wherefore"))?;
    strip(&built.addon, &folder.join("runtime/wherefore.node"))?;
    let manifest = serde_json::json!({
        "name": format!("@wherefore/{PLATFORM}"),
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Wherefore for Linux on x86-64 with glibc; install `wherefore`, which takes it",
        "license": "MIT OR Apache-2.0",
        "os": ["linux"],
        "cpu": ["x64"],
        "libc": ["glibc"],
        "engines": { "node": ">=20" },
    });
    fs::write(folder.join("package.json"), serde_json::to_string_pretty(&manifest)? + "\n")?;
    Ok(())
}

fn strip(from: &Path, to: &Path) -> Result<()> {
    execute(command(".", "strip").args(["--strip-unneeded", "-o"]).arg(to).arg(from))
}

/// All but entries of these names.
fn copy_folder(from: &Path, to: &Path, without: &[&str]) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        if without.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        match entry.file_type()?.is_dir() {
            true => copy_folder(&entry.path(), &to.join(entry.file_name()), without)?,
            false => _ = fs::copy(entry.path(), to.join(entry.file_name()))?,
        }
    }
    Ok(())
}

fn size_of(folder: &Path) -> Result<u64> {
    fs::read_dir(folder)?.try_fold(0, |sum, entry| {
        let entry = entry?;
        Ok(sum + if entry.file_type()?.is_dir() { size_of(&entry.path())? } else { entry.metadata()?.len() })
    })
}

fn tarball(package: &Path) -> Result<PathBuf> {
    let folder = folder();
    let named =
        output(command(".", "npm").arg("pack").arg(package).arg("--silent").arg("--pack-destination").arg(&folder))?;
    let name = String::from_utf8(named)?;
    Ok(folder.join(name.trim()))
}
