//! How a run is to be recorded, from the parent to the processes it starts: `settings.txt` in the run folder.

use crate::RingLayout;

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
}

impl RunSettings {
    pub const NAME: &'static str = "settings.txt";

    /// `key<TAB>value` lines; a newline in a value is written `\n` and a backslash `\\`.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut line = |key: &str, value: &str| {
            text.push_str(&format!("{key}\t{}\n", value.replace('\\', "\\\\").replace('\n', "\\n")));
        };
        line("parent", &self.parent.to_string());
        line("chunk words", &self.layout.chunk_words.to_string());
        line("chunks", &self.layout.n_chunks.to_string());
        if let Some(policy) = &self.policy {
            line("policy", policy);
        }
        self.include.iter().for_each(|glob| line("include", glob));
        self.exclude.iter().for_each(|glob| line("exclude", glob));
        text
    }

    /// `None` if a line that must be there is not.
    pub fn parse(text: &str) -> Option<RunSettings> {
        let all = |key: &str| -> Vec<String> {
            let lines = text.lines().filter_map(|line| line.split_once('\t'));
            lines.filter(|(name, _)| *name == key).map(|(_, value)| unescape(value)).collect()
        };
        let number = |key: &str| all(key).first()?.parse().ok();
        Some(RunSettings {
            parent: number("parent")?,
            layout: RingLayout { chunk_words: number("chunk words")?, n_chunks: number("chunks")? },
            policy: all("policy").pop(),
            include: all("include"),
            exclude: all("exclude"),
        })
    }
}

fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some(other) => text.push(other),
                None => text.push('\\'),
            },
            c => text.push(c),
        }
    }
    text
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
        };
        assert_eq!(RunSettings::parse(&settings.to_text()), Some(settings));
        assert_eq!(RunSettings::parse("parent\t1\n"), None);
    }
}
