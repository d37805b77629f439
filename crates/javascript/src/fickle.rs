//! What a program can ask for that is another thing each time. A call that does is not the same as another with the same arguments.

/// Objects of the environment that tell of the world outside of the program.
const FICKLE_OBJECTS: [&str; 4] = ["performance.", "process.", "crypto.", "navigator."];
const FICKLE_FUNCTIONS: [&str; 5] = ["Math.random", "Date.now", "Temporal.Now", "fetch", "prompt"];

/// Modules of Node that do; also what is below them (`fs/promises`).
const FICKLE_MODULES: [&str; 19] = [
    "child_process",
    "crypto",
    "dgram",
    "dns",
    "fs",
    "http",
    "http2",
    "https",
    "net",
    "os",
    "perf_hooks",
    "process",
    "readline",
    "sqlite",
    "stream",
    "tls",
    "tty",
    "v8",
    "worker_threads",
];

pub(crate) fn is_fickle(callee: &str, n_arguments: usize) -> bool {
    let callee = callee.strip_prefix("globalThis.").unwrap_or(callee);
    FICKLE_FUNCTIONS.contains(&callee)
        || FICKLE_OBJECTS.iter().any(|object| callee.starts_with(object))
        // Without arguments it is now.
        || callee == "Date" && n_arguments == 0
}

pub(crate) fn is_fickle_module(specifier: &str) -> bool {
    let name = specifier.strip_prefix("node:").unwrap_or(specifier);
    let name = name.split_once('/').map_or(name, |(module, _)| module);
    FICKLE_MODULES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_fickle_and_a_date_that_is_written_down_is_not() {
        assert!(is_fickle("Date", 0) && is_fickle("Date.now", 0) && is_fickle("process.hrtime.bigint", 0));
        assert!(!is_fickle("Date", 1) && !is_fickle("Math.max", 2) && !is_fickle("list.map", 1));
    }

    #[test]
    fn modules_that_tell_of_the_world_outside() {
        assert!(is_fickle_module("node:fs/promises") && is_fickle_module("fs"));
        assert!(!is_fickle_module("./fs.js") && !is_fickle_module("node:assert"));
    }
}
