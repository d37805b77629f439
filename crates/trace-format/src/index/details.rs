//! What the index knows of one block besides its counts: 32-bit words, to be used where they lie.
//!
//! ```text
//! n_tokens  n_sites  n_scopes  n_shared  n_frames  n_resumed  n_keys
//! n_tokens × token, ascending
//! n_sites × site, ascending
//! n_scopes × (number, site, scope around it or 0), ascending
//! n_sites × u16 number of events − 1, padded to a whole word
//! n_keys × hash of a string of the block as a key
//! (n_frames + n_resumed) × (number, unit, function, flags, scope or 0, open calls, n, n × (site, number))
//! ```

use trace_model::{FrameId, FunctionIndex, LocalSite, SiteId};

/// A frame on the stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenFrame {
    pub id: FrameId,
    /// The first site of the function's code: with `function` it names the function in its process.
    pub unit: SiteId,
    pub function: FunctionIndex,
    /// The scope in which the function was created.
    pub scope: Option<FrameId>,
    pub exact_exit: bool,
    /// Calls that were made and whose result did not come yet; `None`: not known, as it was entered before the recording.
    pub n_open_calls: Option<u32>,
    /// The latest instance of each of its block scopes.
    pub blocks: Vec<(LocalSite, FrameId)>,
}

/// A frame or scope instance in which others may have been created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScopeRecord {
    pub id: FrameId,
    /// Its `Enter` or `Scope`.
    pub site: SiteId,
    /// The instance around it.
    pub up: Option<FrameId>,
}

/// Everything that is to be known of a block, for writing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BlockDetails {
    /// Ascending.
    pub tokens: Vec<u32>,
    /// Ascending; how many events each has, from 1 to 65,536.
    pub sites: Vec<(SiteId, u32)>,
    /// Ascending.
    pub scopes: Vec<ScopeRecord>,
    /// How many of the outermost frames are those of the block before.
    pub n_shared: u32,
    /// The other frames at the start of the block.
    pub frames: Vec<OpenFrame>,
    /// Frames that were suspended then, and come back in the block.
    pub resumed: Vec<OpenFrame>,
    /// Of an outline: the strings of the block as keys, each as a hash.
    pub keys: Vec<u32>,
}

impl BlockDetails {
    pub fn to_words(&self, words: &mut Vec<u32>) {
        words.clear();
        words.extend([
            self.tokens.len() as u32,
            self.sites.len() as u32,
            self.scopes.len() as u32,
            self.n_shared,
            self.frames.len() as u32,
            self.resumed.len() as u32,
            self.keys.len() as u32,
        ]);
        words.extend_from_slice(&self.tokens);
        words.extend(self.sites.iter().map(|(site, _)| site.0));
        words.extend(self.scopes.iter().flat_map(|scope| [scope.id.0, scope.site.0, frame_word(scope.up)]));
        let count = |count: Option<&(SiteId, u32)>| count.map_or(0, |(_, count)| (count - 1) & 0xFFFF);
        words.extend(self.sites.chunks(2).map(|pair| count(pair.first()) | count(pair.get(1)) << 16));
        words.extend_from_slice(&self.keys);
        for frame in self.frames.iter().chain(&self.resumed) {
            words.extend([
                frame.id.0,
                frame.unit.0,
                frame.function.0,
                u32::from(frame.exact_exit) * EXACT_EXIT,
                frame_word(frame.scope),
                frame.n_open_calls.unwrap_or(u32::MAX),
                frame.blocks.len() as u32,
            ]);
            words.extend(frame.blocks.iter().flat_map(|(site, instance)| [site.0, instance.0]));
        }
    }
}

/// The same, for reading.
#[derive(Clone, Copy, Debug)]
pub struct DetailsView<'a> {
    tokens: &'a [u32],
    sites: &'a [u32],
    scopes: &'a [u32],
    counts: &'a [u32],
    keys: &'a [u32],
    frames: &'a [u32],
    n_shared: u32,
    n_frames: u32,
    n_resumed: u32,
}

