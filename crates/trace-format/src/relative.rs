//! What a block does to the stack, told without knowing the stack at its start: see `README.md`. Whoever packs a block writes it, and who
//! reads the blocks in order puts one behind the other.

use trace_model::{FrameId, FunctionIndex, LocalSite, SiteId};

use event_encoding::Counts;

/// A block seen alone. Frames and scopes that are entered in it have numbers from 1 on, behind those that came before it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RelativeOutline {
    /// What it has.
    pub n: Counts,
    /// The highest number of an object that it names.
    pub highest_object: u32,
    pub records: RecordKinds,
    pub objects: ConcernedObjects,
    /// How many frames and scopes there must have been before it, if that was concluded from its events.
    pub n_frames_before: Option<u32>,
    /// Ascending; how many events each has, from 1 to 65,536.
    pub sites: Vec<(SiteId, u32)>,
    /// Ascending.
    pub scopes: Vec<RelativeScope>,
    /// Its strings as keys, each as a hash.
    pub keys: Vec<u32>,
    /// The frames of before that it comes to, in this order.
    pub assumed: Vec<AssumedFrame>,
    /// The frames at its end that lie above what it never came to.
    pub stack: Vec<RelativeFrame>,
    /// The frames that began to wait in it and still do.
    pub suspended: Vec<RelativeFrame>,
}

/// The objects that it changes, shows or gives birth to, but for those that were born in it: these have numbers from `born_from` on, if no
/// higher number was there before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConcernedObjects {
    /// `u32::MAX`: none is born in it.
    pub born_from: u32,
    /// Ascending; `None`: too many.
    pub older: Option<Vec<u32>>,
}

/// Which of the records it has that are asked for in all blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RecordKinds {
    pub output: bool,
    pub uncaught: bool,
    pub message: bool,
    /// A look at an error.
    pub error: bool,
}

impl RecordKinds {
    fn to_word(self) -> u32 {
        [self.output, self.uncaught, self.message, self.error]
            .iter()
            .rev()
            .fold(0, |word, has| word << 1 | u32::from(*has))
    }

