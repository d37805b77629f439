//! What an agent sends to `wherefore collect`: a report on each line, of one project.

use crash_server::wire::{NewState, PolicyQuery, Report};

pub fn reports(input: &[u8]) {
    let lines = input.split(|byte| *byte == b'\n');
    let reports: Vec<Report> = lines.clone().filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let bugs = crash_server::rehearse(&reports);
    assert!(bugs.len() <= reports.len());
    for line in lines {
        let _ = serde_json::from_slice::<PolicyQuery>(line);
        let _ = serde_json::from_slice::<NewState>(line);
    }
}
