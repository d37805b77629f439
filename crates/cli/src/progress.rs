//! How far long work is, on a terminal.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Appears once the work takes longer than a moment, and is gone when it is done. Where nobody could see it move, it is silent.
pub struct Progress {
    what: &'static str,
    started: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    const SHORT: Duration = Duration::from_millis(300);

    pub fn new(what: &'static str) -> Progress {
        Progress { what, started: Instant::now(), bar: None }
    }

    pub fn show(&mut self, done: u64, all: u64) {
        if all == 0 || self.started.elapsed() < Self::SHORT || !moves() {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr());
            bar.set_style(of_part());
            bar.set_message(self.what);
            bar
        });
        bar.set_length(all);
        bar.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// For work of which nobody knows how long it is: it only says that it goes on, and for how long it has.
pub struct Busy(Option<ProgressBar>);

impl Busy {
    pub fn new(what: &'static str) -> Busy {
        if !moves() {
            return Busy(None);
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.set_style(ProgressStyle::with_template("wherefore: {msg}, {elapsed}").expect("the template is right"));
        bar.set_message(what);
        let ticking = bar.downgrade();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(1));
            while let Some(bar) = ticking.upgrade().filter(|bar| !bar.is_finished()) {
                bar.tick();
                drop(bar);
                std::thread::sleep(Duration::from_millis(250));
            }
        });
        Busy(Some(bar))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

fn of_part() -> ProgressStyle {
    ProgressStyle::with_template("wherefore: {msg}, {percent} %").expect("the template is right")
}

/// Whether stderr is a terminal that can write over a line.
fn moves() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