impl<'a> DetailsView<'a> {
    /// `None` if the words are not such details.
    pub fn new(words: &'a [u32]) -> Option<DetailsView<'a>> {
        let (head, rest) = words.split_at_checked(HEAD)?;
        let (tokens, rest) = rest.split_at_checked(head[0] as usize)?;
        let (sites, rest) = rest.split_at_checked(head[1] as usize)?;
        let (scopes, rest) = rest.split_at_checked((head[2] as usize).checked_mul(SCOPE)?)?;
        let (counts, rest) = rest.split_at_checked(sites.len().div_ceil(2))?;
        let (keys, frames) = rest.split_at_checked(head[6] as usize)?;
        Some(DetailsView {
            tokens,
            sites,
            scopes,
            counts,
            keys,
            frames,
            n_shared: head[3],
            n_frames: head[4],
            n_resumed: head[5],
        })
    }

    pub fn has_token(&self, token: u32) -> bool {
        self.tokens.binary_search(&token).is_ok()
    }

    pub fn has_site(&self, site: SiteId) -> bool {
        self.sites.binary_search(&site.0).is_ok()
    }

    /// How many events of the site the block has.
    pub fn n_events(&self, site: SiteId) -> u32 {
        self.sites.binary_search(&site.0).map_or(0, |at| (self.counts[at / 2] >> (at % 2 * 16) & 0xFFFF) + 1)
    }

    pub fn sites(&self) -> impl Iterator<Item = (SiteId, u32)> {
        let count = |at: usize| (self.counts[at / 2] >> (at % 2 * 16) & 0xFFFF) + 1;
        self.sites.iter().enumerate().map(move |(at, site)| (SiteId(*site), count(at)))
    }

    /// A frame or scope that was entered in this block.
    pub fn scope(&self, id: FrameId) -> Option<ScopeRecord> {
        let (mut low, mut high) = (0, self.scopes.len() / SCOPE);
        while low < high {
            let middle = (low + high) / 2;
            if self.scopes[middle * SCOPE] < id.0 { low = middle + 1 } else { high = middle }
        }
        self.scope_at(low).filter(|scope| scope.id == id)
    }

    pub fn scopes(&self) -> impl Iterator<Item = ScopeRecord> {
        (0..self.scopes.len() / SCOPE).filter_map(|at| self.scope_at(at))
    }

    /// The strings of the block as keys, if it is an outline.
    pub fn keys(&self) -> &'a [u32] {
        self.keys
    }

    pub fn n_shared(&self) -> usize {
        self.n_shared as usize
    }

    /// The frames behind the shared ones; nothing if they are damaged.
    pub fn frames(&self) -> Option<Vec<OpenFrame>> {
        let mut frames = self.all_frames()?;
        frames.truncate(self.n_frames as usize);
        Some(frames)
    }

    /// The frames that come back in the block; nothing if they are damaged.
    pub fn resumed(&self) -> Option<Vec<OpenFrame>> {
        if self.n_resumed == 0 {
            return Some(Vec::new());
        }
        Some(self.all_frames()?.split_off(self.n_frames as usize))
    }

    fn all_frames(&self) -> Option<Vec<OpenFrame>> {
        let mut words = self.frames.iter().copied();
        let mut frames = Vec::new();
        for _ in 0..u64::from(self.n_frames) + u64::from(self.n_resumed) {
            let (id, unit, function) = (words.next()?, words.next()?, words.next()?);
            let (flags, scope, open, n_blocks) = (words.next()?, words.next()?, words.next()?, words.next()?);
            let mut blocks = Vec::new();
            for _ in 0..n_blocks {
                blocks.push((LocalSite(words.next()?), FrameId(words.next()?)));
            }
            frames.push(OpenFrame {
                id: FrameId(id),
                unit: SiteId(unit),
                function: FunctionIndex(function),
                scope: frame_of(scope),
                exact_exit: flags & EXACT_EXIT != 0,
                n_open_calls: (open != u32::MAX).then_some(open),
                blocks,
            });
        }
        Some(frames)
    }

    /// All of it; nothing if the frames are damaged.
    pub fn to_details(&self) -> Option<BlockDetails> {
        Some(BlockDetails {
            tokens: self.tokens.to_vec(),
            sites: self.sites().collect(),
            scopes: self.scopes().collect(),
            n_shared: self.n_shared,
            frames: self.frames()?,
            resumed: self.resumed()?,
            keys: self.keys.to_vec(),
        })
    }

    fn scope_at(&self, at: usize) -> Option<ScopeRecord> {
        let [id, site, up] = self.scopes.get(at * SCOPE..)?.first_chunk::<SCOPE>()?;
        Some(ScopeRecord { id: FrameId(*id), site: SiteId(*site), up: frame_of(*up) })
    }
}

const HEAD: usize = 7;
const SCOPE: usize = 3;
const EXACT_EXIT: u32 = 1;

fn frame_word(frame: Option<FrameId>) -> u32 {
    frame.map_or(0, |frame| frame.0)
}

fn frame_of(word: u32) -> Option<FrameId> {
    (word != 0).then_some(FrameId(word))
}
