//! Schemathesis against `wherefore collect`: requests made from the OpenAPI document, right and wrong ones, must be answered as it says.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use anyhow::{Context, Result, ensure};

use crate::paths;
use crate::process::{command, output, run as execute, works};

const VERSION: &str = "schemathesis==4.32.5";

/// Each kind of key has operations of its own. The last is for none.
const OPERATIONS: [(&[&str], &[&str]); 2] = [
    (&["addReport", "getPolicy"], &[]),
    (&["putMap", "listBugs", "getBug", "changeBug", "removeBug", "health"], &["--operator"]),
];

/// `seconds` for each of the two kinds of keys.
pub fn run(seconds: u32, seed: u32) -> Result<()> {
    let schemathesis = install()?;
    let folder = paths::target().join("schemathesis/data");
    let _ = std::fs::remove_dir_all(&folder);
    let server = Server::start(&folder)?;
    for (operations, kind) in OPERATIONS {
        let key = output(
            command(".", paths::wherefore())
                .args(["collect", "key", "add", "fuzzed"])
                .args(kind)
                .arg("--data")
                .arg(&folder),
        )?;
        let mut command = command("tests/collect", &schemathesis);
        command.arg("run").arg(format!("{}/openapi.json", server.url));
        command.arg("--header").arg(format!("Authorization: Bearer {}", String::from_utf8(key)?.trim()));
        command.args(["--max-time", &seconds.to_string(), "--seed", &seed.to_string(), "--no-color", "--workers", "1"]);
        for operation in operations {
            command.args(["--include-operation-id", operation]);
        }
        execute(&mut command)?;
    }
    drop(server);
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}

/// Into an environment of its own; gives the program.
fn install() -> Result<PathBuf> {
    let environment = paths::target().join("schemathesis/venv");
    let program = environment.join("bin/st");
    if works(command(".", &program).arg("--version")) {
        return Ok(program);
    }
    execute(command(".", "python3").args(["-m", "venv", "--clear"]).arg(&environment))
        .context("Python with venv is needed")?;
    execute(command(".", environment.join("bin/pip")).args(["install", "--quiet", VERSION]))?;
    Ok(program)
}

struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start(folder: &Path) -> Result<Server> {
        let mut command = command(".", paths::wherefore());
        command.args(["collect", "--listen", "127.0.0.1:0", "--rate", "100000", "--data"]).arg(folder);
        let mut process = command.stderr(Stdio::piped()).spawn().context("cannot start wherefore collect")?;
        let mut lines = BufReader::new(process.stderr.take().context("no stderr")?).lines();
        let first = lines.next().context("wherefore collect says nothing")??;
        let url = first.find("http://").map(|at| first[at..].trim().to_owned());
        ensure!(url.is_some(), "wherefore collect does not listen: {first}");
        // What it says later must be read by somebody, and is of use where a request failed.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(|line| println!("{line}")));
        Ok(Server { process, url: url.unwrap_or_default() })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
