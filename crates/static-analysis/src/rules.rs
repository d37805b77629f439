//! What listeners do: how values move through properties and calls.
//!
//! # What is left out of JavaScript
//!
//! Everything here is inclusion: what may be there stays there. So the result holds whatever a run can do, but for this, which is
//! left out because the alternative is a result in which everything calls everything:
//!
//! - A write under a key that is not known (`o[k] = v`) goes to the contents of the object that reads under unknown keys see. A read
//!   of `o.name` does not see it, unless a run was seen to write `name` there (hints), or the key is a constant, or all
//!   properties are copied (`a[k] = b[k]`, `Object.assign`, spread). Of an accessor that is defined under such a key nothing is known.
//! - A read under an unknown key gives what was written under unknown keys, the elements of arrays, and what runs were seen to read
//!   there. Only where it is called (`table[name]()`), in a function that did not run, every property of an object that a literal
//!   made counts. Methods that are chosen by a computed name in an instance (`this[name]()`) are found by hints alone.
//! - Where runs were seen, a loop that copies all properties (`a[k] = b[k]`) in a function that none of them entered copies nothing:
//!   stand-ins for built-ins of old engines would give every object the properties of every other.
//! - Of a call that a run was seen to make, what was called there is certain. Other functions that come there are called as well as long as
//!   they are few (`Belief`); where many come, or where believing them leads to more than can be told apart, those that were seen are all.
//! - Text that becomes code (`eval`, `new Function`) is not seen, unless it is given as a unit of its own; the variables around a
//!   direct `eval` are then not its own.
//! - A property that a class or a literal has from the start hides what is inherited under its name, even if it was deleted since; so
//!   does `F.prototype.m = …` at the level of a function's body, even if somebody reads before it.
//! - Getters, setters, methods and traps of proxies, `with`, and implicit conversions other than `toString`, `valueOf` and
//!   `toJSON` are not followed; nor is what foreign code calls by itself (overridden methods of streams).
//! - Arguments beyond those that a function names reach it through `arguments` only.

use crate::analysis::Analysis;
use crate::budget::Coarseness;
use crate::model::{CallId, Key, Site, TokenKind};
use crate::solver::{Graph, Node, Rules, Token};

#[derive(Clone, Debug)]
pub enum Listener {
    /// A property is read: of the objects in the node that is listened to.
    Load {
        key: Key,
        to: Node,
        site: Site,
    },
    /// What an object inherits.
    Inherit {
        key: Key,
        to: Node,
    },
    Store {
        key: Key,
        from: Node,
        site: Site,
    },
    LoadUnknown {
        to: Node,
        all: bool,
    },
    StoreUnknown {
        from: Node,
    },
    /// The key of an access is a symbol.
    LoadSymbol {
        base: Node,
        to: Node,
        site: Site,
    },
    StoreSymbol {
        base: Node,
        from: Node,
        site: Site,
    },
    /// A method is called.
    Method {
        key: Key,
        call: CallId,
    },
    Callee {
        call: CallId,
    },
    /// Methods that were found in an object get it as `this`.
    Receiver {
        token: Token,
    },
    Getter {
        token: Token,
        to: Node,
        access: CallId,
    },
    Setter {
        token: Token,
        from: Node,
        access: CallId,
    },
    /// What a promise, or anything else, is fulfilled with.
    Await {
        to: Node,
    },
    Rejection {
        to: Node,
    },
    /// What iterating gives.
    Iterate {
        to: Node,
    },
    /// The same of what is no array.
    IterateOthers {
        to: Node,
    },
    /// All properties of these are copied to those of the other node.
    CopyTo {
        hub: Token,
        to: Node,
    },
    CopyFrom {
        from: Token,
    },
    /// All properties of these are read.
    ReadAll {
        site: Site,
    },
    /// All properties are assigned to another object.
    AssignAll {
        target: Node,
        site: Site,
    },
    /// Functions here are called by foreign code that was given them.
    GivenToForeign {
        call: CallId,
    },
    /// What `concat` takes as it is.
    NoArrays {
        to: Node,
    },
    /// What is under a key of the object itself.
    Own {
        key: Key,
        to: Node,
    },
    /// A property is defined, which calls no setter.
    Define {
        key: Key,
        from: Node,
    },
    /// What is here is an accessor of this name.
    Accessor {
        key: Key,
    },
    /// Each property is a descriptor of one of the same name.
    DefineAll {
        object: Node,
        site: Site,
    },
    /// What iterating maps and sets gives.
    MapEntries,
    SetEntries,
    /// Listeners of an event are found in these objects.
    Emit {
        key: Key,
        to: Node,
    },
}

