//! A server from its start to its end.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Notify;

use crate::analysis::Learning;
use crate::auth::Keys;
use crate::http::{App, router};
use crate::ingest::Ingest;
use crate::limits::Rates;
use crate::log::Log;
use crate::metrics::Metrics;
use crate::options::{Database, Options};
use crate::policies::Policies;
use crate::quota::Quotas;
use crate::store::Store;
use crate::{Error, analysis, connections, metrics, time, webhook};

const CLEAN_EVERY: Duration = Duration::from_secs(60 * 60);

/// Runs until the process is told to end.
pub fn run(options: Options, log: Log) -> Result<(), Error> {
    allow_many_connections();
    runtime()?.block_on(async move {
        let (mut terminated, mut interrupted) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        let told_to_end = async move {
            tokio::select! {
                _ = terminated.recv() => {}
                _ = interrupted.recv() => {}
            }
        };
        serve(options, log, told_to_end, |_| ()).await
    })
}

/// Runs until `ended`; `listening` is told the address, whose port the system may have chosen.
pub async fn serve(
    options: Options,
    log: Log,
    ended: impl Future<Output = ()> + Send + 'static,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), Error> {
    let store = open(&options.database).await?;
    let stored = Arc::new(Notify::new());
    let policies = Arc::new(Policies::new(options.budget));
    let counted = Arc::new(Metrics::default());
    let app = App {
        keys: Keys::default(),
        rates: Rates::new(options.rate),
        ingest: Ingest::start(&store, &stored, &log),
        policies: policies.clone(),
        log: log.clone(),
        metrics: counted.clone(),
        store: store.clone(),
    };
    let learning = Learning {
        patience: options.patience,
        quotas: Arc::new(Quotas::new(options.quota)),
        notifies: options.webhook.is_some(),
    };
    let mut tasks = vec![
        tokio::spawn(analysis::run(store.clone(), policies, learning, stored, log.clone())),
        tokio::spawn(clean(store.clone(), options.keep, log.clone())),
    ];
    tasks.extend(options.webhook.map(|webhook| tokio::spawn(webhook::run(store.clone(), webhook, log.clone()))));
    let (listener, address) = listen(options.listen).await?;
    log.say(&format!("listening on http://{address}"));
    if !address.ip().is_loopback() {
        log.say(
            "other machines can reach it, and what they send is not encrypted: put a proxy with TLS in front of it",
        );
    }
    if let Some(wanted) = options.metrics {
        let (listener, address) = listen(wanted).await?;
        log.say(&format!("metrics on http://{address}/metrics"));
        let router = metrics::router(store.clone(), counted);
        tasks.push(tokio::spawn(connections::serve(listener, router, options.longest_head, std::future::pending())));
    }
    listening(address);
    connections::serve(listener, router(Arc::new(app)), options.longest_head, ended).await;
    for task in tasks {
        task.abort();
    }
    store.close().await;
    Ok(())
}

/// A shell gives a thousand descriptors, and the system far more to who asks. Each connection takes one.
fn allow_many_connections() {
    let most = getrlimit(Resource::Nofile).maximum;
    // With fewer, the server runs as well.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: most, maximum: most });
}

async fn listen(wanted: SocketAddr) -> Result<(TcpListener, SocketAddr), Error> {
    let listener = TcpListener::bind(wanted).await.map_err(|error| Error::Address(wanted, error))?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

pub async fn open(database: &Database) -> Result<Store, Error> {
    Ok(match database {
        Database::Folder(folder) => Store::in_folder(folder).await?,
        Database::Url(url) => Store::at_url(url).await?,
    })
}

pub fn runtime() -> Result<tokio::runtime::Runtime, Error> {
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)
}

async fn clean(store: Store, keep: Duration, log: Log) {
    loop {
        match store.remove_reports_before(time::now() - keep.as_millis() as i64).await {
            Ok(0) => {}
            Ok(n_removed) => log.say(&format!("removed {n_removed} old reports")),
            Err(error) => log.say(&format!("old reports could not be removed: {error}")),
        }
        tokio::time::sleep(CLEAN_EVERY).await;
    }
}
