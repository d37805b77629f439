//! In JSON the marks of what was taken out of a text are escaped.

pub fn with_redactions_shown(json: &str) -> String {
    const START: &str = "\\u001a";
    const DIGITS: [&str; 4] = ["\\u001c", "\\u001d", "\\u001e", "\\u001f"];
    let mut shown = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find(START) {
        shown.push_str(&rest[..at]);
        let mut behind = &rest[at + START.len()..];
        let n_behind = behind.len();
        while let Some(next) = DIGITS.iter().find_map(|digit| behind.strip_prefix(digit)) {
            behind = next;
        }
        shown.push_str(if behind.len() == n_behind { START } else { "‹redacted›" });
        rest = behind;
    }
    shown.push_str(rest);
    shown
}
