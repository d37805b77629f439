//! A line of the source where there is little room.

use debugger::Excerpt;

use crate::width::{columns, width_of};

/// As much of a line as there is room for, with what is marked in it.
pub fn window(excerpt: &Excerpt, room: usize) -> Excerpt {
    let room = room.max(8);
    let letters: Vec<char> = excerpt.text.chars().collect();
    let n_marked = excerpt.length.min(letters.len().saturating_sub(excerpt.start)).max(1);
    if columns(&excerpt.text) <= room {
        return excerpt.clone();
    }
    let fits = |from: usize, to: usize| {
        let cut = usize::from(from > 0) + usize::from(to < letters.len());
        letters[from..to].iter().map(|c| width_of(*c)).sum::<usize>() + cut <= room
    };
    // The whole mark if it fits, with as much as possible behind it, and then before it.
    let mut from = excerpt.start.min(letters.len());
    let mut to = from;
    while to < letters.len() && to < from + n_marked && fits(from, to + 1) {
        to += 1;
    }
    while from > 0 && fits(from - 1, to) {
        from -= 1;
    }
    while to < letters.len() && fits(from, to + 1) {
        to += 1;
    }
    let [before, behind] = [from > 0, to < letters.len()].map(|is_cut| if is_cut { "…" } else { "" });
    let text = format!("{before}{}{behind}", letters[from..to].iter().collect::<String>());
    let start = excerpt.start.min(letters.len()) - from + before.chars().count();
    Excerpt { text, start, length: n_marked.min(to - excerpt.start.min(to)).max(1) }
}

/// The columns of some letters of a text; where there are none any more, one for each.
pub fn wide(text: &str, part: std::ops::Range<usize>) -> usize {
    let letters = text.chars().map(width_of).chain(std::iter::repeat(1));
    letters.skip(part.start).take(part.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, start: usize, length: usize, room: usize) -> String {
        let cut = window(&Excerpt { text: text.into(), start, length }, room);
        assert!(columns(&cut.text) <= room.max(8), "{} is too long", cut.text);
        format!(
            "{}\n{}{}",
            cut.text,
            " ".repeat(wide(&cut.text, 0..cut.start)),
            "^".repeat(wide(&cut.text, cut.start..cut.start + cut.length))
        )
    }

    #[test]
    fn what_is_marked_is_shown() {
        let line = "for (const line of this.lines) total += line.price * line.count;";
        assert_eq!(shown(line, 31, 5, 80), format!("{line}\n{}^^^^^", " ".repeat(31)));
        assert_eq!(shown(line, 31, 5, 20), "… this.lines) total…\n              ^^^^^");
        assert_eq!(shown(line, 0, 3, 20), "for (const line of …\n^^^");
        assert_eq!(shown(line, 58, 5, 20), "…price * line.count;\n              ^^^^^");
    }

    #[test]
    fn a_mark_that_is_too_long_is_cut() {
        assert_eq!(shown("x(aaaaaaaaaaaaaaaaaaaa)", 2, 20, 12), "…aaaaaaaaaa…\n ^^^^^^^^^^");
    }

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!(shown("f('漢字', x)", 9, 1, 80), "f('漢字', x)\n           ^");
    }
}
