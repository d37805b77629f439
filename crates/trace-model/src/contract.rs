//! The numbers with which a trace is written, and what they mean: written here and nowhere else.
//!
//! The reader and writer of `trace-format` use these constants. `cargo xtask build` makes the same names available to the
//! JavaScript of `packages/runtime`, and a test (`crates/xtask/tests/contract.rs`) compares the tables in the README of
//! `trace-format` with them. A number is never given a second meaning: old traces stay readable.

pub mod header;
pub mod record;
pub mod tag;

use crate::{BuiltinOp, CodeKind, MessageStep, ObjectClass};

/// A name of the contract, as JavaScript writes it behind the name of its table (`TAG.INTEGER`), and its number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    pub name: String,
    pub number: u32,
}

/// All numbers by the names of their tables.
pub fn tables() -> Vec<(&'static str, Vec<Word>)> {
    let variants = |names: Vec<&str>, first: u32| {
        names.iter().zip(first..).map(|(name, number)| word(&upper_case(name), number)).collect::<Vec<_>>()
    };
    let mut kinds = variants(CodeKind::ALL.map(CodeKind::name).to_vec(), 0);
    kinds.push(word("TYPESCRIPT", CodeKind::TYPESCRIPT));
    vec![
        ("TAG", tag::ALL.iter().map(|tag| word(tag.name, tag.number)).collect()),
        ("RECORD", record::ALL.iter().map(|record| word(record.name, record.number)).collect()),
        ("HEADER", record::ALL.iter().map(|record| word(record.name, header::of_record(record.number, 0))).collect()),
        ("CLASS", variants(ObjectClass::ALL.map(ObjectClass::name).to_vec(), 0)),
        ("OPERATION", variants(BuiltinOp::ALL.map(BuiltinOp::name).to_vec(), BuiltinOp::FIRST)),
        ("STEP", variants(MessageStep::ALL.map(MessageStep::name).to_vec(), 0)),
        ("KIND", kinds),
        ("LAYOUT", header::LAYOUT.iter().map(|(name, number)| word(name, *number)).collect()),
    ]
}

fn word(name: &str, number: u32) -> Word {
    Word { name: name.to_owned(), number }
}

/// `MapSet` → `MAP_SET`.
fn upper_case(variant: &str) -> String {
    let mut out = String::new();
    for (index, letter) in variant.char_indices() {
        if index > 0 && letter.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(letter.to_ascii_uppercase());
    }
    out
}

/// An enum whose variants are numbered in the trace, with what each of them means.
macro_rules! numbered {
    ($(#[$doc:meta])* pub enum $enum:ident { $($(#[$variant_doc:meta])* $variant:ident: $meaning:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $enum { $($(#[$variant_doc])* $variant),* }

        impl $enum {
            /// In the order of their numbers in the trace. New ones go to the end.
            pub const ALL: [$enum; [$($enum::$variant),*].len()] = [$($enum::$variant),*];

            pub fn name(self) -> &'static str {
                match self { $($enum::$variant => stringify!($variant)),* }
            }

            /// In the words of the README of `trace-format`.
            pub fn meaning(self) -> &'static str {
                match self { $($enum::$variant => $meaning),* }
            }
        }
    };
}
pub(crate) use numbered;
