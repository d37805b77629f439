//! What the index remembers of a block: facts about things that are older than the block, each as one number.
//!
//! Objects and frames are numbered as they come. So whatever concerns one that was born in the block needs no entry: the
//! block of its birth is found by its number. Only what happens to older ones is listed, exactly but for the chance that two
//! facts get the same number, which costs a look at a block too many.

use trace_model::{FrameId, ObjectId};

use crate::key::{KeyHash, mix};
use crate::target::VariablePlace;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fact {
    /// The frame has an event of its own.
    InFrame(FrameId),
    /// The frame ended, or was found gone.
    Left(FrameId),
    /// The frame called: a function was entered from it.
    Called(FrameId),
    Variable(VariablePlace),
    /// The object was changed, or shown.
    Object(ObjectId),
    Mention(ObjectId),
    Property(ObjectId, KeyHash),
    /// All keys of the object are concerned, or one that is not known.
    EveryKey(ObjectId),
    /// Its elements and its length.
    Elements(ObjectId),
    /// A key was taken from the object.
    Removal(ObjectId),
    /// A key of the object was written that is a whole number, or may be.
    Numeral(ObjectId),
    Output,
    Uncaught,
    Message,
    /// An error was looked at.
    Error,
}

impl Fact {
    /// Whether the outline of a block tells it.
    pub fn is_in_outline(self) -> bool {
        matches!(self, Fact::Output | Fact::Uncaught | Fact::Message | Fact::Error)
    }

    pub fn token(self) -> u32 {
        let (kind, number, more) = match self {
            Fact::InFrame(frame) => (1, frame.0, 0),
            Fact::Left(frame) => (2, frame.0, 0),
            Fact::Called(frame) => (3, frame.0, 0),
            Fact::Variable(place) => {
                let variable = u64::from(place.unit.0) << 32 | u64::from(place.variable.0);
                (4, place.owner.map_or(0, |owner| owner.0), mix(variable) as u32)
            }
            Fact::Object(object) => (5, object.0, 0),
            Fact::Mention(object) => (6, object.0, 0),
            Fact::Property(object, key) => (7, object.0, key.0),
            Fact::EveryKey(object) => (8, object.0, 0),
            Fact::Elements(object) => (9, object.0, 0),
            Fact::Output => (10, 0, 0),
            Fact::Uncaught => (11, 0, 0),
            Fact::Message => (12, 0, 0),
            Fact::Error => (13, 0, 0),
            Fact::Removal(object) => (14, object.0, 0),
            Fact::Numeral(object) => (15, object.0, 0),
        };
        mix((u64::from(number) << 32 | u64::from(more)) ^ mix(kind)) as u32
    }
}

/// The facts of a block while it is followed.
#[derive(Default)]
pub(crate) struct FactSet {
    /// Open addressing; 0 is a free slot, so the token 0 is kept as 1.
    slots: Vec<u32>,
    tokens: Vec<u32>,
}

impl FactSet {
    #[inline]
    pub fn add(&mut self, fact: Fact) {
        let token = fact.token();
        if self.tokens.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = token as usize & mask;
        loop {
            match self.slots[at] {
                0 => break,
                known if known == token.max(1) => return,
                _ => at = (at + 1) & mask,
            }
        }
        self.slots[at] = token.max(1);
        self.tokens.push(token);
    }

    /// The tokens, ascending; the set is then empty.
    pub fn take(&mut self) -> Vec<u32> {
        self.slots.fill(0);
        let mut tokens = self.tokens.clone();
        self.tokens.clear();
        tokens.sort_unstable();
        tokens.dedup();
        tokens
    }

    fn grow(&mut self) {
        let n_slots = (self.slots.len() * 2).max(1 << 12);
        self.slots = vec![0; n_slots];
        let tokens = std::mem::take(&mut self.tokens);
        for token in &tokens {
            let mut at = *token as usize & (n_slots - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (n_slots - 1);
            }
            self.slots[at] = (*token).max(1);
        }
        self.tokens = tokens;
    }
}