impl Rules for Analysis {
    type Listener = Listener;

    fn graph(&mut self) -> &mut Graph<Listener> {
        &mut self.graph
    }

    fn fire(&mut self, listener: &Listener, tokens: &[Token]) {
        match *listener {
            Listener::Load { key, to, site } => tokens.iter().for_each(|&token| self.load_from(token, key, to, site)),
            Listener::Inherit { key, to } => {
                for &token in tokens {
                    let from = self.lookup(token, key);
                    self.graph.add_edge(from, to);
                }
            }
            Listener::Store { key, from, site } => {
                tokens.iter().for_each(|&token| self.store_to(token, key, from, site));
            }
            Listener::LoadUnknown { to, all } => tokens.iter().for_each(|&token| self.load_unknown(token, to, all)),
            Listener::StoreUnknown { from } => {
                for &token in tokens {
                    let slot = self.slot(token, Key::UNKNOWN);
                    self.graph.add_edge(from, slot);
                }
            }
            Listener::LoadSymbol { base, to, site } => {
                for &token in tokens {
                    if let Some(key) = self.symbol_key(token) {
                        self.load(base, key, to, site);
                    }
                }
            }
            Listener::StoreSymbol { base, from, site } => {
                for &token in tokens {
                    if let Some(key) = self.symbol_key(token) {
                        self.store(base, key, from, site);
                    }
                }
            }
            Listener::Method { key, call } => tokens.iter().for_each(|&token| self.method_of(token, key, call)),
            Listener::Callee { call } => tokens.iter().for_each(|&token| self.link(call, token)),
            Listener::Receiver { token: receiver } => {
                for &token in tokens {
                    self.give_this(token, receiver);
                }
            }
            Listener::Getter { token: receiver, to, access } => {
                for &token in tokens {
                    self.call_accessor(token, receiver, access);
                    if let TokenKind::Function(function) = *self.kind(token) {
                        let returned = self.function(function).returned;
                        self.graph.add_edge(returned, to);
                    }
                }
            }
            Listener::Setter { token: receiver, from, access } => {
                for &token in tokens {
                    self.call_accessor(token, receiver, access);
                    if let TokenKind::Function(function) = *self.kind(token)
                        && let Some(&parameter) = self.function(function).parameters.first()
                    {
                        self.graph.add_edge(from, parameter);
                    }
                }
            }
            Listener::Await { to } => tokens.iter().for_each(|&token| self.await_one(token, to)),
            Listener::Rejection { to } => {
                for &token in tokens {
                    if matches!(self.kind(token), TokenKind::Promise) {
                        let slot = self.slot(token, Key::REJECTED);
                        self.graph.add_edge(slot, to);
                    }
                }
            }
            Listener::Iterate { to } => tokens.iter().for_each(|&token| self.iterate_one(token, to)),
            Listener::IterateOthers { to } => {
                for &token in tokens {
                    if !matches!(self.kind(token), TokenKind::Array | TokenKind::Arguments(_) | TokenKind::Entry(_)) {
                        self.iterate_one(token, to);
                    }
                }
            }
            Listener::CopyTo { hub, to } => {
                for &token in tokens {
                    match self.kind(token) {
                        // What a built-in prototype has is found as if it were inherited.
                        TokenKind::Native(name) if name.ends_with(".prototype") => {
                            let from = self.node_of(token);
                            self.graph.listen(to, Listener::Define { key: Key::PROTO, from });
                        }
                        TokenKind::Native(_) => {}
                        _ => self.copy_properties(token, hub),
                    }
                }
            }
            Listener::CopyFrom { from } => tokens.iter().for_each(|&token| self.copy_properties(from, token)),
            Listener::ReadAll { site } => tokens.iter().for_each(|&token| self.call_getters(token, site)),
            Listener::AssignAll { target, site } => {
                for &token in tokens {
                    self.assigned_to.entry(token).or_default().push((target, site));
                    for key in self.slot_keys[token.0 as usize].clone() {
                        self.assign_property(token, key, target, site);
                    }
                }
            }
            Listener::GivenToForeign { call } => {
                tokens.iter().for_each(|&token| self.call_from_foreign(call, token));
            }
            Listener::NoArrays { to } => {
                for &token in tokens {
                    if !matches!(self.kind(token), TokenKind::Array | TokenKind::Arguments(_)) {
                        self.graph.add_token(to, token);
                    }
                }
            }
            Listener::Own { key, to } => {
                for &token in tokens {
                    match self.kind(token) {
                        TokenKind::Foreign(_) => self.graph.add_token(to, token),
                        _ => {
                            let slot = self.slot(token, key);
                            self.graph.add_edge(slot, to);
                        }
                    }
                }
            }
            Listener::Define { key, from } => {
                for &token in tokens {
                    let slot = self.slot(token, key);
                    self.graph.add_edge(from, slot);
                }
            }
            Listener::Accessor { key } => self.becomes_accessor(key),
            Listener::DefineAll { object, site } => {
                tokens.iter().for_each(|&token| self.define_each(token, object, site));
            }
            Listener::MapEntries => {
                for &token in tokens {
                    let (key, value) = (self.slot(token, Key::MAP_KEY), self.slot(token, Key::MAP_VALUE));
                    self.give_entries(token, Some(key), Some(value));
                }
            }
            Listener::SetEntries => {
                for &token in tokens {
                    let key = self.slot(token, Key::MAP_KEY);
                    self.add_to_slot(token, Key::YIELDED, key);
                }
            }
            Listener::Emit { key, to } => {
                for &token in tokens {
                    let keys = match key == Key::ALL_EVENTS {
                        true => vec![Key::ALL_EVENTS],
                        false => vec![key, Key::ANY_EVENT],
                    };
                    for key in keys {
                        let slot = self.slot(token, key);
                        self.graph.add_edge(slot, to);
                    }
                }
            }
        }
    }

