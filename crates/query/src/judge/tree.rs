//! The computation tree, in arrays: a run may have made ten million calls.

use std::collections::HashMap;
use std::ops::Range;

use trace_model::{EventId, FrameId, FunctionIndex, SiteId};

/// A call, by its position in preorder: what it brought about are the nodes behind it, up to [`Tree::subtree`]'s end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(pub u32);

/// An index into [`Tree::functions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionNumber(pub u32);

/// An index into [`EntitySets`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SetNumber(pub u32);

/// A function of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CalledFunction {
    /// The first site of its code.
    pub unit: SiteId,
    pub function: FunctionIndex,
}

/// The root stands for the program: the top level of the file that was started, or nothing in particular.
pub struct Tree {
    parents: Vec<u32>,
    /// One behind the last node of each subtree.
    ends: Vec<u32>,
    functions: Vec<u32>,
    sets: Vec<u32>,
    /// 0: the root, where it is no frame.
    frames: Vec<u32>,
    entered: Vec<u64>,
    left: Vec<u64>,
    known_functions: Vec<CalledFunction>,
    /// Of calls that something outlived which they started: the end of all that.
    outlived: HashMap<u32, u64>,
    /// Frames in the order of their numbers, and their nodes.
    by_frame: Vec<(u32, u32)>,
    /// What the calls covered, for weighing them.
    pub entities: EntitySets,
}

/// A call that is known by its frame only so far.
struct Entry {
    frame: u32,
    caller: u32,
    function: u32,
    set: u32,
    entered: u64,
    left: u64,
}

/// Takes calls in the order in which they were made.
#[derive(Default)]
pub struct TreeBuilder {
    entries: Vec<Entry>,
    functions: HashMap<CalledFunction, u32>,
    known_functions: Vec<CalledFunction>,
    pub entities: EntitySets,
}

impl TreeBuilder {
    /// A call. What it covered and when it ended are told later. Frames count up, and a caller comes before what it calls: where a run
    /// that somebody made by hand says otherwise, a frame that comes again is left out, and a later caller is none.
    pub fn enter(&mut self, frame: FrameId, caller: Option<FrameId>, function: CalledFunction, entered: EventId) {
        if self.entries.last().is_some_and(|last| last.frame >= frame.0) {
            return;
        }
        let number = *self.functions.entry(function).or_insert_with(|| {
            self.known_functions.push(function);
            self.known_functions.len() as u32 - 1
        });
        self.entries.push(Entry {
            frame: frame.0,
            caller: caller.filter(|caller| *caller < frame).map_or(0, |caller| caller.0),
            function: number,
            set: EntitySets::EMPTY.0,
            entered: entered.0,
            left: OPEN,
        });
    }

    /// The end of a call.
    pub fn leave(&mut self, frame: FrameId, at: EventId) {
        if let Some(entry) = self.entry(frame) {
            entry.left = at.0;
        }
    }

    /// What the call's own code covered.
    pub fn cover(&mut self, frame: FrameId, set: SetNumber) {
        if let Some(entry) = self.entry(frame) {
            entry.set = set.0;
        }
    }

    fn entry(&mut self, frame: FrameId) -> Option<&mut Entry> {
        let at = self.entries.binary_search_by_key(&frame.0, |entry| entry.frame).ok()?;
        Some(&mut self.entries[at])
    }

