//! A load generator. Requests are due at fixed times, whether earlier ones were answered or not, and a latency counts from when the
//! request was due: a server that stalls cannot hide it by slowing the generator.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

#[derive(Clone)]
pub struct Load {
    /// Requests go to these in turn.
    pub servers: Vec<SocketAddr>,
    pub key: String,
    pub per_second: u64,
    pub seconds: u64,
    pub connections: u64,
    /// Numbers of reports count from here.
    pub first: u64,
}

#[derive(Default)]
pub struct Comparison {
    /// Numbers of the reports that were said to be stored.
    pub accepted: Vec<u64>,
    /// How long each of these took, in milliseconds.
    pub latencies: Vec<f64>,
    /// Other answers, and connections that broke.
    pub n_failed: u64,
    pub seconds: f64,
}

impl Comparison {
    pub fn percentile(&self, share: f64) -> f64 {
        let mut sorted = self.latencies.clone();
        sorted.sort_by(f64::total_cmp);
        sorted
            .get(((sorted.len() as f64 * share) as usize).min(sorted.len().saturating_sub(1)))
            .copied()
            .unwrap_or(f64::NAN)
    }

    pub fn add(&mut self, other: Comparison) {
        self.accepted.extend(other.accepted);
        self.latencies.extend(other.latencies);
        self.n_failed += other.n_failed;
        self.seconds += other.seconds;
    }

    pub fn per_second(&self) -> f64 {
        self.accepted.len() as f64 / self.seconds
    }
}

/// Sends until the time is over, or `stopped` says so.
pub async fn send(load: &Load, stopped: Arc<AtomicU64>) -> Comparison {
    let next = Arc::new(AtomicU64::new(0));
    let begin = Instant::now();
    let connections: Vec<_> = (0..load.connections)
        .map(|number| {
            let server = load.servers[number as usize % load.servers.len()];
            tokio::spawn(send_over_one(load.clone(), server, next.clone(), begin, stopped.clone()))
        })
        .collect();
    let mut outcome = Comparison::default();
    for connection in connections {
        let part = connection.await.unwrap_or_default();
        outcome.accepted.extend(part.accepted);
        outcome.latencies.extend(part.latencies);
        outcome.n_failed += part.n_failed;
    }
    outcome.seconds = begin.elapsed().as_secs_f64();
    outcome
}

/// Sends reports again that were stored. Gives the numbers of those that the server does not know.
pub async fn unknown(server: SocketAddr, key: &str, numbers: &[u64]) -> Vec<u64> {
    let mut sender = connect(server).await.expect("the server listens");
    let mut unknown = Vec::new();
    for number in numbers {
        match post(&mut sender, server, key, report_of_load(*number)).await {
            Some(StatusCode::OK) => {}
            _ => unknown.push(*number),
        }
    }
    unknown
}

async fn send_over_one(
    load: Load,
    server: SocketAddr,
    next: Arc<AtomicU64>,
    begin: Instant,
    stopped: Arc<AtomicU64>,
) -> Comparison {
    let mut outcome = Comparison::default();
    let Some(mut sender) = connect(server).await else { return outcome };
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let due = begin + Duration::from_secs_f64(number as f64 / load.per_second as f64);
        if due.duration_since(begin).as_secs() >= load.seconds || stopped.load(Ordering::Relaxed) != 0 {
            return outcome;
        }
        tokio::time::sleep_until(due.into()).await;
        match post(&mut sender, server, &load.key, report_of_load(load.first + number)).await {
            Some(StatusCode::ACCEPTED) => {
                outcome.accepted.push(load.first + number);
                outcome.latencies.push(due.elapsed().as_secs_f64() * 1000.0);
            }
            Some(_) => outcome.n_failed += 1,
            None => {
                outcome.n_failed += 1;
                match connect(server).await {
                    Some(again) => sender = again,
                    None => return outcome,
                }
            }
        }
    }
}

pub async fn connect(server: SocketAddr) -> Option<SendRequest<Full<Bytes>>> {
    let stream = TcpStream::connect(server).await.ok()?;
    stream.set_nodelay(true).ok()?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await.ok()?;
    tokio::spawn(async { drop(connection.await) });
    Some(sender)
}

/// None if the connection broke.
pub async fn post(
    sender: &mut SendRequest<Full<Bytes>>,
    server: SocketAddr,
    key: &str,
    body: String,
) -> Option<StatusCode> {
    sender.ready().await.ok()?;
    let request = Request::post("/v1/reports")
        .header("Host", server.to_string())
        .header("Authorization", format!("Bearer {key}"))
        .header("Content-Type", "application/json")
        .body(Full::new(Bytes::from(body)))
        .expect("a request");
    let response = sender.send_request(request).await.ok()?;
    let status = response.status();
    response.into_body().collect().await.ok()?;
    Some(status)
}

/// There are ten bugs, and a thousand users who meet them.
fn report_of_load(number: u64) -> String {
    report(number, number % 10)
}

/// A crash with a path of 24 labels, about 5 KB.
pub fn report(number: u64, bug: u64) -> String {
    let function = |name: u64| format!(r#""file":"shop/lib/cart.js","function":"{:016x}""#, bug * 1000 + name);
    let site = |name: u64, kind: &str, nth: u64| {
        format!(
            r#"{{{},"function_line":{},"function_column":1,"kind":"{kind}","nth":{nth},"line":{},"column":7}}"#,
            function(name),
            name * 10,
            name * 10 + nth
        )
    };
    let mut labels = Vec::new();
    for name in 0..6 {
        labels.push(format!(
            r#"{{"label":"enter","function":{{{},"line":{},"column":1}}}}"#,
            function(name),
            name * 10
        ));
        labels.push(format!(r#"{{"label":"branch","site":{},"taken":true}}"#, site(name, "Branch", 0)));
        labels.push(format!(
            r#"{{"label":"call","site":{},"callee":{{{},"line":{},"column":1}}}}"#,
            site(name, "Call", 0),
            function(name + 1),
            (name + 1) * 10
        ));
    }
    labels.push(format!(r#"{{"label":"crash","site":{}}}"#, site(6, "Call", 0)));
    let stack: Vec<String> = (0..6).rev().map(|name| site(name, "Call", 0)).collect();
    format!(
        r#"{{"version":1,"id":"{:08x}-0000-4000-8000-{:012x}","release":"1.4.2","cohort":{},"policy":null,"node":"20.20.2","exception":"TypeError","stack":[{}],"labels":[{}],"cut":false,"spent":{{"events":12345,"seconds":3.2,"recorder_seconds":0.02}}}}"#,
        number >> 32,
        number & 0xffff_ffff,
        number % 1000,
        stack.join(","),
        labels.join(",")
    )
}
