//! Named steps, run one after the other; a failed one does not stop those after it.

use std::time::Instant;

use anyhow::Result;

pub struct Steps<'a> {
    only: Option<&'a str>,
    passed: usize,
    failed: Vec<String>,
}

impl<'a> Steps<'a> {
    /// With `only`, steps whose name does not contain it are left out.
    pub fn new(only: Option<&'a str>) -> Steps<'a> {
        Steps { only, passed: 0, failed: Vec::new() }
    }

    pub fn run(&mut self, name: &str, step: impl FnOnce() -> Result<()>) {
        if self.only.is_some_and(|only| !name.contains(only)) {
            return;
        }
        println!("\n── {name}");
        let started = Instant::now();
        let outcome = step();
        let seconds = started.elapsed().as_secs_f64();
        match outcome {
            Ok(()) => {
                self.passed += 1;
                println!("── {name}: passed ({seconds:.1} s)");
            }
            Err(error) => {
                self.failed.push(name.to_owned());
                println!("── {name}: FAILED ({seconds:.1} s): {error:#}");
            }
        }
    }

    /// Prints the last line, and gives whether all passed.
    pub fn finish(self) -> bool {
        for name in &self.failed {
            println!("failed: {name}");
        }
        println!("\n{} passed, {} failed", self.passed, self.failed.len());
        self.failed.is_empty()
    }
}
