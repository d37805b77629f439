//! The state of an analysis: the graph, and what its nodes and tokens mean.

use rustc_hash::{FxHashMap, FxHashSet};
use trace_model::{CodeIndex, OperationKind, Span};

use crate::budget::{Budget, Coarseness};
use crate::model::{
    Call, CallId, Foreign, FunctionData, FunctionId, Key, KeyKind, Keys, Site, SourceRange, TokenData, TokenKind,
};
use crate::modules::Modules;
use crate::rules::Listener;
use crate::solver::{Graph, Node, Token};

pub struct Analysis {
    pub graph: Graph<Listener>,
    pub keys: Keys,
    pub tokens: Vec<TokenData>,
    token_numbers: FxHashMap<(TokenKind, Option<SourceRange>), Token>,
    pub functions: Vec<FunctionData>,
    pub calls: Vec<Call>,
    /// The properties of objects themselves.
    slots: FxHashMap<(Token, Key), Node>,
    /// The keys of each token that have a slot.
    pub slot_keys: Vec<Vec<Key>>,
    /// What reading a property gives: of the object itself, or of what it inherits from.
    lookups: FxHashMap<(Token, Key), Node>,
    /// Properties that an object has before anybody can read them, so that what it inherits under their name is hidden.
    pub definite: FxHashSet<(Token, Key)>,
    /// The same of whatever is the `prototype` of a function, and where such objects are made.
    pub definite_prototypes: FxHashSet<(FunctionId, Key)>,
    pub prototype_places: FxHashMap<SourceRange, FunctionId>,
    /// Names that may be those of accessors anywhere: only reads and writes of these look for any. Those that the source does not
    /// tell are added when something comes to be an accessor ([`Analysis::becomes_accessor`]).
    pub getters: FxHashSet<Key>,
    pub setters: FxHashSet<Key>,
    /// Where all properties of an object are read, and the objects whose properties it describes: told of those that it gets later.
    pub read_whole: FxHashMap<Token, Vec<Site>>,
    /// What is assigned all properties of an object, one by one.
    pub assigned_to: FxHashMap<Token, Vec<(Node, Site)>>,
    pub describes: FxHashMap<Token, Vec<(Node, Site)>>,
    /// Whom the properties of an object are copied to.
    copies: FxHashMap<Token, Vec<Token>>,
    copied: FxHashSet<(Token, Token)>,
    n_hubs: u32,
    pub receivers: FxHashSet<(Token, Key)>,
    /// Nodes that all objects made at a place are in, where hints ask for them.
    pub born_at: FxHashMap<SourceRange, Node>,
    /// Calls and the functions that they may call.
    pub edges: FxHashSet<(CallId, FunctionId)>,
    pub linked: FxHashSet<(CallId, Token)>,
    /// What came to a call that a run was seen to make, and was not called there.
    pub deferred: FxHashMap<CallId, Vec<Token>>,
    /// How many functions that ran, and how many that did not, a call may call.
    pub n_callees: FxHashMap<CallId, (usize, usize)>,
    pub given_to_foreign: FxHashSet<(CallId, Token)>,
    pub accesses: FxHashMap<(FunctionId, Span2), CallId>,
    pub bound: Vec<Call>,
    pub bound_at: FxHashMap<SourceRange, u32>,
    pub operations: Vec<OperationSite>,
    /// Calls with `new`.
    pub news: Vec<CallId>,
    /// Calls of methods, and the names of these.
    pub methods: Vec<(CallId, Key)>,
    /// Reads under keys that are computed: the object, and what is read.
    pub computed_reads: Vec<(Node, Node)>,
    /// Names that no scope declares, and those of them that something is assigned to.
    pub free_names: FxHashSet<String>,
    pub assigned_names: FxHashSet<String>,
    pub units: Vec<Unit>,
    pub modules: Modules,
    pub global: Token,
    /// Names of the built-in object that all inherit from, if the program adds to it.
    pub extends_objects: bool,
    /// Whether any code has iterators of its own, or methods that conversions call.
    pub has_iterators: bool,
    pub has_conversions: bool,
    pub budget: Budget,
    pub coarseness: Coarseness,
    pub coarse_since: u64,
    /// Solving ends after so many steps, to be tried again with less.
    pub affordable: Option<u64>,
    pub next_weighing: u64,
    pub n_bytes: usize,
    /// Once properties are kept by name: one node for each.
    by_name: FxHashMap<Key, Node>,
    pub limits: Vec<String>,
    /// Dynamic accesses that were observed: what they read, and that they were executed at all.
    pub observed_reads: FxHashMap<SourceRange, Node>,
    pub observed_writes: FxHashSet<SourceRange>,
    /// What calls were seen to call.
    pub observed_callees: FxHashMap<SourceRange, FxHashSet<(CodeIndex, trace_model::FunctionIndex)>>,
    pub entered: FxHashSet<(CodeIndex, trace_model::FunctionIndex)>,
}