    fn may_go_on(&mut self) -> bool {
        if self.is_beyond_means() {
            return false;
        }
        let uses = |n_steps: u64, n_bytes: usize, budget: &crate::Budget, times: u64| {
            n_steps > budget.n_steps * times || n_bytes > budget.n_bytes * times as usize
        };
        // Adding up memory takes as long as looking at every node.
        let is_time_to_weigh = self.graph.n_steps > self.next_weighing;
        if is_time_to_weigh {
            self.next_weighing = self.graph.n_steps + 20 * self.graph.n_nodes() as u64;
            self.n_bytes = self.graph.n_bytes();
        }
        if self.coarseness == Coarseness::Exact && uses(self.graph.n_steps, self.n_bytes, &self.budget, 1) {
            self.keep_by_name();
            self.n_bytes = self.graph.n_bytes();
            self.coarse_since = self.graph.n_steps;
        }
        let since = self.graph.n_steps - self.coarse_since;
        let is_over = self.coarseness == Coarseness::ByName && uses(since, self.n_bytes, &self.budget, 1);
        if is_over {
            self.coarseness = Coarseness::Stopped;
        }
        !is_over
    }
}

impl Analysis {
    fn load_from(&mut self, token: Token, key: Key, to: Node, site: Site) {
        let from = self.lookup(token, key);
        self.graph.add_edge(from, to);
        if self.getters.contains(&key) && !matches!(self.kind(token), TokenKind::Native(_)) {
            let getter = self.keys.getter(key);
            let getters = self.lookup(token, getter);
            let access = self.access(site);
            self.graph.listen(getters, Listener::Getter { token, to, access });
        }
    }

    pub fn store_to(&mut self, token: Token, key: Key, from: Node, site: Site) {
        let slot = self.slot(token, key);
        self.graph.add_edge(from, slot);
        if self.setters.contains(&key) && !matches!(self.kind(token), TokenKind::Native(_)) {
            let setter = self.keys.setter(key);
            let setters = self.lookup(token, setter);
            let access = self.access(site);
            self.graph.listen(setters, Listener::Setter { token, from, access });
        }
    }

    /// The getters that an object has of its own.
    fn call_getters(&mut self, token: Token, site: Site) {
        if matches!(self.kind(token), TokenKind::Native(_)) {
            return;
        }
        self.read_whole.entry(token).or_default().push(site);
        for getter in self.own_getters(token) {
            self.call_getter(token, getter, site);
        }
    }

