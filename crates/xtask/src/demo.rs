//! `cargo xtask demo`: records the bundled example and asks why it fails.

use anyhow::Result;

use crate::process::{command, run as execute};
use crate::{artifacts, paths};

const EXAMPLE: &str = "examples/shop";

/// Each is asked of the run that the first one records.
const QUESTIONS: [&[&str]; 4] = [
    &["why", "--", "node", "shop.js"],
    &["state", "--at", "offers.js:7"],
    &["history", "percent", "--at", "offers.js:7"],
    &["last-condition", "--at", "offers.js:6:30"],
];

pub fn run() -> Result<()> {
    artifacts::build()?;
    println!("\n{EXAMPLE}/shop.js adds up a shopping cart, and the total is wrong.");
    for question in QUESTIONS {
        println!("\n$ wherefore {}", question.join(" "));
        execute(command(EXAMPLE, paths::wherefore()).args(question))?;
    }
    println!("\nFor the pens there was no offer, and `percent` still held the 10 of the line before.");
    Ok(())
}