pub type Span2 = (u32, u32);

/// A piece of code.
pub struct Unit {
    pub path: String,
    pub is_module: bool,
    pub top: FunctionId,
    pub module: Token,
    pub exports: Token,
    pub namespace: Token,
}

pub struct OperationSite {
    pub function: FunctionId,
    pub span: Span,
    pub object: Span,
    pub node: Node,
    pub kind: OperationKind,
    /// Of a method call: whether anything of the program is called is known in the end.
    pub call: Option<CallId>,
    /// Of an argument: its position.
    pub argument: usize,
}

impl Analysis {
    pub fn new(budget: Budget) -> Analysis {
        let mut analysis = Analysis {
            graph: Graph::default(),
            keys: Keys::default(),
            tokens: Vec::new(),
            token_numbers: FxHashMap::default(),
            functions: Vec::new(),
            calls: Vec::new(),
            slots: FxHashMap::default(),
            slot_keys: Vec::new(),
            lookups: FxHashMap::default(),
            definite: FxHashSet::default(),
            definite_prototypes: FxHashSet::default(),
            prototype_places: FxHashMap::default(),
            getters: FxHashSet::default(),
            setters: FxHashSet::default(),
            read_whole: FxHashMap::default(),
            assigned_to: FxHashMap::default(),
            describes: FxHashMap::default(),
            copies: FxHashMap::default(),
            copied: FxHashSet::default(),
            n_hubs: 0,
            receivers: FxHashSet::default(),
            born_at: FxHashMap::default(),
            edges: FxHashSet::default(),
            linked: FxHashSet::default(),
            deferred: FxHashMap::default(),
            n_callees: FxHashMap::default(),
            given_to_foreign: FxHashSet::default(),
            accesses: FxHashMap::default(),
            bound: Vec::new(),
            bound_at: FxHashMap::default(),
            operations: Vec::new(),
            news: Vec::new(),
            methods: Vec::new(),
            computed_reads: Vec::new(),
            free_names: FxHashSet::default(),
            assigned_names: FxHashSet::default(),
            units: Vec::new(),
            modules: Modules::default(),
            global: Token(0),
            extends_objects: false,
            has_iterators: false,
            has_conversions: false,
            budget,
            coarseness: Coarseness::Exact,
            coarse_since: 0,
            affordable: None,
            next_weighing: 0,
            n_bytes: 0,
            by_name: FxHashMap::default(),
            limits: Vec::new(),
            observed_reads: FxHashMap::default(),
            observed_writes: FxHashSet::default(),
            observed_callees: FxHashMap::default(),
            entered: FxHashSet::default(),
        };
        analysis.global = analysis.token(TokenKind::Native("globalThis"), None);
        analysis.add_natives();
        analysis
    }

    pub fn node(&mut self) -> Node {
        self.graph.add_node()
    }

    pub fn node_of(&mut self, token: Token) -> Node {
        let node = self.node();
        self.graph.add_token(node, token);
        node
    }

    /// The token of a kind, made at a place by a function.
    pub fn token(&mut self, kind: TokenKind, birth: Option<(SourceRange, FunctionId)>) -> Token {
        let place = birth.map(|(place, _)| place);
        if let Some(&token) = self.token_numbers.get(&(kind.clone(), place)) {
            return token;
        }
        let token = Token(self.tokens.len() as u32);
        self.tokens.push(TokenData { kind: kind.clone(), birth });
        self.slot_keys.push(Vec::new());
        self.token_numbers.insert((kind, place), token);
        if let Some(&node) = place.and_then(|place| self.born_at.get(&place)) {
            self.graph.add_token(node, token);
        }
        token
    }

    pub fn kind(&self, token: Token) -> &TokenKind {
        &self.tokens[token.0 as usize].kind
    }

    pub fn made(&mut self, kind: TokenKind, site: Site) -> Token {
        let code = self.functions[site.function.0 as usize].code;
        let token = self.token(kind.clone(), Some((SourceRange::new(code, site.span), site.function)));
        let prototype = match kind {
            TokenKind::Array => Some("Array.prototype"),
            TokenKind::Promise => Some("Promise.prototype"),
            TokenKind::Generator | TokenKind::Iterator => Some("Iterator.prototype"),
            _ => None,
        };
        if let Some(prototype) = prototype {
            self.set_native_prototype(token, prototype);
        } else if self.extends_objects {
            self.set_native_prototype(token, "Object.prototype");
        }
        token
    }

