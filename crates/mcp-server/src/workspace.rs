//! What an agent may run. The operator allows a folder; a command is run only if it starts in that folder and the program that it
//! names lies there too, and no argument names a file outside. That is a fence against mistakes and not a prison: what the program itself
//! then does, and what its configuration names, is up to the program, as it is when a person runs it. Whoever may change files of the
//! workspace, or knows a tool that takes code as an argument, can have anything run.
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
        // A script is run in the folder of its package.
        let is_script = matches!(program.as_str(), "npm" | "pnpm" | "yarn");
        let of_package = self.folders_around(&folder).find(|folder| folder.join("package.json").exists());
        for from in [Some(folder.as_path()), of_package.filter(|_| is_script)].into_iter().flatten() {
            arguments.iter().try_for_each(|argument| self.check_argument(argument, from))?;
        }
        match program.as_str() {
            "node" => self.check_node(arguments, &folder)?,
            "npm" | "pnpm" | "yarn" => self.check_script(program, arguments, &folder)?,
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

    /// An argument of any program: it names no file outside, wherever in the word it does. Who reads it is not known, so what could be read as
    /// a path is one: behind `=`, in a list, in quotes, right behind the letter of an option, and as an address of a file.
    fn check_argument(&self, argument: &str, folder: &Path) -> Result<(), String> {
        let decoded = percent_encoding::percent_decode_str(argument).decode_utf8_lossy();
        for text in [argument, &decoded] {
            if text.to_ascii_lowercase().contains("data:") {
                return Err(format!("{argument} holds code or data of its own, which is not run for an agent"));
            }
            for word in text.split_whitespace() {
                // A slash by itself among other words names no file, as in the name of a test.
                if word == "/" && text != "/" {
                    continue;
                }
                self.check_word(argument, word, folder)?;
            }
        }
        Ok(())
    }

    fn check_word(&self, argument: &str, word: &str, folder: &Path) -> Result<(), String> {
        for part in word.split(|c: char| "=,;\"'`(){}[]<>|&".contains(c)).filter(|part| !is_web_address(part)) {
            if part.to_ascii_lowercase().contains("file:") {
                return Err(format!("{argument}: name a file by its path, not by an address"));
            }
            for path in part.split(':').flat_map(paths_in) {
                self.check_path(path, folder).map_err(|why| format!("{argument}: {why}"))?;
            }
        }
        Ok(())
    }

    /// What is not there is no file, unless it could come to be one.
    fn check_path(&self, path: &str, folder: &Path) -> Result<(), String> {
        if path.starts_with('~') {
            return Err(format!("{path} is outside of the workspace {}", self.folder.display()));
        }
        let whole = folder.join(path);
        match self.inside(&whole) {
            Ok(_) => Ok(()),
            Err(outside) => {
                let plain = lexical(&whole);
                let has_folder = plain.parent().is_some_and(|parent| parent != Path::new("/") && parent.is_dir());
                let may_be =
                    whole.exists() || !plain.starts_with(&self.folder) && has_folder || leads_out(&whole, &self.folder);
                if may_be { Err(outside) } else { Ok(()) }
            }
        }
    }

    /// Node takes options up to the first other word, which is the program; with `--test`, all other words are programs.
    fn check_node(&self, arguments: &[String], folder: &Path) -> Result<(), String> {
        let n_options = arguments.iter().take_while(|argument| argument.starts_with('-')).count();
        let (options, files) = arguments.split_at(n_options);
        options.iter().try_for_each(|option| self.check_node_option(option, folder))?;
        let is_test = options.iter().any(|option| option == "--test");
        if files.is_empty() && !is_test {
            return Err("node without a file waits for its program: name a file".into());
        }
        let n_programs = if is_test { files.len() } else { 1 };
        files[..n_programs].iter().try_for_each(|file| self.file(folder, file).map(drop))
    }

    /// What is not known could run or load something else, or take the next word as its value, so that another one is the program.
    fn check_node_option(&self, option: &str, folder: &Path) -> Result<(), String> {
        match option.split_once('=') {
            None if NODE_SWITCHES.contains(&option) => Ok(()),
            Some((name, _)) if NODE_SETTINGS.contains(&name) => Ok(()),
            Some((name, module)) if NODE_MODULES.contains(&name) => match is_plain_name(module) {
                true => Ok(()),
                false => self.file(folder, module).map(drop),
            },
            None if NODE_SETTINGS.contains(&option) || NODE_MODULES.contains(&option) => {
                Err(format!("node {option} is run for an agent with its value in the same word: {option}=VALUE"))
            }
            _ => Err(format!("node {option} is not run for an agent: name the file of the program, or --test")),
        }
    }

    /// npm takes the scripts of the nearest package, which may be one above the workspace.
    fn check_script(&self, program: &str, arguments: &[String], folder: &Path) -> Result<(), String> {
        // What follows `--` is for the script.
        let own: Vec<&str> = arguments.iter().map(String::as_str).take_while(|argument| *argument != "--").collect();
        match own[..] {
            ["test" | "t" | "start"] => {}
            ["run" | "run-script", name] if !name.starts_with('-') => {}
            _ => {
                return Err(format!(
                    "{program} is run as {program} test, {program} start or {program} run NAME, with arguments of the script behind --"
                ));
            }
        }
        match self.folders_around(folder).any(|folder| folder.join("package.json").exists()) {
            true => Ok(()),
            false => Err(format!("there is no package.json in {}, nor around it in the workspace", folder.display())),
        }
    }

    /// Only what is there: otherwise npx would load and run something from elsewhere.
    fn check_tool(&self, arguments: &[String], folder: &Path) -> Result<(), String> {
        let Some(tool) = arguments.first().filter(|tool| !tool.starts_with('-')) else {
            return Err("npx is run with the name of a tool, and without options of its own".into());
        };
        let is_installed = |folder: &Path| self.inside(&folder.join("node_modules/.bin").join(tool)).is_ok();
        match is_plain_name(tool) && self.folders_around(folder).any(is_installed) {
            true => Ok(()),
            false => Err(format!("{tool} is not installed in the workspace, and nothing is loaded from elsewhere")),
        }
    }

    /// A folder and those around it, up to the workspace.
    fn folders_around<'a>(&'a self, folder: &'a Path) -> impl Iterator<Item = &'a Path> {
        folder.ancestors().take_while(|folder| folder.starts_with(&self.folder))
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

/// Options of Node that have no value.
const NODE_SWITCHES: [&str; 8] = [
    "--test",
    "--test-only",
    "--test-force-exit",
    "--test-update-snapshots",
    "--enable-source-maps",
    "--experimental-strip-types",
    "--trace-uncaught",
    "--no-warnings",
];

/// Options whose value is data.
const NODE_SETTINGS: [&str; 7] = [
    "--test-name-pattern",
    "--test-skip-pattern",
    "--test-timeout",
    "--test-concurrency",
    "--test-shard",
    "--test-isolation",
    "--stack-trace-limit",
];

/// Options whose value is a module that is loaded, or a file that is written.
const NODE_MODULES: [&str; 3] = ["--test-reporter", "--test-reporter-destination", "--test-global-setup"];

/// The words of an argument that a program may read as a path: the whole, and what may stand right behind an option.
fn paths_in(part: &str) -> impl Iterator<Item = &str> {
    let behind_option = part.strip_prefix('-').and_then(|option| {
        let at = option.find(['/', '~']).into_iter().chain(option.find("..")).min()?;
        // The dot of `-r./x` belongs to the path.
        let at = if at > 0 && option[..at].ends_with('.') { at - 1 } else { at };
        Some(&option[at..])
    });
    let is_path = |part: &&str| !part.is_empty() && !part.starts_with('-');
    [Some(part).filter(is_path), behind_option].into_iter().flatten()
}

fn is_web_address(part: &str) -> bool {
    let part = part.trim_start_matches('-').to_ascii_lowercase();
    ["http://", "https://", "ws://", "wss://"].iter().any(|scheme| part.starts_with(scheme))
}

/// Whether a path that is not there lies behind a link that leads out.
fn leads_out(path: &Path, workspace: &Path) -> bool {
    let there = path.ancestors().find_map(|folder| folder.canonicalize().ok());
    there.is_some_and(|there| there != Path::new("/") && !there.starts_with(workspace))
}

/// Of a package or a built-in; no path, and no address.
fn is_plain_name(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    name.chars().all(is_part) && !name.starts_with('.') && !name.is_empty()
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
        for file in ["../secret.js", "app.js", "package.json", "sub/deep.js", "node_modules/.bin/vitest"] {
            fs::write(inner.join(file), "").unwrap();
        }
        symlink(outer.path().join("secret.js"), inner.join("link.js")).unwrap();
        symlink(outer.path(), inner.join("out")).unwrap();
        symlink(outer.path().join("secret.js"), inner.join("node_modules/.bin/linked")).unwrap();
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
            &["node", "app.js", "--any", "./sub/deep.js"][..],
            &["node", "app"],
            &["node", "app.js", "--test", "sub/../app.js", "--url=http://localhost:3000/x/../y"],
            &["npx", "vitest", "--grep=/adds up/", "-t", "a/b", "-rsub/deep.js", "src/**/*.test.js", "--out=new/x.txt"],
            &["node", "--test"],
            &["node", "--test", "app.js", "sub/deep.js"],
            &["node", "--test", "--test-name-pattern=a/b", "--test-reporter=tap", "--test-only", "app.js"],
            &["node", "--test", "--test-reporter=./app.js"],
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
            (&["node", "--test-reporter=file:\\tmp\\x.js", "--test"], None),
            (&["node", "--test", "app.js", "../secret.js"], None),
            // Node takes the word behind such an option as its value, and the next one is the program.
            (&["node", "--test-name-pattern", "app.js", "../secret.js"], None),
            (&["node", "--test-reporter", "./app.js", "-e", "1"], None),
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
            (&["npx", "linked"], None),
            (&["npx", "../../secret.js"], None),
            (&["npx", "vitest", "/tmp/x.js"], None),
            (&["npx", "vitest", "/etc/passwd"], None),
            (&["npx", "vitest", "--require=../secret.js"], None),
            (&["npx", "vitest", "--require", "../secret.js"], None),
            (&["npx", "vitest", "-r../secret.js"], None),
            (&["npx", "vitest", "-r/etc/passwd"], None),
            (&["npx", "vitest", "--require=link.js"], None),
            (&["npx", "vitest", "--require=out/later.js"], None),
            (&["npx", "vitest", "sub/../../secret.js"], None),
            (&["npx", "vitest", "a,../secret.js"], None),
            (&["npx", "vitest", "--config={\"setup\":\"../secret.js\"}"], None),
            (&["npx", "vitest", "--import=file:///etc/passwd"], None),
            (&["npx", "vitest", "--import=file:///etc%2Fpasswd"], None),
            (&["npx", "vitest", "--import=file://localhost/etc/passwd"], None),
            (&["npx", "vitest", "--import=file:\\etc\\passwd"], None),
            (&["npx", "vitest", "--root=/ -t x"], None),
            (&["npm", "test", "--", "--require", "../secret.js"], Some("sub")),
            (&["npx", "vitest", "--import=data:text/javascript,1"], None),
            (&["npx", "vitest", "~/x.js"], None),
            (&["npx", "vitest", "NODE_OPTIONS=--require=/etc/passwd"], None),
            (&["npx", "vitest", "NODE_OPTIONS=--require /etc/passwd"], None),
            (&["npm", "test", "--", "--require", "/etc/passwd"], None),
            (&["npm", "run", "x", "--", "--node-options=-r /etc/passwd"], None),
            (&["node", "app.js", "/etc/passwd"], None),
            (&["./app.js", "../secret.js"], None),
            (&["sh", "-c", "true"], None),
            (&["/bin/sh"], None),
            (&[], None),
        ] {
            let refused = said(command, start, true).expect_err(&format!("{command:?}"));
            assert!(refused.len() > 20, "{refused}");
        }
        assert!(said(&["node", "app.js"], None, false).unwrap_err().contains("--allow-run"));
    }

    #[test]
    fn scripts_of_a_package_above_the_workspace_are_not_run() {
        let outer = folder();
        let work = outer.path().join("work");
        fs::rename(work.join("package.json"), outer.path().join("package.json")).unwrap();
        let test = ["npm".to_owned(), "test".to_owned()];
        let refused = Workspace::new(&work, true).unwrap().allow(&test, Some("sub")).unwrap_err();
        assert!(refused.contains("no package.json"), "{refused}");
    }
}
