//! An agent that hangs up wants nothing any more: what is done for it is cancelled, and the programs that were started for it end.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::watch;

/// Whether the agent is there.
#[derive(Clone)]
pub struct Line(Arc<watch::Sender<bool>>);

impl Line {
    pub fn open() -> Line {
        Line(Arc::new(watch::Sender::new(true)))
    }

    pub fn hang_up(&self) {
        self.0.send_replace(false);
    }

    pub async fn hung_up(&self) {
        // It holds the other end itself.
        let _ = self.0.subscribe().wait_for(|is_open| !is_open).await;
    }
}

/// What an agent sends; its end is the end of the line.
pub struct Heard<R> {
    from_agent: R,
    line: Line,
}

impl<R> Heard<R> {
    pub fn new(from_agent: R, line: Line) -> Heard<R> {
        Heard { from_agent, line }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Heard<R> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context, buffer: &mut ReadBuf) -> Poll<io::Result<()>> {
        let n_before = buffer.filled().len();
        let has_room = buffer.remaining() > 0;
        let read = Pin::new(&mut self.from_agent).poll_read(context, buffer);
        if let Poll::Ready(result) = &read
            && (result.is_err() || has_room && buffer.filled().len() == n_before)
        {
            self.line.hang_up();
        }
        read
    }
}
