//! Every target for its share of one minute, in the ordinary build. The seed is of the date, so that unchanged code is still searched, and it is
//! printed: `WHEREFORE_FUZZ_SEED=20776 cargo test -p fuzz` makes the same inputs again. What is found is kept under target/fuzz/found.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use fuzz::{TARGETS, Target};

const SECONDS_IN_ALL: f64 = 60.0;

#[test]
fn no_input_makes_a_target_fail() {
    let seed = seed();
    println!("the seed is {seed}; WHEREFORE_FUZZ_SEED repeats it");
    let folder = tempfile::tempdir().unwrap();
    // Two at a time, as many as tests have cores.
    let (first, second) = TARGETS.split_at(TARGETS.len() / 2);
    let found: Vec<String> = thread::scope(|scope| {
        let halves = [first, second].map(|targets| {
            let folder = folder.path();
            scope.spawn(move || targets.iter().filter_map(|target| failure(target, seed, folder)).collect::<Vec<_>>())
        });
        halves.into_iter().flat_map(|half| half.join().unwrap()).collect()
    });
    assert!(found.is_empty(), "with the seed {seed}:\n{}", found.join("\n"));
}

/// What a target did that it must not do.
fn failure(target: &Target, seed: u64, folder: &Path) -> Option<String> {
    let kept = folder.join(target.name);
    let seconds = SECONDS_IN_ALL / TARGETS.len() as f64;
    let ended = fuzz(folder)
        .args(["drive", target.name, "--seed", &seed.to_string(), "--seconds", &seconds.to_string(), "--kept"])
        .arg(&kept)
        .output()
        .unwrap();
    if ended.status.success() {
        println!("{}: {} inputs", target.name, String::from_utf8_lossy(&ended.stdout).trim());
        return None;
    }
    let input = found_folder().join(format!("{}-{seed}", target.name));
    fs::create_dir_all(found_folder()).unwrap();
    fs::copy(&kept, &input).unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    Some(format!("{} {} on {}: {said}", target.name, ended.status, input.display()))
}

#[test]
fn what_is_beyond_the_limits_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let ended = |name: &str| -> Output {
        let input = folder.path().join(name);
        fs::write(&input, name).unwrap();
        fuzz(folder.path()).args(["once", "limits"]).arg(&input).output().unwrap()
    };
    assert!(ended("harmless").status.success());
    for (name, said) in [("panic", "on purpose"), ("caught", "on purpose"), ("memory", "memory allocation of")] {
        let ended = ended(name);
        assert!(!ended.status.success(), "{name}");
        assert!(String::from_utf8_lossy(&ended.stderr).contains(said), "{name}: {ended:?}");
    }
}

/// The driver; what it imports lies in a folder that is removed.
fn fuzz(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fuzz"));
    command.env("TMPDIR", folder).env("WHEREFORE_RUNTIME", folder.join("nothing is run"));
    command
}

fn found_folder() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target")).join("fuzz/found")
}

/// Of today, unless one is given.
fn seed() -> u64 {
    match env::var("WHEREFORE_FUZZ_SEED") {
        Ok(seed) => seed.parse().expect("a seed is a number"),
        Err(_) => SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() / (24 * 60 * 60),
    }
}
