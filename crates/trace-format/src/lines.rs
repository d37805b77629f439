//! Texts in lines of fields that tabs separate.

/// A newline is written `\n`, a backslash `\\`.
pub fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('\n', "\\n")
}

/// The same for a field that is not the last of its line: a tab is written `\t`.
pub fn escaped_field(value: &str) -> String {
    escaped(value).replace('\t', "\\t")
}

pub fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
                None => text.push('\\'),
            },
            c => text.push(c),
        }
    }
    text
}
