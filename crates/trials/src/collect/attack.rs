//! What somebody does who wants `wherefore collect` to serve nobody else: heads that never end, keys that are made up, a true key of another
//! project whose every report is a new bug, and bodies that are no reports. Bounded in connections and in requests a second, and on loopback alone.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use hyper::StatusCode;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use super::load::{self, connect, post};

#[derive(Clone)]
pub struct Attack {
    pub server: SocketAddr,
    /// Of a project that is the attacker's own.
    pub key: String,
    /// Connections whose heads never end.
    pub slow: u64,
    /// Connections that send as much as they may.
    pub busy: u64,
    /// Of each of these.
    pub per_second: u64,
}

/// An attack that is under way.
pub struct UnderWay {
    stopped: Arc<AtomicBool>,
    sent: Arc<AtomicU64>,
    tasks: Vec<JoinHandle<()>>,
}

impl Attack {
    pub fn start(&self) -> UnderWay {
        assert!(self.server.ip().is_loopback(), "an attack is made on loopback alone");
        let (stopped, sent): (Arc<AtomicBool>, Arc<AtomicU64>) = Default::default();
        let slow = (0..self.slow).map(|_| tokio::spawn(send_heads(self.server, stopped.clone())));
        let mut tasks: Vec<_> = slow.collect();
        tasks.extend((0..self.busy).map(|_| tokio::spawn(send_requests(self.clone(), stopped.clone(), sent.clone()))));
        UnderWay { stopped, sent, tasks }
    }
}

impl UnderWay {
    /// Gives how many requests were answered.
    pub async fn stop(self) -> u64 {
        self.stopped.store(true, Ordering::Relaxed);
        for task in self.tasks {
            let _ = task.await;
        }
        self.sent.load(Ordering::Relaxed)
    }
}

const BETWEEN_LETTERS: Duration = Duration::from_millis(200);

/// A letter now and then. Who is hung up on begins again.
async fn send_heads(server: SocketAddr, stopped: Arc<AtomicBool>) {
    while !stopped.load(Ordering::Relaxed) {
        let Ok(mut stream) = TcpStream::connect(server).await else {
            tokio::time::sleep(BETWEEN_LETTERS).await;
            continue;
        };
        let mut letters = b"POST /v1/reports HTTP/1.1\r\nX-Slow: ".iter().chain(std::iter::repeat(&b'x'));
        while !stopped.load(Ordering::Relaxed) {
            let letter = *letters.next().expect("they never end");
            if stream.write_all(&[letter]).await.is_err() {
                break;
            }
            tokio::time::sleep(BETWEEN_LETTERS).await;
        }
    }
}

async fn send_requests(attack: Attack, stopped: Arc<AtomicBool>, sent: Arc<AtomicU64>) {
    let mut sender = connect(attack.server).await;
    let mut ticks = tokio::time::interval(Duration::from_secs(1) / attack.per_second as u32);
    while !stopped.load(Ordering::Relaxed) {
        ticks.tick().await;
        let number = sent.fetch_add(1, Ordering::Relaxed);
        let (key, body) = request(&attack.key, number);
        let answered: Option<StatusCode> = match &mut sender {
            Some(sender) => post(sender, attack.server, &key, body).await,
            None => None,
        };
        if answered.is_none() {
            sender = connect(attack.server).await;
        }
    }
}

/// A key and a body, of one kind after the other.
fn request(key: &str, number: u64) -> (String, String) {
    // The numbers of others are lower.
    let new_bug = || load::report(FIRST + number, FIRST + number);
    match number % 4 {
        0 => (key.to_owned(), new_bug()),
        1 => (format!("wfr_{number:012x}_{}", "0".repeat(64)), new_bug()),
        2 => (key.to_owned(), new_bug().replace("\"labels\":[", "\"labels\":[null,")),
        _ => (key.to_owned(), "[".repeat(100_000)),
    }
}

const FIRST: u64 = 1 << 40;
