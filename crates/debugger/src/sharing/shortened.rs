//! What an answer or a program shortened: of a secret, a part stands before, behind or between the marks of what was left out.

use std::ops::Range;

/// `…` as the debugger writes it, and what programs write.
const MARKS: [&str; 2] = ["…", "..."];

/// Less tells nothing of a secret, and stands everywhere.
const SHORTEST: usize = 4;

/// The parts of a text that are parts of these secrets, and the number of the secret that each is of.
pub(super) fn shortened(text: &str, secrets: &[String]) -> Vec<(Range<usize>, usize)> {
    let mut found = Vec::new();
    for mark in MARKS {
        let marks: Vec<usize> = text.match_indices(mark).map(|(at, _)| at).collect();
        let starts = [0].into_iter().chain(marks.iter().map(|at| at + mark.len()));
        let ends = marks.iter().copied().chain([text.len()]);
        for (start, end) in starts.zip(ends).filter(|_| !marks.is_empty()) {
            let (is_cut_before, is_cut_behind) = (start > 0, end < text.len());
            let part = &text[start..end];
            for (number, secret) in secrets.iter().enumerate().filter(|_| part.len() >= SHORTEST) {
                if is_cut_before && is_cut_behind && secret.contains(part) {
                    found.push((start..end, number));
                    continue;
                }
                if let Some(length) = beginning_at_end(part, secret).filter(|_| is_cut_behind) {
                    found.push((end - length..end, number));
                }
                if let Some(length) = end_at_beginning(part, secret).filter(|_| is_cut_before) {
                    found.push((start..start + length, number));
                }
            }
        }
    }
    found
}

/// How much of the beginning of a secret stands at the end of a text.
fn beginning_at_end(text: &str, secret: &str) -> Option<usize> {
    let head = secret.get(..secret.ceil_char_boundary(SHORTEST.min(secret.len())))?;
    let from = text.floor_char_boundary(text.len().saturating_sub(secret.len()));
    let at = text[from..].match_indices(head).map(|(at, _)| from + at).find(|at| secret.starts_with(&text[*at..]))?;
    Some(text.len() - at)
}

/// How much of the end of a secret stands at the beginning of a text.
fn end_at_beginning(text: &str, secret: &str) -> Option<usize> {
    let tail = &secret[secret.floor_char_boundary(secret.len().saturating_sub(SHORTEST))..];
    let to = text.ceil_char_boundary(secret.len().min(text.len()));
    let ends = text[..to].match_indices(tail).map(|(at, _)| at + tail.len());
    ends.filter(|end| secret.ends_with(&text[..*end])).last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_secret_are_found_around_what_was_left_out() {
        let secrets = ["s3cr3t-of-30-letters-and-digits".to_owned()];
        let parts = |text: &'static str| -> Vec<&str> {
            shortened(text, &secrets).into_iter().map(|(part, _)| &text[part]).collect()
        };
        assert_eq!(parts("got 's3cr3t-of-30-l…'"), ["s3cr3t-of-30-l"]);
        assert_eq!(parts("+ 's3cr3t-of...\n- 'x'"), ["s3cr3t-of"]);
        assert_eq!(parts("…s-and-digits was refused"), ["s-and-digits"]);
        assert_eq!(parts("…30-letters…"), ["30-letters"]);
        assert_eq!(parts("s3cr3t…digits"), ["s3cr3t", "digits"]);
        assert_eq!(parts("s3cr…"), ["s3cr"]);
        assert!(parts("s3c…its … s3cr3t of another … it digits").is_empty());
        assert!(parts("s3cr3t-of-30-l").is_empty());
    }
}
