use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the operator wants, as `register.cjs` tells it.
pub struct AgentSettings {
    values: BTreeMap<String, String>,
}

impl AgentSettings {
    /// Lines with a name and a value.
    pub fn parse(text: &str) -> AgentSettings {
        let pairs = text.lines().filter_map(|line| line.split_once('\t'));
        AgentSettings { values: pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect() }
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// What the process that talks to the server needs to know.
    pub fn all(&self) -> &BTreeMap<String, String> {
        &self.values
    }

    /// The folder of the program: as the operator says, or the nearest with a `package.json` above the file that was started.
    pub fn root(&self) -> String {
        let root =
            self.get("root").map(PathBuf::from).unwrap_or_else(|| root_of(self.get("entry").unwrap_or_default()));
        fs::canonicalize(&root).unwrap_or(root).to_string_lossy().into_owned()
    }

    /// How long the program may wait for the report to be made.
    pub fn time(&self) -> Duration {
        self.milliseconds("time").unwrap_or(TIME).min(LONGEST_TIME)
    }

    /// How long the program may wait for the report to be sent. The first process of a container takes all others with it when it
    /// ends; elsewhere nobody waits.
    pub fn wait(&self) -> Duration {
        let usual = if std::process::id() == 1 { WAIT_OF_FIRST } else { Duration::ZERO };
        self.milliseconds("wait").unwrap_or(usual).min(LONGEST_WAIT)
    }

    /// Whether the operator wants this field to be sent.
    pub fn sends(&self, field: &str) -> bool {
        self.get("send").is_some_and(|fields| fields.split(',').any(|name| name.trim() == field))
    }

    fn milliseconds(&self, name: &str) -> Option<Duration> {
        self.get(name)?.parse().ok().map(Duration::from_millis)
    }
}

const TIME: Duration = Duration::from_millis(200);
const LONGEST_TIME: Duration = Duration::from_secs(2);
const WAIT_OF_FIRST: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

fn root_of(entry: &str) -> PathBuf {
    let entry = fs::canonicalize(entry).unwrap_or_else(|_| PathBuf::from(entry));
    let start = entry.parent().unwrap_or(Path::new("/"));
    start.ancestors().find(|folder| folder.join("package.json").exists()).unwrap_or(start).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_bounded() {
        let settings = AgentSettings::parse("time\t900000\nwait\tx\nsend\tmessage, other\n");
        assert_eq!(settings.time(), LONGEST_TIME);
        assert_eq!(settings.wait(), Duration::ZERO);
        assert!(settings.sends("message") && !settings.sends("mess"));
        assert_eq!(AgentSettings::parse("").time(), TIME);
    }

    #[test]
    fn the_root_has_a_package_file() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(root.join("src/a")).unwrap();
        fs::write(root.join("package.json"), "{}").unwrap();
        fs::write(root.join("src/a/main.js"), "").unwrap();
        let settings = AgentSettings::parse(&format!("entry\t{}/src/a/main.js\n", root.display()));
        assert_eq!(settings.root(), root.to_string_lossy());
    }
}