    fn of(word: u32) -> RecordKinds {
        let has = |bit: u32| word >> bit & 1 != 0;
        RecordKinds { output: has(0), uncaught: has(1), message: has(2), error: has(3) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RelativeScope {
    pub number: u32,
    /// Its `Enter` or `Scope`.
    pub site: SiteId,
    pub up: ScopeAround,
}

/// The instance around a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeAround {
    Nothing,
    /// By its number in the thread.
    Numbered(FrameId),
    /// Entered in the block.
    Entered(u32),
    /// The latest instance of this block scope of a frame of before; the frame itself if it had none then.
    Assumed(u32, Option<LocalSite>),
}

/// A frame of before that the block comes to, and what it must be like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AssumedFrame {
    pub way: WayToFrame,
    /// Its number, if an event names it.
    pub id: Option<FrameId>,
    pub unit: SiteId,
    pub function: FunctionIndex,
    pub exact_exit: bool,
    /// How many calls must be open in it, if that is known of it.
    pub least_calls: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WayToFrame {
    /// The topmost of its function, if what is above it may be gone.
    Event,
    /// As well, but one that can get a result.
    Result,
    /// It waited, and comes back on top.
    Resumed,
    /// An event in it: what was above is gone.
    Returned,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelativeFrame {
    pub origin: FrameOrigin,
    pub calls: OpenCalls,
    /// The latest instance of each of its block scopes that was entered here.
    pub blocks: Vec<(LocalSite, u32)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameOrigin {
    Entered { number: u32, unit: SiteId, function: FunctionIndex, exact_exit: bool, scope: Option<FrameId> },
    Assumed(u32),
}

/// How many calls of a frame are open, from how many were open before: never fewer than `floor`, and just as many if `is_known`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenCalls {
    pub is_known: bool,
    pub more: i32,
    pub floor: u32,
}

impl OpenCalls {
    pub const NONE: OpenCalls = OpenCalls { is_known: true, more: 0, floor: 0 };

    #[inline]
    pub fn call(&mut self) {
        self.more += 1;
        self.floor += 1;
    }

    #[inline]
    pub fn result(&mut self) {
        self.more -= 1;
        self.floor = self.floor.saturating_sub(1);
    }

    pub fn from(self, before: Option<u32>) -> Option<u32> {
        if self.is_known {
            return Some(self.floor);
        }
        before.map(|before| before.saturating_add_signed(self.more).max(self.floor))
    }
}

impl RelativeOutline {
    pub fn to_words(&self, words: &mut Vec<u32>) {
        words.extend([
            self.n.frames,
            self.n.strings,
            self.n.symbols,
            self.n.events as u32,
            (self.n.events >> 32) as u32,
            self.highest_object,
            self.records.to_word(),
            self.n_frames_before.map_or(u32::MAX, |n| n),
        ]);
        let lengths = [self.sites.len(), self.scopes.len(), self.keys.len(), self.assumed.len()];
        words.extend(lengths.into_iter().chain([self.stack.len(), self.suspended.len()]).map(|length| length as u32));
        words.extend(self.sites.iter().map(|(site, _)| site.0));
        let count = |count: Option<&(SiteId, u32)>| count.map_or(0, |(_, count)| (count - 1) & 0xFFFF);
        words.extend(self.sites.chunks(2).map(|pair| count(pair.first()) | count(pair.get(1)) << 16));
        for scope in &self.scopes {
            words.extend([scope.number, scope.site.0]);
            match scope.up {
                ScopeAround::Nothing => words.push(0),
                ScopeAround::Numbered(id) => words.extend([1, id.0]),
                ScopeAround::Entered(number) => words.extend([2, number]),
                ScopeAround::Assumed(assumed, None) => words.extend([3, assumed]),
                ScopeAround::Assumed(assumed, Some(block)) => words.extend([4, assumed, block.0]),
            }
        }
        words.extend_from_slice(&self.keys);
        let older = self.objects.older.as_deref();
        words.extend([self.objects.born_from, older.map_or(u32::MAX, |older| older.len() as u32)]);
        // Differences get smaller when they are compressed.
        let mut last = 0;
        words.extend(older.unwrap_or_default().iter().map(|object| object - std::mem::replace(&mut last, *object)));
        for frame in &self.assumed {
            let id = frame.id.map_or(0, |id| id.0);
            let flags = frame.way as u32 | u32::from(frame.exact_exit) << 2;
            words.extend([flags, id, frame.unit.0, frame.function.0, frame.least_calls]);
        }
        for frame in self.stack.iter().chain(&self.suspended) {
            let known = u32::from(frame.calls.is_known) << 1;
            match frame.origin {
                FrameOrigin::Entered { number, unit, function, exact_exit, scope } => {
                    let flags = known | u32::from(exact_exit) << 2;
                    words.extend([flags, number, unit.0, function.0, scope.map_or(0, |scope| scope.0)]);
                }
                FrameOrigin::Assumed(assumed) => words.extend([1 | known, assumed]),
            }
            words.extend([frame.calls.more as u32, frame.calls.floor, frame.blocks.len() as u32]);
            words.extend(frame.blocks.iter().flat_map(|(site, instance)| [site.0, *instance]));
        }
    }

    /// `None` if the words are not such an outline.
    pub fn read(words: &[u32]) -> Option<RelativeOutline> {
        let mut words = Words(words);
        let n = Counts {
            frames: words.next()?,
            strings: words.next()?,
            symbols: words.next()?,
            events: u64::from(words.next()?) | u64::from(words.next()?) << 32,
        };
        let highest_object = words.next()?;
        let records = RecordKinds::of(words.next()?);
        let n_frames_before = Some(words.next()?).filter(|n| *n != u32::MAX);
        let [n_sites, n_scopes, n_keys, n_taken, n_stack, n_suspended] = words.take(6)?.try_into().ok()?;
        let sites = words.take(n_sites as usize)?;
        let counts = words.take((n_sites as usize).div_ceil(2))?;
        let count = |at: usize| (counts[at / 2] >> (at % 2 * 16) & 0xFFFF) + 1;
        let sites = sites.iter().enumerate().map(|(at, site)| (SiteId(*site), count(at))).collect();
        let scopes = words.read_all(n_scopes, read_scope)?;
        let keys = words.take(n_keys as usize)?.to_vec();
        let objects = read_objects(&mut words)?;
        let assumed = words.read_all(n_taken, read_assumed)?;
        let is_there = |frame: &RelativeFrame| match frame.origin {
            FrameOrigin::Assumed(at) => at < n_taken,
            FrameOrigin::Entered { .. } => true,
        };
        let stack = words.read_all(n_stack, |words| read_frame(words).filter(is_there))?;
        let suspended = words.read_all(n_suspended, |words| read_frame(words).filter(is_there))?;
        let is_whole = scopes.iter().all(|scope| !matches!(scope.up, ScopeAround::Assumed(at, _) if at >= n_taken));
        is_whole.then_some(RelativeOutline {
            n,
            highest_object,
            records,
            objects,
            n_frames_before,
            sites,
            scopes,
            keys,
            assumed,
            stack,
            suspended,
        })
    }
}

fn read_objects(words: &mut Words) -> Option<ConcernedObjects> {
    let (born_from, n_older) = (words.next()?, words.next()?);
    if n_older == u32::MAX {
        return Some(ConcernedObjects { born_from, older: None });
    }
    let mut last = 0u32;
    let mut object = |more: &u32| {
        last = last.wrapping_add(*more);
        last
    };
    let older = words.take(n_older as usize)?.iter().map(&mut object).collect();
    Some(ConcernedObjects { born_from, older: Some(older) })
}

fn read_scope(words: &mut Words) -> Option<RelativeScope> {
    Some(RelativeScope {
        number: words.next()?,
        site: SiteId(words.next()?),
        up: match words.next()? {
            0 => ScopeAround::Nothing,
            1 => ScopeAround::Numbered(FrameId(words.next()?)),
            2 => ScopeAround::Entered(words.next()?),
            3 => ScopeAround::Assumed(words.next()?, None),
            4 => ScopeAround::Assumed(words.next()?, Some(LocalSite(words.next()?))),
            _ => return None,
        },
    })
}

fn read_assumed(words: &mut Words) -> Option<AssumedFrame> {
    let flags = words.next()?;
    Some(AssumedFrame {
        way: match flags & 3 {
            0 => WayToFrame::Event,
            1 => WayToFrame::Result,
            2 => WayToFrame::Resumed,
            _ => WayToFrame::Returned,
        },
        id: Some(FrameId(words.next()?)).filter(|id| id.0 != 0),
        unit: SiteId(words.next()?),
        function: FunctionIndex(words.next()?),
        exact_exit: flags & 4 != 0,
        least_calls: words.next()?,
    })
}

fn read_frame(words: &mut Words) -> Option<RelativeFrame> {
    let flags = words.next()?;
    let origin = match flags & 1 {
        0 => FrameOrigin::Entered {
            number: words.next()?,
            unit: SiteId(words.next()?),
            function: FunctionIndex(words.next()?),
            exact_exit: flags & 4 != 0,
            scope: Some(FrameId(words.next()?)).filter(|scope| scope.0 != 0),
        },
        _ => FrameOrigin::Assumed(words.next()?),
    };
    let calls = OpenCalls { is_known: flags & 2 != 0, more: words.next()? as i32, floor: words.next()? };
    let n_blocks = words.next()?;
    let blocks = words.read_all(n_blocks, |words| Some((LocalSite(words.next()?), words.next()?)))?;
    Some(RelativeFrame { origin, calls, blocks })
}

struct Words<'a>(&'a [u32]);

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<u32> {
        self.0.split_off_first().copied()
    }

    fn take(&mut self, n: usize) -> Option<&'a [u32]> {
        self.0.split_off(..n)
    }

    fn read_all<T>(&mut self, n: u32, mut read: impl FnMut(&mut Words<'a>) -> Option<T>) -> Option<Vec<T>> {
        (0..n).map(|_| read(self)).collect()
    }
}
