//! The little of URLs that names of code need.

/// The path behind a file URL, which is how ES modules are named; any other name as it is.
pub fn plain_path(name: &str) -> String {
    let Some(escaped) = name.strip_prefix("file://") else { return name.to_owned() };
    percent_decoded(escaped.split(['?', '#']).next().unwrap_or(escaped))
}

pub fn percent_decoded(escaped: &str) -> String {
    let escaped = escaped.as_bytes();
    let mut bytes = Vec::with_capacity(escaped.len());
    let mut at = 0;
    while at < escaped.len() {
        let digits = escaped.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.filter(|_| escaped[at] == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                at += 3;
            }
            None => {
                bytes.push(escaped[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether this is a URL and not a path: `webpack://x`, `node:fs`.
pub fn has_scheme(name: &str) -> bool {
    name.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+.-".contains(c))
    })
}