    /// The tree. Calls that nobody recorded made hang on the root, which is this frame, or none of them.
    pub fn build(self, root: Option<FrameId>) -> Tree {
        let TreeBuilder { entries, functions: _, mut known_functions, entities } = self;
        let root = root.map_or(0, |root| root.0);
        let index_of = |frame: u32| entries.binary_search_by_key(&frame, |entry| entry.frame).ok();
        let is_root = |entry: &Entry| root != 0 && entry.frame == root;
        // By the order of entry: the caller's index, or `ROOT`.
        let callers: Vec<u32> = entries
            .iter()
            .map(|entry| match index_of(entry.caller) {
                Some(caller) if entry.caller != 0 && !is_root(&entries[caller]) => caller as u32,
                _ => ROOT,
            })
            .collect();
        let n_nodes = entries.len() + usize::from(!entries.iter().any(is_root));
        let mut sizes = vec![1u32; entries.len()];
        for (index, entry) in entries.iter().enumerate().rev() {
            if callers[index] != ROOT && !is_root(entry) {
                sizes[callers[index] as usize] += sizes[index];
            }
        }
        let mut tree = Tree {
            parents: vec![0; n_nodes],
            ends: vec![0; n_nodes],
            functions: vec![NO_FUNCTION; n_nodes],
            sets: vec![EntitySets::EMPTY.0; n_nodes],
            frames: vec![0; n_nodes],
            entered: vec![0; n_nodes],
            left: vec![OPEN; n_nodes],
            known_functions: Vec::new(),
            outlived: HashMap::new(),
            by_frame: Vec::with_capacity(entries.len()),
            entities,
        };
        tree.ends[0] = n_nodes as u32;
        // Where the next child of each goes: a caller comes before what it calls.
        let mut free: Vec<u32> = vec![0; entries.len()];
        let mut free_at_root = 1;
        for (index, entry) in entries.iter().enumerate() {
            let node = match callers[index] {
                _ if is_root(entry) => 0,
                ROOT => {
                    let at = free_at_root;
                    free_at_root += sizes[index];
                    at
                }
                caller => {
                    let at = free[caller as usize];
                    free[caller as usize] += sizes[index];
                    at
                }
            };
            free[index] = node + 1;
            let at = node as usize;
            if node != 0 {
                tree.ends[at] = node + sizes[index];
                tree.parents[at] = match callers[index] {
                    ROOT => 0,
                    // The caller was placed one before its first child.
                    caller => tree.by_frame[caller as usize].1,
                };
            }
            tree.functions[at] = entry.function;
            tree.sets[at] = entry.set;
            tree.frames[at] = entry.frame;
            tree.entered[at] = entry.entered;
            tree.left[at] = entry.left;
            tree.by_frame.push((entry.frame, node));
        }
        if tree.functions[0] == NO_FUNCTION {
            tree.functions[0] = known_functions.len() as u32;
            known_functions.push(CalledFunction { unit: SiteId(0), function: FunctionIndex(0) });
        }
        tree.known_functions = known_functions;
        drop(entries);
        tree.outlived = tree.find_outlived();
        tree
    }
}

const OPEN: u64 = u64::MAX;
const ROOT: u32 = u32::MAX;
const NO_FUNCTION: u32 = u32::MAX;

impl Tree {
    pub const ROOT: Node = Node(0);

    pub fn len(&self) -> usize {
        self.parents.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_frame.is_empty()
    }

