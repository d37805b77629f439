//! Connections, from when they are accepted to their end. A connection whose request head is not complete in time is closed: it costs a
//! descriptor, and of these there are not many.

use std::future::Future;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::process::{Resource, getrlimit};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// After a connection could not be accepted, mostly for want of descriptors.
const AFTER_FAILURE: Duration = Duration::from_millis(50);

/// As long as a request may take: who does not read the answer is not waited for.
const LONGEST_DRAIN: Duration = Duration::from_secs(20);

/// So many descriptors stay free for the database, files and what else the process needs.
const KEPT_FREE: u64 = 100;

/// Serves until `ended`, and then what is under way, for a time. A head must be whole `longest_head` after it could have begun.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    longest_head: Duration,
    ended: impl Future<Output = ()> + Send,
) {
    let (end, told_to_end) = watch::channel(());
    let mut connections = JoinSet::new();
    let most = most_connections();
    tokio::pin!(ended);
    loop {
        tokio::select! {
            () = &mut ended => break,
            accepted = listener.accept(), if connections.len() < most => match accepted {
                Ok((stream, _)) => drop(connections.spawn(one(stream, router.clone(), longest_head, told_to_end.clone()))),
                Err(_) => tokio::time::sleep(AFTER_FAILURE).await,
            },
            // What has ended is forgotten.
            Some(_) = connections.join_next() => {}
        }
    }
    drop((listener, end));
    drain(connections, LONGEST_DRAIN).await;
}

/// Those that take longer end with the set.
async fn drain(mut connections: JoinSet<()>, longest: Duration) {
    let all = async { while connections.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(longest, all).await;
}

fn most_connections() -> usize {
    let n_descriptors = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(n_descriptors.saturating_sub(KEPT_FREE).max(1)).unwrap_or(usize::MAX)
}

async fn one(stream: TcpStream, router: Router, longest_head: Duration, mut told_to_end: watch::Receiver<()>) {
    // Small answers are sent at once; where the system does not do it, they are late.
    let _ = stream.set_nodelay(true);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(longest_head);
    let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    tokio::pin!(connection);
    // Who hung up, or was not waited for, is told nothing.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = told_to_end.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_does_not_wait_for_ever() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let mut connections = JoinSet::new();
            connections.spawn(std::future::pending());
            drain(connections, Duration::from_millis(20)).await;
        });
    }
}
