//! The committed inputs of each target: texts as they lie in `inputs/`, what is made of the committed run, and what was found once.

use crate::sample::{EXPORTED, unpacked};
use crate::targets::{READERS, files as files_of, plain};

/// A frame that goes on in a segment before the one that enters it: who looked where it was suspended came to the same question again.
const SUSPENDED: &[u8] = include_bytes!("../inputs/found/frame-suspended-before-it-was-entered");

/// Of the target of this name.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    match target {
        "import" => vec![EXPORTED.to_vec()],
        "run" => of_runs(),
        "readers" => of_readers(),
        "points" => sections(include_str!("../inputs/points.txt")),
        "expressions" => lines(include_str!("../inputs/expressions.txt")),
        "questions" => lines(include_str!("../inputs/questions.txt")),
        "dap" => sections(include_str!("../inputs/dap.txt")),
        "mcp" => sections(include_str!("../inputs/mcp.txt")),
        "reports" => sections(include_str!("../inputs/reports.txt")),
        "source-maps" => lines(include_str!("../inputs/source-maps.txt")),
        _ => Vec::new(),
    }
}

fn lines(text: &str) -> Vec<Vec<u8>> {
    text.lines().map(|line| line.as_bytes().to_vec()).collect()
}

/// Inputs of several lines, with an empty line between two.
fn sections(text: &str) -> Vec<Vec<u8>> {
    text.split("\n\n").map(|section| section.trim_end().as_bytes().to_vec()).collect()
}

/// The committed run, the same with files that it does not have, and what was found.
fn of_runs() -> Vec<Vec<u8>> {
    let run = plain(&unpacked(EXPORTED));
    let more = [&run[..], include_bytes!("../inputs/files.txt")].concat();
    vec![run, more, SUSPENDED.to_vec()]
}

/// The files of the run for the readers of their kinds, and nothing for the others.
fn of_readers() -> Vec<Vec<u8>> {
    let mut inputs: Vec<Vec<u8>> = (0..READERS.len()).map(|which| vec![which as u8]).collect();
    let mut add = |kind: &str, bytes: &[u8]| {
        if let Some(which) = READERS.iter().position(|(known, _)| *known == kind) {
            inputs.push([&[which as u8], bytes].concat());
        }
    };
    let files = unpacked(EXPORTED);
    for (name, bytes) in &files {
        match name.split_once('.') {
            Some((_, "sites" | "origins")) => {}
            Some((stem, "txt")) => add(stem, bytes),
            Some((_, kind)) => add(kind, bytes),
            None => {}
        }
    }
    // Those that are compressed in the run, and what was found out about the events.
    let unpacked = plain(&files);
    for file in files_of(&unpacked) {
        if let Some((_, kind @ ("sites" | "origins" | "outline"))) = file.name.split_once('.') {
            add(kind, file.bytes);
        }
    }
    add("policy", b"record main.js\n");
    add("loaded", b"own\t\t/app/main.js\nlibrary qs\tby name\t/app/node_modules/qs/index.js\n");
    inputs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TARGETS;
    use crate::limits::LONGEST_INPUT;

    #[test]
    fn every_target_has_committed_inputs_that_are_small() {
        for target in TARGETS {
            let seeds = seeds(target.name);
            assert!(!seeds.is_empty(), "{} has no inputs", target.name);
            let longest = seeds.iter().map(Vec::len).max().unwrap_or_default();
            assert!(longest <= LONGEST_INPUT, "{} has an input of {longest} bytes", target.name);
        }
    }
}
