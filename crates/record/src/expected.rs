//! The packages that sources of the project name. They are looked for while the command starts, so nobody waits for it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use module_origin::Project;
use module_origin::project::expected_packages;
use trace_format::{EXPECTED_FILE, private};

/// Writes them into the run folder as a whole, in a thread of its own.
pub fn find(run: &Path, project: Project) {
    let run = run.to_owned();
    std::thread::spawn(move || {
        let found: Vec<String> = expected_packages(&project, LONGEST_SEARCH).into_iter().collect();
        // Without it, a package that tools load first counts as a tool.
        let _ = write(&run, &found.join("\n"));
    });
}

/// Processes of the run wait for the result, when they first need it, for a little longer than this.
const LONGEST_SEARCH: Duration = Duration::from_millis(300);

fn write(run: &Path, text: &str) -> std::io::Result<()> {
    let unfinished: PathBuf = run.join(format!("{EXPECTED_FILE}.new"));
    private::write(&unfinished, text)?;
    std::fs::rename(unfinished, run.join(EXPECTED_FILE))
}
