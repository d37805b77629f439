//! Which modules a text asks for, found without parsing it: a string behind `from`, `import` or `export`, or the first argument of
//! a function whose name speaks of importing or requiring. Compilers and test runners write such calls under names of their own
//! (`__vi_import__("lodash")`). What looks like one in a comment is found, too, which does no harm.

/// The specifiers, in order, perhaps several times.
pub fn specifiers(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(quote) = bytes[at..].iter().position(|byte| matches!(byte, b'"' | b'\'' | b'`')).map(|n| at + n) {
        at = quote + 1;
        if !asks(&bytes[..quote]) {
            continue;
        }
        let window = &bytes[at..bytes.len().min(at + LONGEST + 1)];
        if let Some(length) = window.iter().position(|byte| *byte == bytes[quote] || *byte == b'\n')
            && window[length] == bytes[quote]
            && length > 0
            && let Some(specifier) = text.get(at..at + length)
            && !specifier.contains("${")
        {
            found.push(specifier);
            at += length + 1;
        }
    }
    found
}

/// A name of a package has at most 214 letters; behind it comes a path.
const LONGEST: usize = 1_000;

/// Whether a string that begins here is the module that something asks for.
fn asks(before: &[u8]) -> bool {
    let (word, rest) = last_word(before);
    if matches!(word, b"from" | b"import" | b"export") {
        return true;
    }
    let [outer @ .., b'('] = rest else { return false };
    if !word.is_empty() {
        return false;
    }
    let (callee, _) = last_word(outer);
    let name = callee.to_ascii_lowercase();
    let has = |part: &[u8]| name.windows(part.len()).any(|window| window == part);
    has(b"import") || has(b"require") || matches!(&name[..], b"mock" | b"domock" | b"unmock" | b"resolve")
}

/// The identifier at the end of a text, and what is before it, both without the blanks behind them.
fn last_word(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii_end();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let start = text.iter().rposition(|byte| !is_part(byte)).map_or(0, |at| at + 1);
    (&text[start..], text[..start].trim_ascii_end())
}

#[cfg(test)]
mod tests {
    use super::specifiers;

    #[test]
    fn all_ways_to_ask() {
        let found = specifiers(
            "import a from 'a'; import 'b'; export * from \"c\";\n\
             const d = require('d'), e = await import( `e` );\n\
             jest.requireActual('f'); const g = __vi_import__(\"g\"); jest.mock('h', () => 'no');\n\
             import.meta.resolve('i'); const { j } = _interopRequireWildcard(require(\"j\"));",
        );
        assert_eq!(found, ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]);
    }

    #[test]
    fn what_asks_for_nothing() {
        let found = specifiers("log('a'); x = 'b'; f(c, 'd'); require(`./${e}.js`); require('\n'); '';  require('");
        assert!(found.is_empty(), "{found:?}");
    }
}