    pub fn set_native_prototype(&mut self, token: Token, prototype: &'static str) {
        let native = self.token(TokenKind::Native(prototype), None);
        let slot = self.slot(token, Key::PROTO);
        self.graph.add_token(slot, native);
    }

    pub fn native(&mut self, name: &'static str) -> Token {
        self.token(TokenKind::Native(name), None)
    }

    pub fn foreign(&mut self, foreign: Foreign) -> Token {
        self.token(TokenKind::Foreign(foreign), None)
    }

    /// All objects that are made at a place.
    pub fn born_at(&mut self, place: SourceRange) -> Node {
        if let Some(&node) = self.born_at.get(&place) {
            return node;
        }
        let node = self.node();
        for (number, data) in self.tokens.iter().enumerate() {
            if data.birth.is_some_and(|(at, _)| at == place) {
                self.graph.add_token(node, Token(number as u32));
            }
        }
        self.born_at.insert(place, node);
        node
    }

    /// A property of the object itself.
    pub fn slot(&mut self, token: Token, key: Key) -> Node {
        if let Some(&node) = self.slots.get(&(token, key)) {
            return node;
        }
        let node = match self.coarseness >= Coarseness::ByName && key != Key::PROTO {
            true => self.slot_by_name(key),
            false => self.node(),
        };
        self.slots.insert((token, key), node);
        self.slot_keys[token.0 as usize].push(key);
        if matches!(self.kind(token), TokenKind::Native(_)) {
            return node;
        }
        if key == Key::ALL {
            for other in self.slot_keys[token.0 as usize].clone() {
                if self.counts_as_content(other) {
                    let from = self.slots[&(token, other)];
                    self.graph.add_edge(from, node);
                }
            }
        } else if self.counts_as_content(key)
            && let Some(&all) = self.slots.get(&(token, Key::ALL))
        {
            self.graph.add_edge(node, all);
        }
        if key == Key::ALL_EVENTS {
            for other in self.slot_keys[token.0 as usize].clone() {
                if self.is_event(other) {
                    let from = self.slots[&(token, other)];
                    self.graph.add_edge(from, node);
                }
            }
        } else if self.is_event(key)
            && let Some(&all) = self.slots.get(&(token, Key::ALL_EVENTS))
        {
            self.graph.add_edge(node, all);
        }
        if is_copied(self.keys.kind(key), key)
            && let Some(copies) = self.copies.get(&token)
        {
            for to in copies.clone() {
                let to = self.slot(to, key);
                self.graph.add_edge(node, to);
            }
        }
        self.got_property(token, key);
        node
    }

