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
    let mut before: &[u8] = b"";
    for word in arguments.split(|byte| *byte == 0).skip(1) {
        if is_option(word) {
            return true;
        }
        let may_be_value = before.starts_with(b"-") && !before.contains(&b'=');
        let is_source = ENDINGS.iter().any(|ending| word.ends_with(ending)) && !LOADERS.contains(&before);
        if !word.starts_with(b"-") && (is_source || !may_be_value) {
            return false;
        }
        before = word;
    }
    false
}

fn is_option(word: &[u8]) -> bool {
    matches!(word, b"--permission" | b"--experimental-permission" | b"--permission-audit")
}

const ENDINGS: [&[u8]; 6] = [b".js", b".cjs", b".mjs", b".ts", b".cts", b".mts"];
/// Options whose value may be a source, too.
const LOADERS: [&[u8]; 5] = [b"-r", b"--require", b"--import", b"--loader", b"--experimental-loader"];
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
        ] {
            assert!(is_in(line), "{line}");
        }
        for line in [
            "node app.js --permission",
            "node --enable-source-maps app.mjs --permission",
            "node",
            "node a=b --permission",
        ] {
            assert!(!is_in(line), "{line}");
        }
    }

    #[test]
    fn an_option_of_the_environment_is_a_word_of_its_own() {
        assert!(is_asked_for(b"--no-warnings  --permission"));
        assert!(!is_asked_for(b"--title=--permission --require=/permission"));
    }
}
