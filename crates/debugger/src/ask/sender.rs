//! Where something was sent that a thread received: in another thread, another process, or the same one.

use query::{Arrival, Limits, Passed, Terminator, why_sent};
use trace_store::Step;

use super::why::{Chain, ChainHop};
use super::{Moment, Point};

impl<'r> Moment<'r> {
    /// The call that sent what arrived.
    pub(crate) fn sender_point(&self, arrival: &Arrival) -> Option<Point> {
        let sender = self.sender(arrival)?;
        let call = sender.trace.belongs_to(&sender.at.step)?;
        let point = sender.point(&call);
        sender.notes().into_iter().for_each(|note| self.note(note));
        point.line.is_some().then_some(point)
    }

    /// Hangs what the sender did under each hop that something arrived at.
    pub(crate) fn follow_senders(
        &self,
        chain: &mut Chain,
        arrivals: Vec<(usize, Arrival)>,
        limits: Limits,
        depth: usize,
    ) {
        for (number, arrival) in arrivals {
            let Some(sender) = self.sender(&arrival).filter(|_| depth > 0) else { continue };
            let limits = Limits { hops: limits.hops.min(MOST_HOPS_OF_SENDER), ..limits };
            let Some(explanation) = why_sent(&sender.trace, &sender.at.step, arrival.path.as_deref(), limits) else {
                continue;
            };
            let sent = sender.chain_within(explanation, limits, depth - 1);
            sender.notes().into_iter().for_each(|note| self.note(note));
            if chain.hops[number].end.as_ref().is_some_and(|end| end.kind == Terminator::OutsideInput.name()) {
                chain.hops[number].end = None;
            }
            let before = chain.hops.len();
            let moved = |hop: ChainHop| ChainHop {
                parent: Some(hop.parent.map_or(number, |parent| parent + before)),
                rank: None,
                ..hop
            };
            chain.hops.extend(sent.hops.into_iter().map(moved));
        }
    }

    /// Stands where it was sent. If more than one thread may have done it, nobody knows.
    fn sender(&self, arrival: &Arrival) -> Option<Moment<'r>> {
        let received = self.trace.passed(&arrival.step)?;
        let mut found: Option<(usize, Step)> = None;
        for (number, thread) in (1..).zip(self.run.threads()) {
            let trace = self.trace.beside(thread);
            let sent = trace.sender_of(&received).or_else(|| {
                let fd = output_of(&received, thread.pid()).filter(|_| thread.number() == 0)?;
                trace.printed(fd, &received)
            });
            if let Some(sent) = sent {
                if found.is_some() {
                    return None;
                }
                found = Some((number, sent));
            }
        }
        if found.is_none() {
            self.trace.rests_on_everything("what was sent is not recorded");
        }
        let (number, sent) = found?;
        self.beside(number, sent)
    }
}

/// The file descriptor, if the channel is the output of a process.
fn output_of(received: &Passed, pid: u32) -> Option<u32> {
    let fd = received.name.strip_prefix("stdio ")?.strip_prefix(&pid.to_string())?.strip_prefix(' ')?;
    fd.parse().ok().filter(|fd| *fd > 0)
}

const MOST_HOPS_OF_SENDER: usize = 6;
