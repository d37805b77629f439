//! Connections, from when they are accepted to their end. Who sends the head of a request slowly, or nothing at all, is not waited for: a connection costs
//! a descriptor, and of these there are not many.

use std::future::Future;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// After a connection could not be accepted, mostly for want of descriptors.
const AFTER_FAILURE: Duration = Duration::from_millis(50);

/// Serves until `ended`, and then what is under way. A head must be whole `longest_head` after it could have begun.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    longest_head: Duration,
    ended: impl Future<Output = ()> + Send,
) {
    let (end, told_to_end) = watch::channel(());
    let mut connections = JoinSet::new();
    tokio::pin!(ended);
    loop {
        tokio::select! {
            () = &mut ended => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => drop(connections.spawn(one(stream, router.clone(), longest_head, told_to_end.clone()))),
                Err(_) => tokio::time::sleep(AFTER_FAILURE).await,
            },
            // What has ended is forgotten.
            Some(_) = connections.join_next() => {}
        }
    }
    drop((listener, end));
    while connections.join_next().await.is_some() {}
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
