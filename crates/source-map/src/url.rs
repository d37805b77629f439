//! The little of URLs that names of code need.

/// The path behind a file URL, which is how ES modules are named; any other name as it is.
pub fn plain_path(name: &str) -> String {
    let Some(escaped) = name.strip_prefix("file://") else { return name.to_owned() };
    percent_decoded(escaped.split(['?', '#']).next().unwrap_or(escaped))
}

pub fn percent_decoded(escaped: &str) -> String {
    percent_encoding::percent_decode_str(escaped).decode_utf8_lossy().into_owned()
}

/// Whether this is a URL and not a path: `webpack://x`, `node:fs`.
pub fn has_scheme(name: &str) -> bool {
    name.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+.-".contains(c))
    })
}