    pub fn call_getter(&mut self, token: Token, getter: Key, site: Site) {
        let slot = self.slot(token, getter);
        let (access, to) = (self.access(site), self.node());
        self.graph.listen(slot, Listener::Getter { token, to, access });
    }

    /// Who read or wrote something under the name before is told again.
    fn becomes_accessor(&mut self, name: Key) {
        let (is_new_getter, is_new_setter) = (self.getters.insert(name), self.setters.insert(name));
        if !is_new_getter && !is_new_setter {
            return;
        }
        self.graph.tell_again(|listener| match listener {
            Listener::Load { key, .. } | Listener::Method { key, .. } => *key == name && is_new_getter,
            Listener::Store { key, .. } => *key == name && is_new_setter,
            _ => false,
        });
        if is_new_setter {
            self.assign_again(name);
        }
    }

    /// What was copied under the name before has a setter now, or may have one.
    fn assign_again(&mut self, name: Key) {
        let assigned: Vec<_> = self.assigned_to.iter().map(|(&source, targets)| (source, targets.clone())).collect();
        let getter = self.keys.getter(name);
        for (source, targets) in assigned {
            let holds_it = |key: &&Key| **key == name || **key == getter;
            let Some(&key) = self.slot_keys[source.0 as usize].iter().find(holds_it) else { continue };
            for (target, site) in targets {
                self.assign_property(source, key, target, site);
            }
        }
    }

    fn load_unknown(&mut self, token: Token, to: Node, all: bool) {
        match self.kind(token) {
            TokenKind::Native(_) => {}
            TokenKind::Foreign(_) => self.graph.add_token(to, token),
            TokenKind::Array | TokenKind::Arguments(_) => {
                let contents = self.slot(token, Key::ALL);
                self.graph.add_edge(contents, to);
            }
            TokenKind::Object if all => {
                let contents = self.slot(token, Key::ALL);
                self.graph.add_edge(contents, to);
            }
            _ => {
                let contents = self.slot(token, Key::UNKNOWN);
                self.graph.add_edge(contents, to);
            }
        }
    }

    fn method_of(&mut self, token: Token, key: Key, call: CallId) {
        let site = self.calls[call.0 as usize].site;
        let callee = self.calls[call.0 as usize].callee;
        self.load_from(token, key, callee, site);
        if self.receivers.insert((token, key)) {
            let found = self.lookup(token, key);
            self.graph.listen(found, Listener::Receiver { token });
        }
    }

    pub fn give_this(&mut self, function: Token, receiver: Token) {
        if let TokenKind::Function(function) = *self.kind(function)
            && !self.function(function).is_arrow
        {
            let this = self.function(function).this;
            self.graph.add_token(this, receiver);
        }
    }

    fn call_accessor(&mut self, accessor: Token, receiver: Token, access: CallId) {
        self.give_this(accessor, receiver);
        if let TokenKind::Function(function) = *self.kind(accessor) {
            self.edges.insert((access, function));
        }
    }

    fn await_one(&mut self, token: Token, to: Node) {
        match self.kind(token) {
            TokenKind::Promise => {
                let slot = self.slot(token, Key::FULFILLED);
                self.graph.add_edge(slot, to);
            }
            _ => self.graph.add_token(to, token),
        }
    }

    fn iterate_one(&mut self, token: Token, to: Node) {
        let key = match self.kind(token) {
            TokenKind::Array | TokenKind::Arguments(_) | TokenKind::Entry(_) => Key::ALL,
            TokenKind::Generator | TokenKind::Iterator => Key::YIELDED,
            TokenKind::Foreign(_) => return self.graph.add_token(to, token),
            _ => Key::YIELDED,
        };
        let slot = self.slot(token, key);
        self.graph.add_edge(slot, to);
    }

    pub fn is_callable(&self, token: Token) -> bool {
        matches!(
            self.kind(token),
            TokenKind::Function(_) | TokenKind::Bound(_) | TokenKind::Resolver(_) | TokenKind::Rejecter(_)
        )
    }

    /// The key that a symbol is.
    fn symbol_key(&mut self, token: Token) -> Option<Key> {
        let name = match *self.kind(token) {
            TokenKind::Symbol => format!("@@{}", token.0),
            TokenKind::Native(name) => format!("@@{}", name.strip_prefix("Symbol.")?),
            _ => return None,
        };
        Some(self.keys.of(&name))
    }
}
