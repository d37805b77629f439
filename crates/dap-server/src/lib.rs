//! `wherefore dap`: the Debug Adapter Protocol over a recording.
//!
//! A client that debugs a live program has it run, and stops it. Here the program has run already: to continue is to look for the
//! next event at which a breakpoint would have stopped it, forward or back, and every moment can be come to again. So nothing
//! happens between two requests, and a session is one thread that answers requests in their order (`adapter.rs`). Only what must
//! not wait for its turn is done where messages are read: cancelling what is asked (`reading.rs`). A program that is recorded runs beside the
//! session, which hears of its end as it hears of a request (`recording.rs`).

mod adapter;
mod breakpoints;
mod capabilities;
mod completions;
mod console;
mod custom;
mod data_breakpoints;
mod evaluate;
mod exceptions;
mod goto;
mod judge;
mod locations;
mod log_points;
mod moving;
mod outlet;
mod paging;
mod position;
mod progress;
mod protocol;
mod reading;
mod recording;
mod refusal;
mod sources;
mod stack;
mod starting;
mod variables;
mod wire;

use std::io::{self, BufRead, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use debugger::{Answer, FoundCall, QuestionShown, Session};

const AFTER_FAILURE: Duration = Duration::from_millis(50);

/// What a session needs of the process that it is in.
pub struct Options {
    /// The folder of the user: runs are those of the project around it.
    pub folder: PathBuf,
    /// How answers are written for people.
    pub pages: Box<dyn Pages>,
    /// What a client has to name before anything is run or opened; nothing: whoever can connect may.
    pub token: Option<String>,
    /// Told of each run that is opened: its index may be missing.
    pub opened: Box<dyn Fn(&Session) + Send + Sync>,
}

/// Answers as text. The console shows what the command line prints.
pub trait Pages: Send + Sync {
    fn answer(&self, answer: &Answer) -> String;
    fn question_of_judge(&self, question: &QuestionShown) -> String;
    fn found_by_judge(&self, found: &FoundCall) -> String;
}

/// A token for one start of a server.
pub fn random_token() -> io::Result<String> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// One session, over these; until the client says that it is over, or hangs up.
pub fn serve(options: &Arc<Options>, input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) {
    reading::serve(options, input, Box::new(output));
}

/// Sessions over TCP, one for each client that connects.
pub struct Server {
    listener: TcpListener,
}

impl Server {
    /// On loopback only: whoever can connect, and knows the token if there is one, can have a program run.
    pub fn bind(port: u16) -> io::Result<Server> {
        Ok(Server { listener: TcpListener::bind((Ipv4Addr::LOCALHOST, port))? })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until the process ends.
    pub fn run(self, options: Options) -> io::Result<()> {
        let options = Arc::new(options);
        for client in self.listener.incoming() {
            // One that hung up before its turn, or too many at once: the others are served.
            let Ok((client, output)) = client.and_then(|client| Ok((client.try_clone()?, client))) else {
                thread::sleep(AFTER_FAILURE);
                continue;
            };
            let options = options.clone();
            thread::spawn(move || serve(&options, io::BufReader::new(client), output));
        }
        Ok(())
    }
}
