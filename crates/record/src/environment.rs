//! The environment of a program.

use std::env;
use std::ffi::{CString, OsStr, OsString, c_char};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Which variables a program is started with, beside the few that the recorder adds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Environment {
    /// Those of this process, with these changes: a value for the variable, or `None` to take it away.
    Inherit { changes: Vec<(OsString, Option<OsString>)> },
    /// These and no others. The command is then looked for in the `PATH` that is among them.
    Exactly(Vec<(OsString, OsString)>),
}

impl Default for Environment {
    fn default() -> Environment {
        Environment::Inherit { changes: Vec::new() }
    }
}

impl Environment {
    pub(crate) fn variables(&self) -> Variables {
        match self {
            Environment::Inherit { changes } => {
                let mut variables = Variables(env::vars_os().collect());
                for (name, value) in changes {
                    match value {
                        Some(value) => variables.set(name, value),
                        None => variables.0.retain(|(known, _)| known != name),
                    }
                }
                variables
            }
            Environment::Exactly(all) => {
                let mut variables = Variables(Vec::new());
                all.iter().for_each(|(name, value)| variables.set(name, value));
                variables
            }
        }
    }
}

/// Variables in their order, which a program can see.
#[derive(Clone, Debug)]
pub(crate) struct Variables(Vec<(OsString, OsString)>);

impl Variables {
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_os_str())
    }

    /// A variable that is there keeps its place.
    pub fn set(&mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) {
        let (name, value) = (name.as_ref(), value.as_ref());
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value.into(),
            None => self.0.push((name.into(), value.into())),
        }
    }

    /// Has the command start with these. [`Command::env`] would sort them.
    pub fn give_to(&self, command: &mut Command) -> io::Result<()> {
        let block = Block::of(self)?;
        let set = move || {
            // SAFETY: runs between fork and exec, where there is one thread, and the memory is the child's copy. The block
            // belongs to this closure as a whole, which the command keeps until then.
            unsafe { block.become_ours() };
            Ok(())
        };
        // SAFETY: the closure only stores a pointer, which is allowed between fork and exec.
        unsafe { command.pre_exec(set) };
        Ok(())
    }
}

/// The variables as `execve` wants them.
struct Block {
    /// What the pointers point to.
    _lines: Vec<CString>,
    /// Ends with a null.
    pointers: Vec<*const c_char>,
}

// SAFETY: the pointers point to the heap memory of the lines beside them, which nobody changes and which goes with them.
unsafe impl Send for Block {}
// SAFETY: the same.
unsafe impl Sync for Block {}

impl Block {
    fn of(variables: &Variables) -> io::Result<Block> {
        let line = |(name, value): &(OsString, OsString)| {
            let is_name = !name.is_empty() && !name.as_bytes().contains(&b'=');
            let line = [name.as_bytes(), b"=", value.as_bytes()].concat();
            CString::new(line).ok().filter(|_| is_name).ok_or_else(|| {
                let message = format!("{} cannot be set in its environment", name.display());
                io::Error::new(io::ErrorKind::InvalidInput, message)
            })
        };
        let lines: Vec<CString> = variables.0.iter().map(line).collect::<io::Result<_>>()?;
        let pointers = lines.iter().map(|line| line.as_ptr()).chain([std::ptr::null()]).collect();
        Ok(Block { _lines: lines, pointers })
    }

    /// # Safety
    /// No other thread may look at the environment, and this must outlive its use.
    unsafe fn become_ours(&self) {
        // SAFETY: as the caller says.
        unsafe { environ = self.pointers.as_ptr() };
    }
}

unsafe extern "C" {
    static mut environ: *const *const c_char;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(all: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        all.iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    fn output_of_env(environment: &Environment) -> io::Result<String> {
        let mut command = Command::new("/usr/bin/env");
        environment.variables().give_to(&mut command)?;
        Ok(String::from_utf8_lossy(&command.output()?.stdout).into_owned())
    }

    #[test]
    fn exactly_these_in_their_order() {
        let environment = Environment::Exactly(pairs(&[("Z", "1"), ("A", "two words"), ("Z", "3")]));
        assert_eq!(output_of_env(&environment).expect("env runs"), "Z=3\nA=two words\n");
    }

    #[test]
    fn inherited_ones_keep_their_place() {
        let name = env::vars_os().next().expect("tests have an environment").0;
        let changes =
            vec![(name.clone(), Some("changed".into())), ("PATH".into(), None), ("NEW".into(), Some("".into()))];
        let text = output_of_env(&Environment::Inherit { changes }).expect("env runs");
        assert_eq!(text.lines().next(), Some(format!("{}=changed", name.display()).as_str()));
        assert_eq!(text.lines().last(), Some("NEW="));
        assert!(!text.lines().any(|line| line.starts_with("PATH=")));
    }

    #[test]
    fn what_no_environment_can_hold_is_refused() {
        for (name, value) in [("", "1"), ("A=B", "1"), ("A", "a\0b")] {
            let error = output_of_env(&Environment::Exactly(pairs(&[(name, value)]))).expect_err("refused");
            assert_eq!(error.to_string(), format!("{name} cannot be set in its environment"));
        }
    }
}