    /// All properties that were met: the object, the name, and what may be there.
    pub fn all_slots(&self) -> impl Iterator<Item = (Token, Key, Node)> + '_ {
        self.slots.iter().map(|(&(token, key), &node)| (token, key, node))
    }

    /// The names that the object has properties of.
    pub fn own_keys(&self, token: Token) -> Vec<Key> {
        let keys = self.slot_keys[token.0 as usize].iter().copied();
        keys.filter(|&key| matches!(self.keys.kind(key), KeyKind::Name | KeyKind::Index)).collect()
    }

    fn counts_as_content(&self, key: Key) -> bool {
        match self.keys.kind(key) {
            KeyKind::Name => !matches!(self.keys.name(key), "prototype" | "constructor" | "super_"),
            KeyKind::Index => true,
            KeyKind::Special => key == Key::UNKNOWN,
            KeyKind::Hidden => false,
        }
    }

    pub fn own_getters(&self, token: Token) -> Vec<Key> {
        self.slot_keys[token.0 as usize].iter().copied().filter(|key| self.keys.is_getter(*key)).collect()
    }

    fn is_event(&self, key: Key) -> bool {
        key == Key::ANY_EVENT || self.keys.kind(key) == KeyKind::Hidden && self.keys.name(key).starts_with("\0on ")
    }

    /// Everything that is under its own keys in one object is in the other as well.
    pub fn copy_properties(&mut self, from: Token, to: Token) {
        if from == to || matches!(self.kind(to), TokenKind::Native(_)) {
            return;
        }
        if !self.copied.insert((from, to)) {
            return;
        }
        self.copies.entry(from).or_default().push(to);
        for key in self.slot_keys[from.0 as usize].clone() {
            if is_copied(self.keys.kind(key), key) {
                let source = self.slots[&(from, key)];
                let target = self.slot(to, key);
                self.graph.add_edge(source, target);
            }
        }
    }

    /// All properties of some objects become properties of others. They go through a hub, so that not every one of these has an edge
    /// to every one of those.
    pub fn copy_all(&mut self, from: Node, to: Node) {
        let hub = self.token(TokenKind::Hub(self.n_hubs), None);
        self.n_hubs += 1;
        self.graph.listen(from, Listener::CopyTo { hub, to });
        self.graph.listen(to, Listener::CopyFrom { from: hub });
    }

    /// What reading a property of the object gives.
    pub fn lookup(&mut self, token: Token, key: Key) -> Node {
        if let Some(&node) = self.lookups.get(&(token, key)) {
            return node;
        }
        let own = self.slot(token, key);
        let is_array = matches!(self.kind(token), TokenKind::Array | TokenKind::Arguments(_));
        let is_plain_index = self.keys.kind(key) == KeyKind::Index;
        let foreign = match self.kind(token) {
            TokenKind::Foreign(_) => self.foreign_property(token, key),
            _ => None,
        };
        if self.is_definite(token, key) {
            self.lookups.insert((token, key), own);
            return own;
        }
        let node = self.node();
        self.lookups.insert((token, key), node);
        self.graph.add_edge(own, node);
        if is_array && is_plain_index {
            let unknown = self.slot(token, Key::UNKNOWN);
            self.graph.add_edge(unknown, node);
        }
        if let Some(foreign) = foreign {
            self.graph.add_token(node, foreign);
        }
        if key != Key::PROTO && !is_plain_index {
            let prototypes = self.slot(token, Key::PROTO);
            self.graph.listen(prototypes, Listener::Inherit { key, to: node });
        }
        node
    }

    fn is_definite(&self, token: Token, key: Key) -> bool {
        let data = &self.tokens[token.0 as usize];
        let prototype_of = match data.kind {
            TokenKind::Prototype(function) => Some(function),
            _ => data.birth.and_then(|(place, _)| self.prototype_places.get(&place).copied()),
        };
        self.definite.contains(&(token, key))
            || prototype_of.is_some_and(|function| self.definite_prototypes.contains(&(function, key)))
    }

    pub fn add_function(&mut self, data: FunctionData) -> FunctionId {
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(data);
        id
    }

    pub fn function(&self, id: FunctionId) -> &FunctionData {
        &self.functions[id.0 as usize]
    }

    pub fn place(&self, site: Site) -> SourceRange {
        SourceRange::new(self.function(site.function).code, site.span)
    }

    /// Adds a call, and has its callees found.
    pub fn add_call(&mut self, call: Call) -> CallId {
        let id = CallId(self.calls.len() as u32);
        let callee = call.callee;
        self.calls.push(call);
        self.graph.listen(callee, Listener::Callee { call: id });
        id
    }

    /// The call that an access of a property is, where there is an accessor.
    pub fn access(&mut self, site: Site) -> CallId {
        let key = (site.function, (site.span.start, site.span.end));
        if let Some(&call) = self.accesses.get(&key) {
            return call;
        }
        let nothing = self.node();
        let thrown = self.function(site.function).thrown;
        let id = CallId(self.calls.len() as u32);
        self.calls.push(Call {
            site,
            callee: nothing,
            this: None,
            gives_this: false,
            arguments: Vec::new(),
            spread: None,
            texts: [None; 2],
            result: nothing,
            thrown,
            is_new: false,
            is_super: false,
            is_later: false,
            depth: 0,
        });
        self.accesses.insert(key, id);
        id
    }

    pub fn load(&mut self, base: Node, key: Key, to: Node, site: Site) {
        self.graph.listen(base, Listener::Load { key, to, site });
    }

    pub fn store(&mut self, base: Node, key: Key, from: Node, site: Site) {
        self.graph.listen(base, Listener::Store { key, from, site });
    }

    pub fn is_beyond_means(&self) -> bool {
        self.affordable.is_some_and(|affordable| self.graph.n_steps > affordable)
    }

    /// From now on properties of one name are one place: far fewer sets, which are larger than need be.
    pub fn keep_by_name(&mut self) {
        self.coarseness = Coarseness::ByName;
        let slots: Vec<((Token, Key), Node)> = self.slots.iter().map(|(&slot, &node)| (slot, node)).collect();
        for ((_, key), node) in slots {
            if key != Key::PROTO {
                let shared = self.slot_by_name(key);
                self.graph.unite(shared, node);
            }
        }
    }

    fn slot_by_name(&mut self, key: Key) -> Node {
        if let Some(&node) = self.by_name.get(&key) {
            return node;
        }
        let node = self.node();
        self.by_name.insert(key, node);
        node
    }
}

fn is_copied(kind: KeyKind, key: Key) -> bool {
    matches!(kind, KeyKind::Name | KeyKind::Index | KeyKind::Hidden) || key == Key::UNKNOWN
}