    /// Whether the root is a call of its own: the top level of a file.
    pub fn has_root_frame(&self) -> bool {
        self.frames[0] != 0
    }

    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.len() as u32).map(Node)
    }

    /// The caller of a node; the root is its own.
    pub fn parent(&self, node: Node) -> Node {
        Node(self.parents[node.0 as usize])
    }

    /// The node and all below it.
    pub fn subtree(&self, node: Node) -> Range<u32> {
        node.0..self.ends[node.0 as usize]
    }

    pub fn holds(&self, above: Node, below: Node) -> bool {
        self.subtree(above).contains(&below.0)
    }

    pub fn children(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let range = self.subtree(node);
        let mut next = node.0 + 1;
        std::iter::from_fn(move || {
            let child = (next < range.end).then_some(Node(next))?;
            next = self.ends[child.0 as usize];
            Some(child)
        })
    }

    pub fn function(&self, node: Node) -> FunctionNumber {
        FunctionNumber(self.functions[node.0 as usize])
    }

    /// The functions that were called, and at last one that stands for the program where it is no call of its own.
    pub fn functions(&self) -> &[CalledFunction] {
        &self.known_functions
    }

    pub fn set(&self, node: Node) -> SetNumber {
        SetNumber(self.sets[node.0 as usize])
    }

    pub fn frame(&self, node: Node) -> Option<FrameId> {
        let frame = self.frames[node.0 as usize];
        (frame != 0).then_some(FrameId(frame))
    }

    pub fn entered(&self, node: Node) -> EventId {
        EventId(self.entered[node.0 as usize])
    }

    /// The end of the call itself; `None`: it never ended.
    pub fn left(&self, node: Node) -> Option<EventId> {
        let left = self.left[node.0 as usize];
        (left != OPEN).then_some(EventId(left))
    }

    /// The end of the call and of all that it started; `None`: something of it never ended.
    pub fn end(&self, node: Node) -> Option<EventId> {
        let left = self.outlived.get(&node.0).copied().unwrap_or(self.left[node.0 as usize]);
        (left != OPEN).then_some(EventId(left))
    }

    /// Whether something that a call started went on when the call itself was over.
    pub fn is_outlived(&self, node: Node) -> bool {
        self.outlived.contains_key(&node.0)
    }

    fn find_outlived(&self) -> HashMap<u32, u64> {
        let mut outlived: HashMap<u32, u64> = HashMap::new();
        // What is below a node comes behind it.
        for node in (1..self.len()).rev() {
            let end = outlived.get(&(node as u32)).copied().unwrap_or(self.left[node]);
            let parent = self.parents[node];
            if end > self.left[parent as usize] {
                let known = outlived.entry(parent).or_insert(end);
                *known = end.max(*known);
            }
        }
        outlived
    }

    pub fn node_of(&self, frame: FrameId) -> Option<Node> {
        let at = self.by_frame.binary_search_by_key(&frame.0, |(frame, _)| *frame).ok()?;
        Some(Node(self.by_frame[at].1))
    }

    /// The call that was entered by this event.
    pub fn entered_at(&self, event: EventId) -> Option<Node> {
        // Frames are numbered as they are entered.
        let at = self.by_frame.binary_search_by_key(&event.0, |(_, node)| self.entered[*node as usize]).ok()?;
        Some(Node(self.by_frame[at].1))
    }

    pub(super) fn functions_by_node(&self) -> &[u32] {
        &self.functions
    }

    pub(super) fn sets_by_node(&self) -> &[u32] {
        &self.sets
    }

    pub(super) fn ends_by_node(&self) -> &[u32] {
        &self.ends
    }
}

/// Sets of coverage entities (edges of the flow of control, chains of definition and use), each kept once: calls of one function
/// cover few different ones.
pub struct EntitySets {
    /// Ascending.
    sets: Vec<Box<[u32]>>,
    numbers: HashMap<Box<[u32]>, u32>,
    n_entities: u32,
    /// What the entities are: a branch and its way, or a definition and its use.
    named: HashMap<(u32, u32), u32>,
}

impl Default for EntitySets {
    fn default() -> EntitySets {
        EntitySets {
            sets: vec![Box::default()],
            numbers: HashMap::from([(Box::default(), 0)]),
            n_entities: 0,
            named: HashMap::new(),
        }
    }
}

impl EntitySets {
    pub const EMPTY: SetNumber = SetNumber(0);

    /// The number of a set of entities, which are ascending.
    pub fn intern(&mut self, entities: &[u32]) -> SetNumber {
        if let Some(known) = self.numbers.get(entities) {
            return SetNumber(*known);
        }
        let number = self.sets.len() as u32;
        self.sets.push(entities.into());
        self.numbers.insert(entities.into(), number);
        self.n_entities = self.n_entities.max(entities.last().map_or(0, |last| last + 1));
        SetNumber(number)
    }

    /// The number of an entity: of a site and a way, or of two sites.
    pub fn number(&self, first: u32, second: u32) -> Option<u32> {
        self.named.get(&(first, second)).copied()
    }

    /// The same, which is new if it is not known.
    pub fn number_or_new(&mut self, first: u32, second: u32) -> u32 {
        let n_known = self.named.len() as u32;
        *self.named.entry((first, second)).or_insert(n_known)
    }

    /// Every entity that has a name, with its number.
    pub fn named(&self) -> impl Iterator<Item = ((u32, u32), u32)> + '_ {
        self.named.iter().map(|(name, number)| (*name, *number))
    }

    pub fn get(&self, set: SetNumber) -> &[u32] {
        &self.sets[set.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.sets.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sets.len() <= 1
    }

    /// One more than the highest entity.
    pub fn n_entities(&self) -> usize {
        self.n_entities as usize
    }
}
