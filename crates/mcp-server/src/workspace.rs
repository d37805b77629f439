//! What an agent may run. The operator allows a folder; a command is run only if it starts in that folder and the program that it
//! names lies there too. What the program itself then does is up to the program, as it is when a person runs it.
//!
//! A command is a file of the workspace (`./bin/tool`), or one of the few programs that run such files: `node FILE`, `node --test`,
//! `npm test`, `npm run NAME` and their likes, `npx TOOL` of what is installed in the workspace. There is no shell, no `node --eval`,
//! and no way to give environment variables.

use std::io;
use std::path::{Component, Path, PathBuf};

pub struct Workspace {
    folder: PathBuf,
    may_run: bool,
}

/// A command that may be run.
#[derive(PartialEq, Eq, Debug)]
pub struct Allowed {
    pub folder: PathBuf,
    pub command: Vec<String>,
}

impl Workspace {
    pub fn new(folder: &Path, may_run: bool) -> io::Result<Workspace> {
        Ok(Workspace { folder: folder.canonicalize()?, may_run })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn may_run(&self) -> bool {
        self.may_run
    }

    /// The command, or the sentence that says why it is not run.
    pub fn allow(&self, command: &[String], folder: Option<&str>) -> Result<Allowed, String> {
        if !self.may_run {
            return Err(
                "this server may only read recordings: whoever started it can allow more with --allow-run".into()
            );
        }
        let folder = self.inside(&self.folder.join(folder.unwrap_or(".")))?;
        if !folder.is_dir() {
            return Err(format!("{} is no folder", folder.display()));
        }
        let [program, arguments @ ..] = command else {
            return Err("a command has at least one word: [\"npm\", \"test\"]".into());
        };
        match program.as_str() {
            "node" => self.check_node(arguments, &folder)?,
            "npm" | "pnpm" | "yarn" => check_script(program, arguments)?,
            "npx" => self.check_tool(arguments, &folder)?,
            path if path.contains('/') => drop(self.file(&folder, path)?),
            other => {
                return Err(format!(
                    "{other} is not run: a command is node FILE, npm test, npm run NAME, npx TOOL of what is installed, or a file of the workspace (./NAME)"
                ));
            }
        }
        Ok(Allowed { folder, command: command.to_vec() })
    }

    /// The program is the first word that is no option; options that run or load something else are not known to be inside.
    fn check_node(&self, arguments: &[String], folder: &Path) -> Result<(), String> {
        for argument in arguments {
            match argument.as_str() {
                "--test"
                | "--enable-source-maps"
                | "--experimental-strip-types"
                | "--trace-uncaught"
                | "--no-warnings" => {}
                option if option.starts_with("--test-") || option.starts_with("--stack-trace-limit=") => {
                    // A reporter or a set-up is a program as well.
                    if let Some(file) =
                        option.split_once('=').map(|(_, value)| value).filter(|value| value.contains('/'))
                    {
                        self.file(folder, file)?;
                    }
                }
                option if option.starts_with('-') => {
                    return Err(format!(
                        "node {option} is not run for an agent: name the file of the program, or --test"
                    ));
                }
                file => return self.file(folder, file).map(drop),
            }
        }
        match arguments.iter().any(|argument| argument == "--test") {
            true => Ok(()),
            false => Err("node without a file waits for its program: name a file".into()),
        }
    }

    /// Only what is there: otherwise npx would load and run something from elsewhere.
    fn check_tool(&self, arguments: &[String], folder: &Path) -> Result<(), String> {
        let Some(tool) = arguments.first().filter(|tool| !tool.starts_with('-')) else {
            return Err("npx is run with the name of a tool, and without options of its own".into());
        };
        let is_name = !tool.contains(['/', '@']) && !tool.contains("..");
        let mut folders = folder.ancestors().take_while(|folder| folder.starts_with(&self.folder));
        match is_name && folders.any(|folder| folder.join("node_modules/.bin").join(tool).exists()) {
            true => Ok(()),
            false => Err(format!("{tool} is not installed in the workspace, and nothing is loaded from elsewhere")),
        }
    }

    fn file(&self, folder: &Path, file: &str) -> Result<PathBuf, String> {
        let inside = self.inside(&folder.join(file)).or_else(|error| {
            // `node app` means app.js.
            self.inside(&folder.join(format!("{file}.js"))).map_err(|_| error)
        })?;
        match inside.is_file() || inside.is_dir() && folder.join(file) != *folder {
            true => Ok(inside),
            false => Err(format!("{file} is no file")),
        }
    }

    /// With all links followed: what lies inside by its name may lead out.
    fn inside(&self, path: &Path) -> Result<PathBuf, String> {
        let outside = || format!("{} is outside of the workspace {}", lexical(path).display(), self.folder.display());
        let real = path.canonicalize().map_err(|_| match lexical(path).starts_with(&self.folder) {
            true => format!("there is no {}", lexical(path).display()),
            false => outside(),
        })?;
        if real.starts_with(&self.folder) { Ok(real) } else { Err(outside()) }
    }
}

/// `npm test`, `npm run NAME`; what follows `--` is for the script.
fn check_script(program: &str, arguments: &[String]) -> Result<(), String> {
    let own: Vec<&str> = arguments.iter().map(String::as_str).take_while(|argument| *argument != "--").collect();
    match own[..] {
        ["test" | "t" | "start"] => Ok(()),
        ["run" | "run-script", name] if !name.starts_with('-') => Ok(()),
        _ => Err(format!(
            "{program} is run as {program} test, {program} start or {program} run NAME, with arguments of the script behind --"
        )),
    }
}

/// Without `.` and `..`, for a path that is not there.
fn lexical(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut so_far, component| {
        match component {
            Component::ParentDir => drop(so_far.pop()),
            Component::CurDir => {}
            other => so_far.push(other),
        }
        so_far
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn folder() -> tempfile::TempDir {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("work");
        fs::create_dir_all(inner.join("node_modules/.bin")).unwrap();
        fs::create_dir_all(inner.join("sub")).unwrap();
        for file in ["../secret.js", "app.js", "sub/deep.js", "node_modules/.bin/vitest"] {
            fs::write(inner.join(file), "").unwrap();
        }
        symlink(outer.path().join("secret.js"), inner.join("link.js")).unwrap();
        symlink(outer.path(), inner.join("out")).unwrap();
        outer
    }

    fn said(command: &[&str], start: Option<&str>, may_run: bool) -> Result<(), String> {
        let outer = folder();
        let workspace = Workspace::new(&outer.path().join("work"), may_run).unwrap();
        let command: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        workspace.allow(&command, start).map(drop)
    }

    #[test]
    fn what_lies_inside_is_run() {
        for command in [
            &["node", "app.js", "--any", "/etc/passwd"][..],
            &["node", "app"],
            &["node", "--test"],
            &["node", "--enable-source-maps", "sub/deep.js"],
            &["npm", "test"],
            &["npm", "test", "--", "--grep", "x"],
            &["pnpm", "run", "build"],
            &["npx", "vitest", "run"],
            &["./app.js"],
        ] {
            assert_eq!(said(command, None, true), Ok(()), "{command:?}");
        }
        assert_eq!(said(&["node", "deep.js"], Some("sub"), true), Ok(()));
        assert_eq!(said(&["npx", "vitest"], Some("sub"), true), Ok(()));
    }

    #[test]
    fn what_lies_outside_gets_a_sentence() {
        for (command, start) in [
            (&["node", "../secret.js"][..], None),
            (&["node", "link.js"], None),
            (&["node", "out/secret.js"], None),
            (&["node", "/etc/passwd"], None),
            (&["node", "-e", "1"], None),
            (&["node", "--eval=1"], None),
            (&["node", "-r", "/tmp/x.js", "app.js"], None),
            (&["node", "--import", "data:text/javascript,1", "app.js"], None),
            (&["node", "--test-reporter=../secret.js", "--test"], None),
            (&["node"], None),
            (&["node", "app.js"], Some("..")),
            (&["node", "secret.js"], Some("out")),
            (&["node", "app.js"], Some("nowhere")),
            (&["npm", "exec", "x"], None),
            (&["npm", "--prefix", "/", "test"], None),
            (&["npm", "test", "--prefix", "/"], None),
            (&["npm", "run", "--prefix=/"], None),
            (&["npx", "cowsay"], None),
            (&["npx", "-y", "vitest"], None),
            (&["npx", "../../secret.js"], None),
            (&["sh", "-c", "true"], None),
            (&["/bin/sh"], None),
            (&[], None),
        ] {
            let refused = said(command, start, true).expect_err(&format!("{command:?}"));
            assert!(refused.len() > 20, "{refused}");
        }
        assert!(said(&["node", "app.js"], None, false).unwrap_err().contains("--allow-run"));
    }
}
