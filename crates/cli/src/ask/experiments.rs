//! Experiments beside an explanation: `why --experiment`.

use debugger::{Announcement, Budget, Chain, ExperimentRequest, Experiments, Proven, Session};

use super::page::Page;
use crate::tell;
use crate::text::parse_duration;

#[derive(clap::Args)]
pub struct Experimenting {
    /// Run the program again and again, each time with one decision or value different, and tell what keeps it from failing
    #[arg(long, conflicts_with_all = ["place", "against"])]
    pub experiment: bool,
    /// What the experiments may take: 100 (runs), 30s, or both: 100,30s
    #[arg(long, value_name = "BUDGET", value_parser = parse_budget, requires = "experiment")]
    pub budget: Option<Budget>,
    /// Also run programs that write outside of their folder, start other programs or use the network
    #[arg(long, requires = "experiment")]
    pub allow_effects: bool,
}

impl Experimenting {
    /// What the experiments with the failure of a run showed. Why there are none is a note.
    pub fn of(
        &self,
        session: &Session,
        thread: Option<&str>,
        failure: Option<usize>,
        notes: &mut Vec<String>,
    ) -> Option<Experiments> {
        if !self.experiment {
            return None;
        }
        let request = ExperimentRequest {
            thread: thread.map(str::to_owned),
            failure,
            budget: self.budget.unwrap_or_default(),
            allows_effects: self.allow_effects,
            signals: debugger::SignalsOf::TheProgram,
            cancel: debugger::Cancel::default(),
        };
        match session.experiment(&request, &announce, &|_| ()) {
            Ok(found) => {
                notes.extend(found.notes.clone());
                notes.push(what_it_took(&found));
                Some(found)
            }
            Err(error) => {
                notes.push(format!("no experiments: {error}"));
                None
            }
        }
    }
}

/// Said before anything is run.
pub fn announce(planned: &Announcement) {
    let Announcement { command, budget, at_once, is_closed } = planned;
    let apart = match is_closed {
        true => "in a throw-away copy of the folder; nothing else can be written, and there is no network",
        false => "in a throw-away copy of the folder; the rest of the machine is not kept apart",
    };
    let at_once = if *at_once > 1 { format!(", {at_once} at once") } else { String::new() };
    tell::note(format_args!(
        "runs `{}` up to {} times, for at most {} s{at_once}, {apart}",
        command.join(" "),
        budget.runs,
        budget.time.as_secs()
    ));
}

/// What leads the answer: up to three places. More are marked in the chain.
pub fn lead(found: &Experiments) -> Page {
    let mut page = Page::default();
    match found.proven.len() {
        0 => {}
        _ if found.is_specific() => {
            for proven in &found.proven {
                page.title(&proven.text);
                page.point(&proven.point, "");
            }
        }
        n => {
            page.title(format!("not specific: at each of {n} places a difference makes the failure go away"));
            for proven in &found.proven {
                page.short(&proven.point, &proven.text);
            }
        }
    }
    page
}

/// Hops at a place that an experiment was about say so.
pub fn mark(chain: &mut Chain, found: &Experiments) {
    for hop in &mut chain.hops {
        let is_it = |proven: &&Proven| {
            hop.point.line.is_some() && (&proven.point.file, proven.point.line) == (&hop.point.file, hop.point.line)
        };
        if let Some(proven) = found.proven.iter().find(is_it) {
            hop.text.push_str(&format!("; {}", proven.text));
        }
    }
}

fn what_it_took(found: &Experiments) -> String {
    let n_proven = match found.proven.len() {
        0 => "the failure went away in none".to_owned(),
        1 => "one place keeps it from happening".to_owned(),
        n => format!("{n} places keep it from happening"),
    };
    let Experiments { n_runs, n_checked, elapsed, .. } = found;
    format!("{n_runs} experiments and {n_checked} checks in {:.1} s; {n_proven}", elapsed.as_secs_f64())
}

fn parse_budget(text: &str) -> Result<Budget, String> {
    let mut budget = Budget::default();
    for part in text.split(',').map(str::trim) {
        match part.parse() {
            Ok(0) => return Err("a budget allows at least one run".into()),
            Ok(runs) => budget.runs = runs,
            Err(_) => {
                budget.time = parse_duration(part)
                    .map_err(|_| format!("`{text}` is not a budget; budgets are written 100, 30s or 100,30s"))?;
            }
        }
    }
    Ok(budget)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn budgets() {
        let budget = |runs, seconds| Ok(Budget { runs, time: Duration::from_secs(seconds) });
        assert_eq!(parse_budget("20"), budget(20, 30));
        assert_eq!(parse_budget("2m"), budget(100, 120));
        assert_eq!(parse_budget("20, 5s"), budget(20, 5));
        assert!(parse_budget("0").is_err() && parse_budget("many").is_err());
    }
}
