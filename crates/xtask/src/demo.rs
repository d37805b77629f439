//! `cargo xtask demo`: records the bundled example and shows what a recording holds.

use anyhow::Result;

use crate::process::{command, output, run as execute};
use crate::{artifacts, paths};

const EXAMPLE: &str = "examples/shop";
const N_SHOWN_EVENTS: usize = 24;

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
    events.lines().take(N_SHOWN_EVENTS).for_each(|line| println!("{line}"));
    println!("… {} events in all", events.lines().count());
    Ok(())
}

fn wherefore() -> std::process::Command {
    command(EXAMPLE, paths::wherefore())
}

fn show(what: &str) {
    println!("\n$ {what}");
}
