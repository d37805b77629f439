//! Where an experiment is run: a throw-away copy of the project's folder, apart from the rest of the machine as far as the system allows.
//!
//! On Linux with namespaces the copy is an overlay in the very place of the folder: the program finds everything under its own path,
//! what it writes goes into a folder of ours, everything else is read-only, and there is no network but loopback. Elsewhere the
//! folder is copied, and only that is kept apart.

mod copy;
mod namespaces;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use namespaces::Namespaces;

/// How far runs are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Apart {
    /// Nothing outside can be written, and nobody be talked to.
    Wholly,
    /// The folder only.
    FolderOnly,
}

/// A place to run one program at a time.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The folder of the project.
    root: PathBuf,
    /// Ours: what is in it goes with it.
    scratch: PathBuf,
    how: How,
}

#[derive(Clone, Debug)]
enum How {
    Overlay(Namespaces),
    Copy { snapshot: copy::Snapshot },
}

impl Stage {
    /// `scratch` is an empty folder of ours. With `allows_effects` the program may write outside of the folder and use the network.
    pub fn new(root: &Path, scratch: &Path, allows_effects: bool) -> io::Result<Stage> {
        let root = fs::canonicalize(root)?;
        let scratch = fs::canonicalize(scratch)?;
        for name in ["upper", "work", "own", "own/tmp"] {
            trace_format::private::create_dir_all(&scratch.join(name))?;
        }
        for namespaces in Namespaces::possible(&root, &scratch, allows_effects) {
            let stage = Stage { root: root.clone(), scratch: scratch.clone(), how: How::Overlay(namespaces) };
            if stage.works() {
                return Ok(stage);
            }
        }
        let snapshot = copy::copy_tree(&root, &scratch.join("copy"))?;
        Ok(Stage { root, scratch, how: How::Copy { snapshot } })
    }

    pub fn apart(&self) -> Apart {
        match &self.how {
            How::Overlay(namespaces) if namespaces.closes_the_rest() => Apart::Wholly,
            _ => Apart::FolderOnly,
        }
    }

    /// A folder that the program and we can both write: for notes, runs, and its temporary files.
    pub fn own(&self) -> PathBuf {
        self.scratch.join("own")
    }

    /// Where the program finds a file of the project, which lies somewhere else in a copy.
    pub fn path_of(&self, path: &Path) -> PathBuf {
        match (&self.how, path.strip_prefix(&self.root)) {
            (How::Copy { .. }, Ok(rest)) => self.scratch.join("copy").join(rest),
            _ => path.to_path_buf(),
        }
    }

    /// An argument of the command: it may name a file of the project.
    fn argument(&self, text: &str) -> String {
        match &self.how {
            How::Copy { .. } => {
                text.replace(&*self.root.to_string_lossy(), &self.scratch.join("copy").to_string_lossy())
            }
            How::Overlay(_) => text.to_owned(),
        }
    }

    /// The command, to be run on the stage, in a group of its own. It ends when we do.
    pub fn command(&self, command: &[String], folder: &Path) -> io::Result<Command> {
        let (program, args) = command.split_first().ok_or_else(|| io::Error::other("the command is empty"))?;
        let mut staged = Command::new(self.argument(program));
        staged.args(args.iter().map(|arg| self.argument(arg)));
        self.enter(&mut staged, folder)?;
        Ok(staged)
    }

    pub(crate) fn enter(&self, command: &mut Command, folder: &Path) -> io::Result<()> {
        command.current_dir(self.path_of(folder)).process_group(0);
        let die_with_us = || {
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
            Ok(())
        };
        // SAFETY: it makes one system call and asks for no memory, which is allowed between fork and exec.
        unsafe { command.pre_exec(die_with_us) };
        if let How::Overlay(namespaces) = &self.how {
            namespaces.enter(command, folder)?;
        }
        Ok(())
    }

    /// What its environment has beside the usual.
    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        vec![("TMPDIR", self.own().join("tmp").into())]
    }

    /// The folder is again as it was before a program ran here.
    pub fn reset(&mut self) -> io::Result<()> {
        remake(&self.own().join("tmp"))?;
        match &mut self.how {
            How::Overlay(_) => {
                remake(&self.scratch.join("upper"))?;
                remake(&self.scratch.join("work"))
            }
            How::Copy { snapshot } => copy::restore(&self.root, &self.scratch.join("copy"), snapshot),
        }
    }

    /// Whether a program can be run here at all.
    fn works(&self) -> bool {
        let probe = self.command(&["true".into()], &self.root).and_then(|mut probe| probe.status());
        probe.is_ok_and(|status| status.success())
    }
}

fn remake(folder: &Path) -> io::Result<()> {
    if fs::read_dir(folder)?.next().is_none() {
        return Ok(());
    }
    copy::remove_tree(folder)?;
    trace_format::private::create_dir_all(folder)
}

pub use copy::remove_tree;
