//! `cargo xtask dist npm`: the npm package `wherefore`, one for this platform with the program, the addon and the runtime, the agent of
//! production, and the server for its reports.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::process::{command, output, run as execute, say};
use crate::{artifacts, notices, paths};

/// What an installation of the tool may take.
const MOST_BYTES: u64 = 25_000_000;
/// What one of the agent may take.
const MOST_AGENT_BYTES: u64 = 8_000_000;

/// The one that is built here; packages/npm/platform.cjs names all.
const PLATFORM: &str = "linux-x64-gnu";

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// Made to be small, which takes long.
    Small,
    /// The release build without its symbols.
    Release,
}

/// The tarballs: the two of the tool, in the order in which they are installed, then the agent and the server.
pub fn pack(build: Build) -> Result<[PathBuf; 4]> {
    let built = match build {
        Build::Small => small_build()?,
        Build::Release => release_build()?,
    };
    let folder = folder();
    let _ = fs::remove_dir_all(&folder);
    let (platform, agent, collect) = (folder.join(PLATFORM), folder.join("agent"), folder.join("collect"));
    put_platform(&platform, &built)?;
    put_agent(&agent, &built)?;
    put_collect(&collect, &built)?;
    for (package, most) in [(&platform, Some(MOST_BYTES)), (&agent, Some(MOST_AGENT_BYTES)), (&collect, None)] {
        let (size, name) = (size_of(package)?, package.file_name().unwrap_or_default().to_string_lossy());
        let limit = most.map(|most| format!(" (limit {} MB)", most / 1_000_000)).unwrap_or_default();
        say(&format!("{name}, installed: {:.1} MB{limit}", size as f64 / 1e6));
        if most.is_some_and(|most| size > most) && build == Build::Small {
            bail!("the installed package {name} is larger than {limit}");
        }
    }
    let main = paths::root().join("packages/npm");
    let tarballs = [tarball(&platform)?, tarball(&main)?, tarball(&agent)?, tarball(&collect)?];
    for tarball in &tarballs {
        say(&format!("{} ({:.1} MB)", tarball.display(), fs::metadata(tarball)?.len() as f64 / 1e6));
    }
    Ok(tarballs)
}

fn folder() -> PathBuf {
    paths::target().join("dist/npm")
}

/// What is native in the packages.
struct Built {
    program: PathBuf,
    addon: PathBuf,
    /// What reads a crash for the agent.
    report: PathBuf,
    collect: PathBuf,
}

impl Built {
    fn of(target: &Path, report: PathBuf) -> Built {
        Built {
            program: target.join("wherefore"),
            addon: target.join("libnode_addon.so"),
            report,
            collect: target.join("wherefore-collect"),
        }
    }
}

fn release_build() -> Result<Built> {
    artifacts::build()?;
    Ok(Built::of(&paths::built(), paths::built().join("wherefore-report")))
}

fn small_build() -> Result<Built> {
    artifacts::build()?;
    let build = |profile: &str, packages: &[&str]| {
        let mut cargo = command(".", "cargo");
        // A program that is shipped does not look for its runtime in the checkout that it was built in.
        cargo.env("WHEREFORE_SHIPPED", "1").args(["build", "--profile", profile]);
        execute(cargo.args(packages.iter().flat_map(|package| ["--package", package])))
    };
    build("small", &["cli", "collect", "node-addon"])?;
    // Nobody waits for it, and it is installed with each program in production.
    build("smallest", &["crash-report"])?;
    let target = paths::target();
    Ok(Built::of(&target.join("small"), target.join("smallest/wherefore-report")))
}

fn put_platform(folder: &Path, built: &Built) -> Result<()> {
    let root = paths::root();
    copy_folder(
        &root.join("packages/runtime"),
        &folder.join("runtime"),
        &["test", "wherefore.node", "wherefore-report", "make-runtime.js"],
    )?;
    put_legal(folder, &["cli", "node-addon", "preload"], true)?;
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

/// It is installed on all platforms, as programs name it among what they need, and does nothing where it cannot.
fn put_agent(folder: &Path, built: &Built) -> Result<()> {
    let root = paths::root();
    copy_folder(&root.join("packages/agent"), folder, &[])?;
    let natives = ["wherefore.node", "wherefore-report", "preload.so"];
    let for_tests = ["test", "make-runtime.js", "recorder", "prelude.js", "prelude.generated.js", "experiment.cjs"];
    copy_folder(&root.join("packages/runtime"), &folder.join("runtime"), &[&natives[..], &for_tests].concat())?;
    put_legal(folder, &["crash-report", "node-addon"], false)?;
    strip(&built.addon, &folder.join("runtime/wherefore.node"))?;
    strip(&built.report, &folder.join("runtime/wherefore-report"))
}

fn put_collect(folder: &Path, built: &Built) -> Result<()> {
    copy_folder(&paths::root().join("packages/collect"), folder, &[])?;
    put_legal(folder, &["collect"], false)?;
    strip(&built.collect, &folder.join("wherefore-collect"))
}

/// Our licences, and those of others.
fn put_legal(folder: &Path, packages: &[&str], has_page: bool) -> Result<()> {
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(paths::root().join(licence), folder.join(licence))?;
    }
    fs::write(folder.join(notices::FILE), notices::of(packages, has_page)?)?;
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
