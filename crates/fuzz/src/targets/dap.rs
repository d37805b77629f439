//! What a client of `wherefore dap` sends: a message on each line, without its header. An input that begins with a header is the stream itself.

use std::io::{self, Cursor};
use std::sync::{Arc, LazyLock};

use dap_server::{Options, Pages};
use debugger::{Answer, FoundCall, QuestionShown};
use serde_json::Value;

use crate::sample::project;

pub fn dap(input: &[u8]) {
    static STREAM: LazyLock<Arc<Options>> = LazyLock::new(|| options(Some("nobody knows it".into())));
    static SESSION: LazyLock<Arc<Options>> = LazyLock::new(|| options(None));
    if input.starts_with(b"Content-") {
        // Nothing is run or opened: a stream that is made at random must not start programs.
        dap_server::serve(&STREAM, Cursor::new(input.to_vec()), io::sink());
    } else {
        dap_server::serve(&SESSION, Cursor::new(framed(input)), io::sink());
    }
}

/// The messages with their headers, without those that run programs.
fn framed(input: &[u8]) -> Vec<u8> {
    let mut stream = Vec::new();
    for message in input.split(|byte| *byte == b'\n') {
        if !runs_a_program(message) {
            stream.extend_from_slice(format!("Content-Length: {}\r\n\r\n", message.len()).as_bytes());
            stream.extend_from_slice(message);
        }
    }
    stream
}

fn runs_a_program(message: &[u8]) -> bool {
    let command = serde_json::from_slice::<Value>(message).ok().and_then(|message| message.get("command").cloned());
    command.is_some_and(|command| command == "launch" || command == "restart")
}

fn options(token: Option<String>) -> Arc<Options> {
    Arc::new(Options { folder: project().into(), pages: Box::new(Brief), token, opened: Box::new(|_| ()) })
}

/// Answers are written by the command line; that is no place where bytes come in.
struct Brief;

impl Pages for Brief {
    fn answer(&self, answer: &Answer) -> String {
        format!("{answer:?}")
    }

    fn question_of_judge(&self, question: &QuestionShown) -> String {
        format!("{question:?}")
    }

    fn found_by_judge(&self, found: &FoundCall) -> String {
        format!("{found:?}")
    }
}
