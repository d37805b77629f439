//! A target under inputs that a seed makes, without any knowledge of what they reach: for the tests, and to repeat what these found.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::limits::{self, Watch};
use crate::mutate::{Random, mutated};
use crate::{Target, seeds};

/// Gives how many inputs there were. What is found ends the process; the input is then in the file `kept`.
pub fn drive(target: &Target, seed: u64, time: Duration, kept: &Path) -> io::Result<u64> {
    limits::abort_on_panic();
    limits::bound_memory();
    let watch = Watch::start();
    let kept = File::create(kept)?;
    let inputs = seeds(target.name);
    let run = |input: &[u8]| -> io::Result<()> {
        kept.set_len(input.len() as u64)?;
        kept.write_all_at(input, 0)?;
        watch.during(|| (target.run)(input));
        Ok(())
    };
    for input in &inputs {
        run(input)?;
    }
    let mut random = Random::new(seed);
    let mut n_runs = inputs.len() as u64;
    let started = Instant::now();
    while started.elapsed() < time {
        run(&mutated(&inputs, &mut random))?;
        n_runs += 1;
    }
    Ok(n_runs)
}

/// One input, under the same limits.
pub fn once(target: &Target, input: &[u8]) {
    limits::abort_on_panic();
    limits::bound_memory();
    Watch::start().during(|| (target.run)(input));
}
