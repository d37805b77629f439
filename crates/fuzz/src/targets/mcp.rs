//! What an agent sends to `wherefore mcp`: a message on each line.

use std::sync::LazyLock;

use mcp_server::Options;
use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex, split};
use tokio::runtime::{Builder, Runtime};

use crate::sample::project;

const BUFFER: usize = 1 << 16;

pub fn mcp(input: &[u8]) {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
        Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("threads can be made")
    });
    // What an agent may run is decided elsewhere; here it may run nothing.
    let options = Options { workspace: project().into(), may_run: false, opened: Box::new(|_| ()) };
    RUNTIME.block_on(async {
        let (ours, theirs) = duplex(BUFFER);
        let serving = tokio::spawn(mcp_server::serve(options, split(theirs)));
        let (mut answers, mut messages) = split(ours);
        let reading = tokio::spawn(async move {
            let mut all = Vec::new();
            let _ = answers.read_to_end(&mut all).await;
        });
        // Who is refused is hung up on.
        let _ = messages.write_all(input).await;
        let _ = messages.shutdown().await;
        let _ = serving.await.expect("it does not panic");
        reading.abort();
    });
}
