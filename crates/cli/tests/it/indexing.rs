//! Indexes that are made in the background: by one process, whatever number of runs there is, and nowhere but in these.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{copy_folder, project, until, wherefore};

/// Three threads whose traces are too large to be indexed by a question.
const PROGRAM: &str = "
const { Worker, isMainThread } = require('worker_threads');
const o = { n: 0 };
for (let i = 0; i < 4e6; i++) { o.n = (i * 7919) % 10007; o[o.n % 13] = i; }
if (isMainThread) for (let i = 0; i < 2; i++) new Worker(__filename);
";

#[test]
fn one_process_indexes_run_after_run() {
    let place = Place::new();
    let runs: Vec<PathBuf> = (0..4).map(|number| place.copy(&format!("run-{number}"))).collect();
    let mut most = 0;
    for run in &runs {
        place.ask(run);
        most = most.max(place.processes().len());
    }
    let is_indexed = |run: &Path| count(run, "index") == count(run, "trace");
    until(|| {
        most = most.max(place.processes().len());
        runs.iter().all(|run| is_indexed(run)) && place.processes().is_empty()
    });
    assert_eq!(most, 1);
    assert!(runs.iter().all(|run| count(run, "trace") == 3));
}

#[test]
fn nothing_is_written_into_a_folder_that_took_the_place_of_a_run() {
    let place = Place::new();
    for number in 0..3 {
        let run = place.copy(&format!("run-{number}"));
        let other = place.copy(&format!("other-{number}"));
        place.ask(&run);
        place.ask(&other);
        until(|| run.join("index.lock").exists());
        // As whoever records into the same folder again does it.
        fs::rename(&run, place.folder.path().join("away")).unwrap();
        fs::create_dir(&run).unwrap();
        fs::remove_dir_all(place.folder.path().join("away")).unwrap_or_default();
        until(|| place.processes().is_empty());
        assert_eq!(fs::read_dir(&run).unwrap().count(), 0);
        // The others are not forgotten for it.
        assert_eq!(count(&other, "index"), 3);
        let _ = fs::remove_dir_all(place.folder.path().join("away"));
    }
}

/// A run of the program, and a folder for caches that no other test has.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = project(&[("app.js", PROGRAM)]);
        let place = Place { folder };
        let mut record = wherefore(place.folder.path());
        // Its own index would be one more.
        record
            .args(["record", "-o", "run", "--", "node", "app.js"])
            .env("XDG_CACHE_HOME", place.folder.path().join("first"));
        assert!(record.output().unwrap().status.success());
        until(|| processes_with(&place.folder.path().join("first")).is_empty());
        for entry in fs::read_dir(place.folder.path().join("run")).unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap();
            if ["index", "details", "lock"].iter().any(|ending| name.ends_with(ending)) {
                fs::remove_file(entry.path()).unwrap();
            }
        }
        place
    }

    fn copy(&self, name: &str) -> PathBuf {
        let copy = self.folder.path().join(name);
        copy_folder(&self.folder.path().join("run"), &copy);
        copy
    }

    fn caches(&self) -> PathBuf {
        self.folder.path().join("caches")
    }

    fn ask(&self, run: &Path) {
        let mut ask = wherefore(self.folder.path());
        ask.args(["stack", "--run"]).arg(run).env("XDG_CACHE_HOME", self.caches());
        let output = ask.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("its index is made in the background"), "{stderr}");
    }

    fn processes(&self) -> Vec<u32> {
        processes_with(&self.caches())
    }
}

/// Those that have these caches in their environment.
fn processes_with(caches: &Path) -> Vec<u32> {
    let wanted = format!("XDG_CACHE_HOME={}\0", caches.display());
    let numbers = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let has = |number: &u32| {
        let environment = fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(&wanted)
    };
    numbers.filter(has).collect()
}

fn count(run: &Path, ending: &str) -> usize {
    let names = fs::read_dir(run).into_iter().flatten().flatten().map(|entry| entry.path());
    names.filter(|path| path.extension().is_some_and(|it| it == ending)).count()
}
