//! One order of the events of all threads of a run: by the clock, which is noted beside the trace about each millisecond, and by
//! messages. What a thread received it received after another had sent it, whatever was noted of the times.

use std::cell::RefCell;
use std::collections::HashMap;

use query::Trace;
use trace_model::{Event, EventId, MessageStep, Record};
use trace_store::{Step, Target};

use super::Session;

/// An event's place in that order. No two events have the same.
pub(super) type InTime = (u64, usize, EventId);

/// An event of a thread.
type EventOf = (usize, EventId);

/// Tells when events happened.
pub(super) struct Clock<'s> {
    /// The first is that of thread 1.
    traces: Vec<Trace<'s>>,
    /// Where what was received had been sent.
    senders: RefCell<HashMap<EventOf, Option<EventOf>>>,
}

impl<'s> Clock<'s> {
    pub fn of(session: &'s Session) -> Clock<'s> {
        let traces = session.run().threads().iter().map(|thread| session.trace(thread)).collect();
        Clock { traces, senders: RefCell::default() }
    }

    /// Nothing: nobody noted the times of the thread.
    pub fn time(&self, thread: usize, event: EventId) -> Option<InTime> {
        Some((self.micros(thread, event, MOST_SENDERS)?, thread, event))
    }

    /// The first event of a thread that does not come before a time.
    pub fn first_from(&self, thread: usize, time: InTime) -> Option<EventId> {
        let of = self.traces.get(thread - 1)?.thread;
        let (mut first, mut end) = (of.first_event(), of.end());
        while first < end {
            let middle = EventId(first.0 + (end.0 - first.0) / 2);
            match self.time(thread, middle)? < time {
                true => first = EventId(middle.0 + 1),
                false => end = middle,
            }
        }
        Some(first)
    }

    fn micros(&self, thread: usize, event: EventId, n_senders: usize) -> Option<u64> {
        let trace = self.traces.get(thread - 1)?;
        // Behind the last event time stands still.
        let last = trace.thread.end().0.checked_sub(1)?;
        let noted = trace.thread.time_of(EventId(event.0.min(last)))?;
        let mut micros = noted;
        if n_senders == 0 {
            return Some(micros);
        }
        let mut before = EventId(event.0.saturating_add(1));
        for _ in 0..MOST_MESSAGES {
            let Some(message) = trace.last(&Target::Message, before) else { break };
            // What came earlier was noted earlier, too.
            if trace.thread.time_of(message.id).is_none_or(|at| noted - at.min(noted) > INEXACT) {
                break;
            }
            if let Some((sender, sent)) = self.sender(thread, &message)
                && let Some(sent) = self.micros(sender, sent, n_senders - 1)
            {
                micros = micros.max(sent + 1);
            }
            before = message.id;
        }
        Some(micros)
    }

    /// Where a message had been sent. If more than one thread may have done it, nobody knows.
    fn sender(&self, thread: usize, message: &Step) -> Option<(usize, EventId)> {
        if !matches!(message.event, Event::Record(Record::Message { step: MessageStep::Received, .. })) {
            return None;
        }
        if let Some(known) = self.senders.borrow().get(&(thread, message.id)) {
            return *known;
        }
        let found = self.traces[thread - 1].passed(message).and_then(|received| {
            let sent = |(number, trace): (usize, &Trace)| Some((number, trace.sender_of(&received)?.id));
            let mut senders = (1..).zip(&self.traces).filter_map(sent);
            let first = senders.next()?;
            senders.next().is_none().then_some(first)
        });
        self.senders.borrow_mut().insert((thread, message.id), found);
        found
    }
}

/// So far times that were noted can be from those that were, in microseconds: the thread that notes them may have to wait for its turn.
const INEXACT: u64 = 100_000;
/// So many messages before an event are asked about.
const MOST_MESSAGES: usize = 16;
/// A message may have been sent because of another.
const MOST_SENDERS: usize = 4;
