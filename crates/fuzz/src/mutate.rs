//! Inputs made from others, by a seed: the same seed makes the same inputs, whatever the machine.

use crate::limits::LONGEST_INPUT;

/// Numbers that depend on the seed alone (SplitMix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.number() % n as u64) as usize
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// One of the inputs, changed in one to eight places.
pub fn mutated(inputs: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut input = random.of(inputs).clone();
    for _ in 0..1 << random.below(4) {
        change(&mut input, inputs, random);
    }
    input.truncate(LONGEST_INPUT);
    input
}

/// Whole numbers at whose edges readers go wrong.
const EDGES: [u64; 10] = [0, 1, 0x7F, 0xFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 32, i64::MAX as u64, u64::MAX];

fn change(input: &mut Vec<u8>, inputs: &[Vec<u8>], random: &mut Random) {
    if input.is_empty() {
        input.extend(random.of(inputs));
        return;
    }
    let at = random.below(input.len());
    match random.below(8) {
        0 => input[at] ^= 1 << random.below(8),
        1 => input[at] = random.number() as u8,
        2 => drop(input.drain(at..end(input, at, random))),
        3 => {
            let again = input[at..end(input, at, random)].to_vec();
            input.splice(at..at, again);
        }
        4 => {
            let other = random.of(inputs);
            if !other.is_empty() {
                let from = random.below(other.len());
                let part = other[from..end(other, from, random)].to_vec();
                let to = end(input, at, random);
                input.splice(at..to, part);
            }
        }
        5 => {
            let bytes = random.of(&EDGES).to_le_bytes();
            let n_bytes = (1 << random.below(4)).min(input.len() - at);
            input[at..at + n_bytes].copy_from_slice(&bytes[..n_bytes]);
        }
        6 => change_digits(input, at, random),
        _ => input.truncate(at),
    }
}

/// Where a piece ends that begins here; mostly soon.
fn end(input: &[u8], at: usize, random: &mut Random) -> usize {
    let longest = if random.below(4) == 0 { input.len() } else { 32 };
    at + random.below((input.len() - at).min(longest) + 1)
}

/// Writes another number where the next one stands.
fn change_digits(input: &mut Vec<u8>, at: usize, random: &mut Random) {
    let Some(from) = input[at..].iter().position(u8::is_ascii_digit).map(|offset| at + offset) else { return };
    let n_digits = input[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    input.splice(from..from + n_digits, random.of(&EDGES).to_string().into_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_the_same_inputs_again() {
        let seeds = [b"app.js:22".to_vec(), Vec::new(), b"{\"kind\":\"why\"}".to_vec()];
        let made = |seed| {
            let mut random = Random::new(seed);
            (0..1000).map(|_| mutated(&seeds, &mut random)).collect::<Vec<_>>()
        };
        assert_eq!(made(7), made(7));
        assert_ne!(made(7), made(8));
        assert!(made(7).iter().all(|input| input.len() <= LONGEST_INPUT));
    }
}
