//! A client of the Debug Adapter Protocol that follows a script and writes down what is said. Where `DAP_MESSAGES` names a folder, every message is
//! kept there as well, a file for each session: `tests/dap/messages.mjs` checks them.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    folder: PathBuf,
    seq: i64,
    pub transcript: String,
    /// What was answered, by request.
    answers: HashMap<i64, Value>,
    events: Vec<Value>,
    /// All messages, as they are.
    kept: Option<fs::File>,
}

/// A project of these files.
pub fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    folder
}

pub fn wherefore(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wherefore"));
    let runtime = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../packages/runtime");
    command.env("WHEREFORE_RUNTIME", runtime).current_dir(folder);
    command
}

impl Client {
    pub fn start(folder: &Path) -> Client {
        let mut child =
            wherefore(folder).arg("dap").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let output = BufReader::new(child.stdout.take().unwrap());
        let input = child.stdin.take();
        let folder = folder.canonicalize().unwrap();
        let (answers, events) = (HashMap::new(), Vec::new());
        let kept = std::env::var_os("DAP_MESSAGES").map(|kept| {
            fs::create_dir_all(&kept).unwrap();
            fs::File::create(Path::new(&kept).join(format!("{}.jsonl", child.id()))).unwrap()
        });
        Client { child, input, output, folder, seq: 0, transcript: String::new(), answers, events, kept }
    }

    /// With a run of the command that has been opened and shown.
    pub fn launched(folder: &Path, command: &str) -> Client {
        let mut client = Client::start(folder);
        client.ask("initialize", json!({"adapterID": "wherefore"}));
        client.ask("launch", json!({"command": command}));
        client.event("initialized");
        client
    }

    /// Sends a request and writes it down with its answer.
    pub fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let seq = self.send(command, arguments);
        self.answer(seq)
    }

    /// Asks, and waits until control stands somewhere.
    pub fn go(&mut self, command: &str, arguments: Value) -> Value {
        self.ask(command, arguments);
        self.event("stopped");
        self.top()
    }

    /// Where control stands.
    pub fn top(&mut self) -> Value {
        let stack = self.quiet("stackTrace", json!({"threadId": 1, "levels": 1}));
        let frame = stack["stackFrames"][0].clone();
        let place = format!("{} {}:{}", frame["name"].as_str().unwrap(), frame["source"]["name"], frame["line"]);
        self.note(&format!("   at {}\n", place.replace('"', "")));
        frame
    }

    /// Asks without writing it down.
    pub fn quiet(&mut self, command: &str, arguments: Value) -> Value {
        let kept = self.transcript.clone();
        let answer = self.ask(command, arguments);
        self.transcript = kept;
        answer
    }

    pub fn send(&mut self, command: &str, arguments: Value) -> i64 {
        self.seq += 1;
        let message = json!({"seq": self.seq, "type": "request", "command": command, "arguments": arguments});
        self.send_text(&message.to_string());
        let arguments = self.told(&arguments_of(&message));
        self.note(&format!("→ {command}{arguments}\n"));
        self.seq
    }

    fn send_text(&mut self, text: &str) {
        self.keep(text);
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    /// Waits for an answer. What is answered in words is written as such.
    pub fn answer(&mut self, seq: i64) -> Value {
        while !self.answers.contains_key(&seq) {
            self.receive();
        }
        let answer = self.answers.remove(&seq).unwrap();
        match answer["success"] == true {
            true => {
                let said = self.told(&answer["body"]);
                self.note(&format!("←{said}\n"));
            }
            false => {
                let said = answer["message"].as_str().unwrap().to_owned();
                self.note(&format!("← refused: {said}\n"));
            }
        }
        answer["body"].clone()
    }

    /// Waits for an event.
    pub fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(at)["body"].clone();
            }
            self.receive();
        }
    }

    fn receive(&mut self) {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let length: usize = line.trim().strip_prefix("Content-Length: ").expect(&line).parse().unwrap();
        self.output.read_line(&mut line).unwrap();
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).unwrap();
        let message: Value = serde_json::from_slice(&text).unwrap();
        self.keep(&message.to_string());
        if message["type"] == "event" {
            let (name, body) = (message["event"].as_str().unwrap(), self.told(&message["body"]));
            self.note(&format!("   {name}{body}\n"));
            self.events.push(message);
        } else {
            self.answers.insert(message["request_seq"].as_i64().unwrap(), message);
        }
    }

    fn keep(&mut self, message: &str) {
        if let Some(kept) = &mut self.kept {
            writeln!(kept, "{message}").unwrap();
        }
    }

    /// Closes the connection without a word, and gives how the process ended.
    pub fn hang_up(&mut self) -> Option<i32> {
        self.input = None;
        self.child.wait().unwrap().code()
    }

    /// Nothing of this machine, of this moment, or that counts what is inside Node.
    fn told(&self, body: &Value) -> String {
        if body.as_object().is_none_or(serde_json::Map::is_empty) {
            return String::new();
        }
        let mut text = match body.get("result").and_then(Value::as_str) {
            Some(result) if result.contains('\n') => format!("\n{}", indented(result)),
            _ => format!(" {body}"),
        };
        text = text.replace(&self.folder.display().to_string(), "FOLDER");
        // What Node says of itself, and at which event a frame is.
        without(&mut text, "\\n    at ", "\"}");
        without(&mut text, "\\\"frame\\\":\\\"", "\\\"");
        let (Some(start), Some(end)) = (text.find("recorded as run"), text.find(" events;")) else { return text };
        let number = text[start..end].rfind(' ').map_or(end, |at| start + at + 1);
        text.replace_range(number..end, "N");
        text
    }

    fn note(&mut self, text: &str) {
        self.transcript.push_str(text);
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.wait();
    }
}

/// Takes out what is behind a word, up to another one.
fn without(text: &mut String, behind: &str, up_to: &str) {
    let Some(start) = text.find(behind).map(|at| at + behind.len()) else { return };
    if let Some(length) = text[start..].find(up_to) {
        text.replace_range(start..start + length, "…");
    }
}

fn arguments_of(message: &Value) -> Value {
    message["arguments"].clone()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("     {line}")).collect::<Vec<_>>().join("\n")
}
