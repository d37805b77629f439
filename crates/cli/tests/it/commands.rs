//! Every command that a document shows is run, in a project in which there is what documents speak of: it is understood and answered.
//! What the commands of transcripts print is compared by `book.rs` and `readme.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::support::{copy_folder, repository};

/// What a command of a document begins with.
const PROGRAMS: [&str; 8] = ["wherefore", "npx", "npm", "node", "cargo", "code", "curl", "mkdir"];

/// Commands that are not run here, by how they begin, and why.
const NOT_RUN: [(&str, &str); 10] = [
    ("cargo xtask", "crates/xtask tests that it understands them"),
    ("cargo", "it is how this is built and run"),
    ("code", "VS Code is not installed here"),
    ("curl", "tests/agent uploads sources to a server"),
    ("wherefore collect", "a program of its own, with tests of its own"),
    ("wherefore-collect", "a program of its own, with tests of its own"),
    ("npm install", "tests/npm installs the packages"),
    ("npx", "tests/failures runs the tools of others"),
    ("mkdir", "it is for the folder of an agent"),
    ("node --", "tests/agent runs the agent; the others are options of Node"),
];

#[test]
fn every_command_of_a_document_is_run() {
    let stage = Stage::new();
    let mut commands: BTreeSet<(PathBuf, String)> = BTreeSet::new();
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        // Of these `readme.rs` compares what is printed.
        let is_compared = document.ends_with("README.md") || document.ends_with("SKILL.md");
        commands.extend(commands_of(&text, is_compared).into_iter().map(|command| (document.clone(), command)));
    }
    let mut run = BTreeSet::new();
    let mut problems = Vec::new();
    for (document, command) in commands {
        let is_told_why = NOT_RUN.iter().any(|(start, _)| command.starts_with(start));
        if !is_told_why && run.insert(command.clone()) {
            let problem = stage.run(&command).err();
            problems.extend(problem.map(|problem| format!("{}: {command} {problem}", document.display())));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(run.len() > 30, "{run:?}");
}

/// Those that people read; what an issue or a change says of a command is past.
fn documents() -> Vec<PathBuf> {
    let mut documents: Vec<PathBuf> =
        ["README.md", "SECURITY.md", "CONTRIBUTING.md"].iter().map(|name| repository().join(name)).collect();
    for folder in ["docs", "docs/questions", "packages/npm", "packages/agent", "packages/collect"] {
        let files = fs::read_dir(repository().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        documents.extend(files.filter(|file| file.extension().is_some_and(|ending| ending == "md")));
    }
    documents
}

/// The commands in blocks of a text and between backquotes in its lines, without those whose output is compared.
fn commands_of(text: &str, is_compared: bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut fence = None;
    for line in text.lines() {
        let prompted = line.trim_start().strip_prefix("$ ");
        if let Some(language) = line.strip_prefix("```") {
            fence = fence.is_none().then_some(language);
        } else if fence == Some("console") || is_compared && prompted.is_some() {
            // `book.rs` runs it, or `readme.rs`.
        } else if let Some(line) = prompted.or(line.strip_prefix("    ")).or(fence.map(|_| line)) {
            // Behind it stands what it does.
            let command = line.split("  ").next().unwrap_or_default();
            found.extend(command.split(" · ").map(str::to_owned));
        } else {
            // The name of a command alone is there, if it can be asked for help.
            let spans = line.split('`').skip(1).step_by(2);
            found.extend(spans.map(|span| match span.split(' ').count() {
                2 if span.starts_with("wherefore ") => format!("{span} --help"),
                _ => span.to_owned(),
            }));
        }
    }
    found.retain(|command| command.split_once(' ').is_some_and(|(program, _)| PROGRAMS.contains(&program)));
    found
        .iter()
        .map(|command| match command.strip_prefix("npx wherefore") {
            Some(rest) => format!("wherefore{rest}"),
            None => command.clone(),
        })
        .collect()
}

/// A project with some runs, of which the latest failed.
struct Stage {
    project: tempfile::TempDir,
    /// Programs that are found first.
    bin: tempfile::TempDir,
}

impl Stage {
    fn new() -> Stage {
        let [project, bin] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let write = |name: &str, text: &str| {
            let file = project.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        for name in ["shop.js", "mergesort.cjs", "cart.js", "src/cart.js", "src/order.js", "src/offers.js", "src/a.js"]
        {
            write(name, &source(""));
        }
        let others = "for (const name of ['cart', 'order', 'offers', 'a']) require('./src/' + name);\n";
        let fails = "if (process.argv[2] !== 'fine' && cart.total > 3) throw new Error('it is ' + cart.total);\n";
        write("app.js", &source(&format!("{others}{fails}")));
        write("app.test.js", "require('node:test').test('is one', () => require('node:assert').equal(2, 1));\n");
        write("package.json", r#"{ "name": "p", "scripts": { "test": "node --test" } }"#);
        let open = bin.path().join("xdg-open");
        fs::write(&open, "#!/bin/sh\n").unwrap();
        assert!(Command::new("chmod").arg("+x").arg(&open).status().unwrap().success());
        let stage = Stage { project, bin };
        let prepare = |command: &str, code: i32| {
            let output = stage.shell(stage.project.path(), command).output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        };
        prepare("wherefore record -- npm test", 1);
        prepare("wherefore record -- node app.js", 1);
        prepare("wherefore record -- node app.js fine", 0);
        prepare("wherefore record -- node app.js", 1);
        for line in 10..16 {
            prepare(&format!("wherefore last-change x --at app.js:{line}"), 0);
        }
        prepare("wherefore export -o failed.wherefore", 0);
        stage
    }

    fn shell(&self, folder: &Path, command: &str) -> Command {
        let program = Path::new(env!("CARGO_BIN_EXE_wherefore")).parent().unwrap();
        let path = format!("{}:{}:{}", self.bin.path().display(), program.display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec {command}")]).env("PATH", path).current_dir(folder);
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        shell
    }

    /// In a copy of the project, so that none finds what another one recorded.
    fn run(&self, shown: &str) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        copy_folder(self.project.path(), folder.path());
        // What a reader is to fill in; any port may be taken.
        let command = shown.replace("COMMAND", "npm test").replace('…', "app.js:12");
        let command = match command.split_once(" --port") {
            Some((before, _)) => format!("{before} --port 0"),
            None => command,
        };
        let is_served = [" open", " --port"].iter().any(|what| command.contains(what)) && !command.ends_with("--help");
        let mut child = self.shell(folder.path(), &command).spawn().unwrap();
        let (tell, said) = mpsc::channel();
        for stream in
            [Box::new(child.stdout.take().unwrap()) as Box<dyn Read + Send>, Box::new(child.stderr.take().unwrap())]
        {
            let tell = tell.clone();
            std::thread::spawn(move || {
                BufReader::new(stream).lines().map_while(Result::ok).for_each(|line| drop(tell.send(line)));
            });
        }
        drop(tell);
        let mut all = String::new();
        while let Ok(line) = said.recv_timeout(LONGEST) {
            all.push_str(&format!("{line}\n"));
            if is_served && line.contains("127.0.0.1:") {
                child.kill().unwrap();
                child.wait().unwrap();
                return Ok(());
            }
        }
        let code = child.wait().unwrap().code();
        // An answer, or that there is none; a command that is run ends as it does.
        match code {
            _ if is_served => Err(format!("does not say where it listens\n{all}")),
            Some(0 | 1) => Ok(()),
            _ => Err(format!("ended with {code:?}\n{all}")),
        }
    }
}

/// Nothing here is silent for so long.
const LONGEST: Duration = Duration::from_secs(120);

/// A program with the names that documents use, in each of its lines.
fn source(end: &str) -> String {
    let changes =
        "x += 1; cart.total += 1; order.total += 1; item.price += 1; line.price += 1; percent += 1;\n".repeat(50);
    format!(
        "const cart = {{ total: 1, lines: [1] }}, order = {{ total: 1 }}, item = {{ price: 1 }}, line = {{ price: 1, sku: 'pen' }};\n\
         const offer = {{ percent: 10 }}, a = 1, b = 1; let x = 1, percent = 1;\n{changes}{end}"
    )
}
