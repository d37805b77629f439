use std::collections::BTreeMap;
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

    /// How long making the report may take, if anything says so.
    pub fn time(&self) -> Option<Duration> {
        let (given, wait) = (self.milliseconds("time"), self.wait());
        match wait.is_zero() {
            true => given,
            false => Some(given.unwrap_or(wait).min(wait / 2)),
        }
    }

    /// How long the program may wait for the report to be made and sent. The first process of a container takes all others with it when it
    /// ends; elsewhere nobody waits.
    pub fn wait(&self) -> Duration {
        let usual = if std::process::id() == 1 { WAIT_OF_FIRST } else { Duration::ZERO };
        self.milliseconds("wait").unwrap_or(usual).min(LONGEST_WAIT)
    }

    fn milliseconds(&self, name: &str) -> Option<Duration> {
        self.get(name)?.parse().ok().map(Duration::from_millis)
    }
}

const WAIT_OF_FIRST: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_bounded() {
        let settings = AgentSettings::parse("time\t900000\nwait\tx\n");
        assert_eq!((settings.time(), settings.wait()), (Some(Duration::from_secs(900)), Duration::ZERO));
        assert_eq!(AgentSettings::parse("").time(), None);
        let waiting = AgentSettings::parse("wait\t900000\n");
        assert_eq!((waiting.time(), waiting.wait()), (Some(LONGEST_WAIT / 2), LONGEST_WAIT));
        assert_eq!(AgentSettings::parse("time\t100\nwait\t1000\n").time(), Some(Duration::from_millis(100)));
    }
}
