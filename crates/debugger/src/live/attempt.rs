//! One run with a wish to stop.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use record::{LiveReport, StopWish};
use trace_model::{EventId, LocalSite};
use trace_store::{Runs, Target};

use super::StopAt;
use crate::languages::open_run;
use crate::recording::record_stopping;
use crate::{Error, RecordRequest, Recorded};

pub struct Attempt {
    pub recorded: Recorded,
    reports: Vec<LiveReport>,
}

/// Runs the program to its end, and tells `watch` the reports as they come.
pub fn run_watched(
    request: &RecordRequest,
    folder: &Path,
    wish: StopWish,
    mut watch: impl FnMut(&LiveReport) + Send,
) -> Result<Attempt, Error> {
    let run_folder = match &request.run_folder {
        Some(run) => folder.join(run),
        None => {
            let project = Runs::around(folder).project().to_path_buf();
            ::record::create_run(&project).map_err(Error::io(project))?
        }
    };
    // As it is wherever this process stands.
    let run_folder = std::path::absolute(&run_folder).map_err(Error::io(&run_folder))?;
    let request = RecordRequest { run_folder: Some(run_folder.clone()), ..request.clone() };
    let file = run_folder.join(LiveReport::FILE);
    let is_over = AtomicBool::new(false);
    let (recorded, reports) = thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut n_told = 0;
            loop {
                // Asked before the file is read: what is in it when the run is over is all there will be.
                let is_last = is_over.load(Ordering::Acquire);
                let reports = LiveReport::parse_all(&fs::read_to_string(&file).unwrap_or_default());
                reports.iter().skip(n_told).for_each(&mut watch);
                n_told = reports.len();
                if is_last {
                    return reports;
                }
                thread::park_timeout(POLL);
            }
        });
        let recorded = record_stopping(&request, Some(wish), folder);
        is_over.store(true, Ordering::Release);
        watcher.thread().unpark();
        let reports = watcher.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (recorded, reports)
    });
    Ok(Attempt { recorded: recorded?, reports })
}

impl Attempt {
    /// What the run was for. Several threads may have come to the point, and one of them to where it began before.
    pub fn decisive(&self) -> Option<&LiveReport> {
        let is_answer = |report: &&LiveReport| !matches!(report, LiveReport::Elsewhere { .. });
        self.reports.iter().find(is_answer).or(self.reports.first())
    }

    /// Takes a run away that was only to find out where the point begins; gives that back.
    pub fn discard(&self, start: u32) -> u32 {
        // What is left over of it is a run more that can be asked about.
        let _ = fs::remove_dir_all(&self.recorded.folder);
        start
    }

    /// How often the thread that came furthest was there.
    pub fn n_hits(&self, at: &StopAt) -> u64 {
        let Ok(run) = open_run(&self.recorded.folder) else { return 0 };
        let in_thread = |thread: &trace_store::Thread| {
            let units = thread.code().units().iter().filter(|unit| unit.record.path == at.path);
            let mut sites: Vec<_> = units.map(|unit| unit.site(LocalSite(at.site))).collect();
            sites.sort_unstable();
            thread.count(&Target::Sites(&sites), EventId(0)..thread.end())
        };
        run.threads().iter().map(in_thread).max().unwrap_or(0)
    }
}

const POLL: Duration = Duration::from_millis(20);
