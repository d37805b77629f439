//! Emitters: listeners are kept with the object, by the name of their event.

use crate::analysis::Analysis;
use crate::model::{Call, CallId, Key};
use crate::rules::Listener;

impl Analysis {
    /// `is_foreign`: foreign code is what emits.
    pub fn emitter_method(&mut self, call: &Call, method: &str, is_foreign: bool) {
        let Some(this) = call.this else { return };
        let event = call.texts[0].map(|name| self.keys.event(name));
        match method {
            "on" | "once" | "addListener" | "prependListener" | "prependOnceListener" => {
                self.graph.add_edge(this, call.result);
                let Some(listener) = call.argument(1) else { return };
                self.store(this, event.unwrap_or(Key::ANY_EVENT), listener, call.site);
                match is_foreign {
                    true => {
                        let id = self.call_named(call);
                        self.graph.listen(listener, Listener::GivenToForeign { call: id });
                    }
                    false => drop(self.callback(call, listener, Some(this), Vec::new(), true)),
                }
            }
            "emit" => {
                let listeners = self.node();
                self.graph.listen(this, Listener::Emit { key: event.unwrap_or(Key::ALL_EVENTS), to: listeners });
                let result = self.node();
                self.add_call(Call {
                    callee: listeners,
                    this: Some(this),
                    gives_this: true,
                    arguments: call.arguments.get(1..).unwrap_or_default().to_vec(),
                    spread: call.spread.map(|(from, node)| (from.saturating_sub(1), node)),
                    texts: [None; 2],
                    result,
                    is_new: false,
                    is_super: false,
                    depth: call.depth + 1,
                    ..call.clone()
                });
            }
            "listeners" => {
                let listeners = self.node();
                self.graph.listen(this, Listener::Emit { key: event.unwrap_or(Key::ALL_EVENTS), to: listeners });
                self.array_of(call, listeners);
            }
            _ => self.graph.add_edge(this, call.result),
        }
    }

    /// A number for what is not one of the calls of the source.
    fn call_named(&mut self, call: &Call) -> CallId {
        let id = CallId(self.calls.len() as u32);
        let callee = self.node();
        self.calls.push(Call { callee, depth: call.depth, ..call.clone() });
        id
    }
}
