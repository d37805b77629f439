//! The page of `wherefore open`, built before the command line, which holds it.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use anyhow::Result;

use crate::paths;
use crate::process::{command, npm_ci, run, say, works};

/// Builds `web/dist`, unless nothing was changed since. Without npm the command line is built without the page, and says so.
pub fn build() -> Result<()> {
    if !works(command(".", "npm").arg("--version")) {
        say("npm is not installed: the page of `wherefore open` is left out");
        return Ok(());
    }
    npm_ci("web")?;
    let web = paths::root().join("web");
    let inputs = [
        "src",
        "index.html",
        "package.json",
        "package-lock.json",
        "vite.config.ts",
        "tsconfig.json",
        "../docs/answers.d.ts",
    ];
    let changed = inputs.iter().filter_map(|input| newest(&web.join(input))).max();
    let built = newest(&web.join("dist/index.html"));
    if built.is_none() || changed > built {
        run(command("web", "npm").args(["run", "--silent", "build"]))?;
    }
    Ok(())
}

/// When a file, or anything in a folder, was changed last.
fn newest(path: &Path) -> Option<SystemTime> {
    let own = fs::metadata(path).and_then(|known| known.modified()).ok()?;
    let inside = fs::read_dir(path).into_iter().flatten().flatten().filter_map(|entry| newest(&entry.path()));
    inside.chain([own]).max()
}
