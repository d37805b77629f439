//! What the text between elements, and in their attributes, means.

use oxc_syntax::xml_entities::XML_ENTITIES;

/// Lines lose the space around them, empty lines vanish, the others are joined by one space.
pub fn child_text(raw: &str) -> String {
    let lines: Vec<&str> = raw.split('\n').map(|line| line.trim_end_matches('\r')).collect();
    let last = lines.len() - 1;
    let is_space = [' ', '\t'];
    let kept = lines.iter().enumerate().map(|(i, line)| {
        let line = if i == 0 { line } else { line.trim_start_matches(is_space) };
        if i == last { line } else { line.trim_end_matches(is_space) }
    });
    decoded(&kept.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" "))
}

/// With `&amp;` and its like as characters.
pub fn decoded(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        decoded.push_str(&rest[..at]);
        rest = &rest[at..];
        let entity = rest.find(';').and_then(|end| Some((character(&rest[1..end])?, end + 1)));
        let (c, length) = entity.unwrap_or(('&', 1));
        decoded.push(c);
        rest = &rest[length..];
    }
    decoded.push_str(rest);
    decoded
}

fn character(entity: &str) -> Option<char> {
    match entity.strip_prefix('#') {
        Some(number) => {
            let hex = number.strip_prefix(['x', 'X']);
            let code = hex.map_or_else(|| number.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok());
            char::from_u32(code?)
        }
        None => XML_ENTITIES.get(entity).copied(),
    }
}

/// As a string literal of JavaScript, on one line.
pub fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\u{2028}' | '\u{2029}' => literal.push_str(&format!("\\u{:04x}", c as u32)),
            _ => literal.push(c),
        }
    }
    literal.push('"');
    literal
}
