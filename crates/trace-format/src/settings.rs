//! How a run is to be recorded, from the parent to the processes it starts: `settings.txt` in the run folder.

use trace_model::{Intervention, InterventionChange, LocalSite, Span};

use crate::RingLayout;
use crate::lines::{escaped, unescaped};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunSettings {
    /// Pid of the process that drains the rings.
    pub parent: u32,
    pub layout: RingLayout,
    /// See [`crate::policy_text`]. `None`: the full policy.
    pub policy: Option<String>,
    /// Globs over paths. Nothing here: every file.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// Folders whose files are the program.
    pub roots: Vec<String>,
    /// Scripts that the command names by their paths.
    pub scripts: Vec<String>,
    /// Packages that are recorded although they are tools.
    pub packages: Vec<String>,
    /// Whether tools are recorded like the program.
    pub has_tools: bool,
    pub stop: Option<StopWish>,
    /// What is different in this run.
    pub intervention: Option<Intervention>,
}

/// Where a program is to be stopped while it runs, and what for. What comes of it is in a [`crate::LiveReport`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StopWish {
    /// The path of the code, as its code record has it.
    pub path: String,
    pub site: LocalSite,
    /// Which of the site's events of one thread, from 1.
    pub hit: u32,
    /// What leads to the event begins before other code runs, which may hit the same site: which of these beginnings it is, from
    /// 1. `None`: as if there were no such code.
    pub start: Option<u32>,
    pub action: StopAction,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StopAction {
    /// Wait for a debugger of the V8 inspector.
    Halt,
    /// Evaluate this expression, and go on.
    Evaluate(String),
}

impl RunSettings {
    pub const NAME: &'static str = "settings.txt";

    /// `key<TAB>value` lines; a newline in a value is written `\n` and a backslash `\\`.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut line = |key: &str, value: &str| {
            text.push_str(&format!("{key}\t{}\n", escaped(value)));
        };
        line("parent", &self.parent.to_string());
        line("chunk words", &self.layout.chunk_words.to_string());
        line("chunks", &self.layout.n_chunks.to_string());
        if let Some(policy) = &self.policy {
            line("policy", policy);
        }
        self.include.iter().for_each(|glob| line("include", glob));
        self.exclude.iter().for_each(|glob| line("exclude", glob));
        self.roots.iter().for_each(|folder| line("root", folder));
        self.scripts.iter().for_each(|path| line("script", path));
        self.packages.iter().for_each(|name| line("include package", name));
        if self.has_tools {
            line("include tools", "true");
        }
        if let Some(stop) = &self.stop {
            line("stop in", &stop.path);
            line("stop at site", &stop.site.0.to_string());
            line("stop at hit", &stop.hit.to_string());
            if let Some(start) = stop.start {
                line("stop at start", &start.to_string());
            }
            if let StopAction::Evaluate(expression) = &stop.action {
                line("evaluate", expression);
            }
        }
        if let Some(intervention) = &self.intervention {
            line("change in", &intervention.path);
            line("change at site", &intervention.site.0.to_string());
            line("change from", &intervention.span.start.to_string());
            line("change to", &intervention.span.end.to_string());
            if let Some(hit) = intervention.hit {
                line("change at hit", &hit.to_string());
            }
            match &intervention.change {
                InterventionChange::Turn => line("change", "turn"),
                InterventionChange::Force(true) => line("change", "true"),
                InterventionChange::Force(false) => line("change", "false"),
                InterventionChange::Skip => line("change", "skip"),
                InterventionChange::Value(text) => line("change value", text),
            }
        }
        text
    }

    /// `None` if a line that must be there is not.
    pub fn parse(text: &str) -> Option<RunSettings> {
        let all = |key: &str| -> Vec<String> {
            let lines = text.lines().filter_map(|line| line.split_once('\t'));
            lines.filter(|(name, _)| *name == key).map(|(_, value)| unescaped(value)).collect()
        };
        let number = |key: &str| all(key).first()?.parse().ok();
        let stop = || {
            Some(StopWish {
                path: all("stop in").pop()?,
                site: LocalSite(number("stop at site")?),
                hit: number("stop at hit")?,
                start: number("stop at start"),
                action: all("evaluate").pop().map_or(StopAction::Halt, StopAction::Evaluate),
            })
        };
        let change = || match all("change").pop().as_deref() {
            Some("turn") => Some(InterventionChange::Turn),
            Some("true") => Some(InterventionChange::Force(true)),
            Some("false") => Some(InterventionChange::Force(false)),
            Some("skip") => Some(InterventionChange::Skip),
            _ => all("change value").pop().map(InterventionChange::Value),
        };
        let intervention = || {
            Some(Intervention {
                path: all("change in").pop()?,
                site: LocalSite(number("change at site")?),
                span: Span { start: number("change from")?, end: number("change to")? },
                hit: number("change at hit"),
                change: change()?,
            })
        };
        Some(RunSettings {
            parent: number("parent")?,
            layout: RingLayout { chunk_words: number("chunk words")?, n_chunks: number("chunks")? },
            policy: all("policy").pop(),
            include: all("include"),
            exclude: all("exclude"),
            roots: all("root"),
            scripts: all("script"),
            packages: all("include package"),
            has_tools: !all("include tools").is_empty(),
            stop: stop(),
            intervention: intervention(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back() {
        let settings = RunSettings {
            parent: 17,
            layout: RingLayout { chunk_words: 1 << 20, n_chunks: 4 },
            policy: Some("calls\nproperty a\\b".into()),
            include: vec!["src/**".into()],
            exclude: vec!["node_modules".into(), "*.min.js".into()],
            roots: vec!["/p q".into(), "/tool".into()],
            scripts: vec!["/tool/run.js".into()],
            packages: vec!["typescript".into()],
            has_tools: true,
            stop: None,
            intervention: None,
        };
        assert_eq!(RunSettings::parse(&settings.to_text()), Some(settings.clone()));
        let wish = StopWish {
            path: "/a b/c.js".into(),
            site: LocalSite(7),
            hit: 3,
            start: None,
            action: StopAction::Evaluate("a +\n\tb".into()),
        };
        let halt = StopWish { start: Some(5), action: StopAction::Halt, ..wish.clone() };
        for stop in [wish, halt] {
            let settings = RunSettings { stop: Some(stop), ..settings.clone() };
            assert_eq!(RunSettings::parse(&settings.to_text()), Some(settings));
        }
        let changes = [
            InterventionChange::Turn,
            InterventionChange::Force(true),
            InterventionChange::Force(false),
            InterventionChange::Skip,
            InterventionChange::Value("'a\n\t\\b'".into()),
        ];
        for (hit, change) in [None, Some(1), Some(2), Some(3), Some(4)].into_iter().zip(changes) {
            let span = Span { start: 3, end: 9 };
            let intervention = Intervention { path: "/a b/c.js".into(), site: LocalSite(7), span, hit, change };
            let settings = RunSettings { intervention: Some(intervention), ..settings.clone() };
            assert_eq!(RunSettings::parse(&settings.to_text()), Some(settings));
        }
        assert_eq!(RunSettings::parse("parent\t1\n"), None);
    }
}
