//! `cargo xtask demo`: records the bundled example and shows what a recording holds.

use anyhow::Result;

use crate::process::{command, output, run as execute};
use crate::{artifacts, paths};

const EXAMPLE: &str = "examples/shop";
const N_SHOWN_EVENTS: usize = 16;
const SHOWN_WIDTH: usize = 110;

pub fn run() -> Result<()> {
    artifacts::build()?;
    println!("\n{EXAMPLE}/shop.js adds up a shopping cart, and the total is wrong.");
    show("wherefore record -- node shop.js");
    execute(wherefore().args(["record", "--", "node", "shop.js"]))?;
    show("wherefore runs");
    execute(wherefore().arg("runs"))?;
    show("wherefore events");
    let events = output(wherefore().arg("events"))?;
    let events = String::from_utf8_lossy(&events);
    events.lines().take(N_SHOWN_EVENTS).for_each(|line| println!("{}", shortened(line)));
    println!("… {} events in all", events.lines().count());
    let question = [
        "events",
        "--file",
        "offers.js",
        "--function",
        "applyOffers",
        "--kind",
        "Var",
        "--kind",
        "Branch",
        "--kind",
        "Put",
    ];
    show(&format!("wherefore {}", question.join(" ")));
    execute(wherefore().args(question))?;
    println!("\nFor the pens the branch was not taken, and `percent` still held the 10 of the line before.");
    Ok(())
}

fn wherefore() -> std::process::Command {
    command(EXAMPLE, paths::wherefore())
}

fn show(what: &str) {
    println!("\n$ {what}");
}

fn shortened(line: &str) -> String {
    if line.chars().count() <= SHOWN_WIDTH {
        return line.to_owned();
    }
    line.chars().take(SHOWN_WIDTH).chain(['…']).collect()
}
