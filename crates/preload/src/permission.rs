//! Node's permission model. It forbids addons and files that were not allowed, so a Node that runs with it would stop at the preload file.

use core::mem::MaybeUninit;

/// Whether this process, a Node, was started with it: by its arguments, or by the value of `NODE_OPTIONS`.
pub fn is_asked_for(options: &[u8]) -> bool {
    if options.split(u8::is_ascii_whitespace).any(is_option) {
        return true;
    }
    let mut memory = [const { MaybeUninit::<u8>::uninit() }; LONGEST];
    // SAFETY: names are strings, and the memory is as long as it is said to be. What was read is initialised.
    let arguments = unsafe {
        let file = libc::open(c"/proc/self/cmdline".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        let length = if file < 0 { 0 } else { libc::read(file, memory.as_mut_ptr().cast(), LONGEST) };
        if file >= 0 {
            libc::close(file);
        }
        core::slice::from_raw_parts(memory.as_ptr().cast::<u8>(), length.max(0) as usize)
    };
    is_in(arguments)
}

/// Among the options of Node, and not behind its script. Each argument ends with a zero; the first is the program.
fn is_in(arguments: &[u8]) -> bool {
    let mut may_be_value = false;
    for word in arguments.split(|byte| *byte == 0).skip(1) {
        if is_option(word) {
            return true;
        }
        let is_dashed = word.starts_with(b"-") && word != b"-";
        if word == b"--" || !is_dashed && !may_be_value {
            return false;
        }
        may_be_value = is_dashed && WITH_VALUE.iter().any(|name| is_named(word, name));
    }
    false
}

fn is_option(word: &[u8]) -> bool {
    let names: [&[u8]; 3] = [b"--permission", b"--experimental-permission", b"--permission-audit"];
    names.iter().any(|name| is_named(word, name))
}

/// Node reads `_` in the name of an option as `-`.
fn is_named(word: &[u8], name: &[u8]) -> bool {
    word.len() == name.len()
        && word.iter().zip(name).all(|(byte, wanted)| byte == wanted || *byte == b'_' && *wanted == b'-')
}

/// Options that take the next word as their value, unless that is an option. Of all versions that are recorded: the test below asks
/// each for its own.
const WITH_VALUE: &[&[u8]] = &[
    b"--allow-fs-read",
    b"--allow-fs-write",
    b"--bench-isolation",
    b"--bench-name-pattern",
    b"--bench-reporter",
    b"--bench-reporter-destination",
    b"--bench-samples",
    b"--bench-warmup",
    b"--build-sea",
    b"--build-snapshot-config",
    b"-C",
    b"--conditions",
    b"--cpu-prof-dir",
    b"--cpu-prof-interval",
    b"--cpu-prof-name",
    b"--debug-port",
    b"--diagnostic-dir",
    b"--disable-proto",
    b"--disable-warning",
    b"--dns-result-order",
    b"-e",
    b"--env-file",
    b"--env-file-if-exists",
    b"--es-module-specifier-resolution",
    b"--eval",
    b"--experimental-config-file",
    b"--experimental-default-config-file",
    b"--experimental-default-type",
    b"--experimental-loader",
    b"--experimental-package-map",
    b"--experimental-policy",
    b"--experimental-sea-config",
    b"--experimental-test-isolation",
    b"--experimental-test-tag-filter",
    b"--heap-prof-dir",
    b"--heap-prof-interval",
    b"--heap-prof-name",
    b"--heapsnapshot-near-heap-limit",
    b"--heapsnapshot-signal",
    b"--icu-data-dir",
    b"--import",
    b"--input-type",
    b"--inspect-port",
    b"--inspect-publish-uid",
    b"--loader",
    b"--localstorage-file",
    b"--max-http-header-size",
    b"--max-old-space-size-percentage",
    b"--network-family-autoselection-attempt-timeout",
    b"--openssl-config",
    b"-p",
    b"-pe",
    b"--policy-integrity",
    b"--print",
    b"-r",
    b"--redirect-warnings",
    b"--report-dir",
    b"--report-directory",
    b"--report-filename",
    b"--report-signal",
    b"--require",
    b"--run",
    b"--secure-heap",
    b"--secure-heap-min",
    b"--security-revert",
    b"--security-reverts",
    b"--snapshot-blob",
    b"--stack-trace-limit",
    b"--test-concurrency",
    b"--test-coverage-branches",
    b"--test-coverage-exclude",
    b"--test-coverage-functions",
    b"--test-coverage-include",
    b"--test-coverage-lines",
    b"--test-global-setup",
    b"--test-isolation",
    b"--test-name-pattern",
    b"--test-random-seed",
    b"--test-reporter",
    b"--test-reporter-destination",
    b"--test-rerun-failures",
    b"--test-shard",
    b"--test-skip-pattern",
    b"--test-timeout",
    b"--title",
    b"--tls-cipher-list",
    b"--tls-keylog",
    b"--trace-event-categories",
    b"--trace-event-file-pattern",
    b"--trace-require-module",
    b"--unhandled-rejections",
    b"--use-largepages",
    b"--v8-pool-size",
    b"--vfs-load",
    b"--vfs-mount",
    b"--watch-kill-signal",
    b"--watch-path",
];

/// The options of Node come first.
const LONGEST: usize = 8192;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_of_node_stands_before_the_script() {
        let is_in = |line: &str| is_in(line.replace(' ', "\0").as_bytes());
        for line in [
            "node --permission app.js",
            "node --experimental-permission --allow-fs-read=* app",
            "node -r ./a.js --permission app.js",
            "node --title x --permission app.js",
            "node --permission-audit -e 1",
            "node -e 1 --permission",
            "node --title x.js --permission app.js",
            "node --env-file x.mjs --experimental_permission app",
            "node --enable-source-maps --run test --permission",
        ] {
            assert!(is_in(line), "{line}");
        }
        for line in [
            "node app.js --permission",
            "node --enable-source-maps app.mjs --permission",
            "node",
            "node a=b --permission",
            "node --enable-source-maps app --permission",
            "node --title=x app --permission",
            "node -- app --permission",
            "node - --permission",
        ] {
            assert!(!is_in(line), "{line}");
        }
    }

    #[test]
    fn an_option_of_the_environment_is_a_word_of_its_own() {
        assert!(is_asked_for(b"--no-warnings  --permission"));
        assert!(!is_asked_for(b"--title=--permission --require=/permission"));
    }

    #[test]
    fn every_option_of_every_node_that_takes_a_value_is_known() {
        let nodes = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/nodes/node_modules");
        // `cargo xtask test` installs them.
        let Ok(nodes) = std::fs::read_dir(nodes) else { return };
        let nodes = nodes.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with("node"));
        let nodes = nodes.map(|entry| entry.path().join("bin/node")).filter(|node| node.exists());
        let program = "
            const { internalBinding } = require('internal/test/binding');
            const { getCLIOptionsInfo, types } = internalBinding('options');
            const valued = [types.kString, types.kStringList, types.kInteger, types.kUInteger, types.kHostPort];
            const { options } = getCLIOptionsInfo();
            console.log([...options].filter(([, { type }]) => valued.includes(type)).map(([name]) => name).join(' '));";
        for node in nodes {
            let output =
                std::process::Command::new(&node).args(["--expose-internals", "-e", program]).output().unwrap();
            let named = std::string::String::from_utf8(output.stdout).unwrap();
            assert!(named.contains("--title"), "{}: {named}", node.display());
            for name in named.split_whitespace().filter(|name| name.starts_with("--")) {
                assert!(WITH_VALUE.contains(&name.as_bytes()), "{}: {name}", node.display());
            }
        }
    }
}
