//! Sets of tokens: 64 of them to a word, only words that hold any, shared until one of the holders grows.

use std::rc::Rc;

use super::Token;

/// Cheap to clone: the memory is shared until it is changed.
#[derive(Clone, Default, Debug)]
pub struct TokenSet(Option<Rc<Vec<Block>>>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Block {
    number: u32,
    bits: u64,
}

impl TokenSet {
    pub fn is_empty(&self) -> bool {
        self.blocks().is_empty()
    }

    pub fn len(&self) -> usize {
        self.blocks().iter().map(|block| block.bits.count_ones() as usize).sum()
    }

    pub fn contains(&self, token: Token) -> bool {
        let found = self.blocks().binary_search_by_key(&(token.0 >> 6), |block| block.number);
        found.is_ok_and(|at| self.blocks()[at].bits & 1 << (token.0 & 63) != 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = Token> + '_ {
        self.blocks().iter().flat_map(|block| {
            let mut bits = block.bits;
            std::iter::from_fn(move || {
                let lowest = bits.checked_sub(1).map(|_| bits.trailing_zeros())?;
                bits &= bits - 1;
                Some(Token(block.number << 6 | lowest))
            })
        })
    }

    /// Whether it is new.
    pub fn insert(&mut self, token: Token) -> bool {
        let (number, bit) = (token.0 >> 6, 1u64 << (token.0 & 63));
        match self.blocks().binary_search_by_key(&number, |block| block.number) {
            Ok(at) if self.blocks()[at].bits & bit != 0 => false,
            Ok(at) => {
                self.make_mut()[at].bits |= bit;
                true
            }
            Err(at) => {
                self.make_mut().insert(at, Block { number, bits: bit });
                true
            }
        }
    }

    /// Adds all of the other; what is new is added to `fresh` as well. Whether anything was.
    pub fn unite(&mut self, other: &TokenSet, fresh: &mut TokenSet) -> bool {
        if self.is_same(other) {
            return false;
        }
        if self.is_empty() {
            self.0 = other.0.clone();
            match fresh.is_empty() {
                true => fresh.0 = other.0.clone(),
                false => drop(fresh.unite(other, &mut TokenSet::default())),
            }
            return !other.is_empty();
        }
        let new = other.without(self);
        if new.is_empty() {
            return false;
        }
        match self.len_blocks() <= other.len_blocks() && self.without(other).is_empty() {
            // It was a part of the other, so it is the other now.
            true => self.0 = other.0.clone(),
            false => self.merge(&new),
        }
        match fresh.is_empty() {
            true => *fresh = new,
            false => fresh.merge(&new),
        }
        true
    }

    /// What is in this and not in the other.
    pub fn without(&self, other: &TokenSet) -> TokenSet {
        if self.is_same(other) {
            return TokenSet::default();
        }
        let (own, others) = (self.blocks(), other.blocks());
        let mut left = Vec::new();
        let mut at = 0;
        for block in own {
            at += others[at..].partition_point(|other| other.number < block.number);
            let taken = others.get(at).filter(|other| other.number == block.number).map_or(0, |other| other.bits);
            if block.bits & !taken != 0 {
                left.push(Block { number: block.number, bits: block.bits & !taken });
            }
        }
        TokenSet((!left.is_empty()).then(|| Rc::new(left)))
    }

    /// The bytes that it holds, if nobody else holds them.
    pub fn n_own_bytes(&self) -> usize {
        self.0
            .as_ref()
            .filter(|blocks| Rc::strong_count(blocks) == 1)
            .map_or(0, |blocks| blocks.capacity() * size_of::<Block>())
    }

    fn merge(&mut self, other: &TokenSet) {
        let (own, others) = (self.blocks(), other.blocks());
        let mut merged = Vec::with_capacity(own.len() + others.len());
        let (mut i, mut j) = (0, 0);
        while i < own.len() && j < others.len() {
            let (a, b) = (own[i], others[j]);
            let number = a.number.min(b.number);
            let mut bits = 0;
            if a.number == number {
                bits |= a.bits;
                i += 1;
            }
            if b.number == number {
                bits |= b.bits;
                j += 1;
            }
            merged.push(Block { number, bits });
        }
        merged.extend_from_slice(&own[i..]);
        merged.extend_from_slice(&others[j..]);
        self.0 = Some(Rc::new(merged));
    }

    fn is_same(&self, other: &TokenSet) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    /// A measure of what going over it takes.
    pub fn n_words(&self) -> usize {
        self.len_blocks()
    }

    fn len_blocks(&self) -> usize {
        self.blocks().len()
    }

    fn blocks(&self) -> &[Block] {
        self.0.as_deref().map_or(&[], |blocks| blocks)
    }

    fn make_mut(&mut self) -> &mut Vec<Block> {
        Rc::make_mut(self.0.get_or_insert_default())
    }
}
