//! An explanation as a picture: the hops below each other, each hung on the one it explains.

use debugger::Chain;

use super::excerpt::{wide, window};
use super::page::location;
use crate::width::{broken, columns};

const WIDTH: usize = 880;
/// How far a hop is moved in, if that leaves enough room for the deepest one.
const INDENT: usize = 30;
const NARROWEST: usize = 460;
const MARGIN: usize = 20;
const LINE: usize = 20;
const PADDING: usize = 12;
const GAP: usize = 14;
/// Of the font that the source is in. Texts say how long they are: where another font stands in, it is squeezed into that.
const CHARACTER: f64 = 7.8;
/// The widest that sentences are in fonts that people have, so that whatever stands in for them keeps inside the box.
const LETTER: f64 = 7.2;

pub fn svg(chain: &Chain) -> String {
    let boxes = laid_out(chain);
    let height = boxes.last().map_or(0, |last| last.y + last.height) + MARGIN;
    let mut body = String::new();
    for hop in &boxes {
        if let Some(parent) = hop.parent.and_then(|parent| boxes.iter().find(|other| other.hop == parent)) {
            let half = (hop.x - parent.x) / 2;
            let (x, from, to) = (parent.x + half, parent.y + parent.height, hop.y + PADDING + LINE / 2);
            let bend = half.min(6);
            let down = to - bend;
            body.push_str(&format!(
                "<path class=\"edge\" d=\"M{x} {from}V{down}q0 {bend} {bend} {bend}H{}\"/>\n",
                hop.x
            ));
        }
    }
    for hop in &boxes {
        hop.draw(chain, &mut body);
    }
    let message = chain.failure.message.lines().next().unwrap_or_default();
    let title = text(&shortened(message, ((WIDTH - 2 * MARGIN) as f64 / (LETTER * 1.2)) as usize));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n\
         <text class=\"title\" x=\"{MARGIN}\" y=\"{}\">{title}</text>\n{body}</svg>\n",
        MARGIN + 14
    )
}

const STYLE: &str = "\
.page{fill:#fff}.box{fill:#f6f8fa;stroke:#d0d7de}.first{fill:#ffebe9;stroke:#ff8182}\
.edge{fill:none;stroke:#8c959f;stroke-width:1.5}text{font:13px ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Noto Sans','Liberation Sans','DejaVu Sans',sans-serif;fill:#1f2328}\
.number{text-anchor:end}.title{font-size:15px;font-weight:600}.where{font-weight:600}.faint{fill:#656d76}\
.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono','DejaVu Sans Mono','Courier New',monospace;white-space:pre}.mark{fill:#cf222e;opacity:.18}\
@media(prefers-color-scheme:dark){.page{fill:#0d1117}.box{fill:#161b22;stroke:#30363d}.first{fill:#3c1618;stroke:#da3633}\
text{fill:#e6edf3}.faint{fill:#8d96a0}.mark{fill:#ff7b72;opacity:.3}}";

struct Box {
    hop: usize,
    parent: Option<usize>,
    x: usize,
    y: usize,
    height: usize,
    /// Lines, and whether they are of second importance.
    says: Vec<(bool, String)>,
}

fn laid_out(chain: &Chain) -> Vec<Box> {
    let mut boxes = Vec::new();
    let mut depths = Vec::new();
    let mut open: Vec<(usize, usize)> =
        (0..chain.hops.len()).rev().filter(|hop| chain.hops[*hop].parent.is_none()).map(|hop| (hop, 0)).collect();
    while let Some((hop, depth)) = open.pop() {
        let shown = &chain.hops[hop];
        let mut says = Vec::new();
        if shown.parent.is_some() {
            says.push((false, shown.text.clone()));
        }
        let end = shown.end.as_ref().filter(|end| !end.text.is_empty());
        if let Some(end) = end.filter(|_| chain.children(hop).next().is_none()) {
            says.push((!says.is_empty(), end.text.clone()));
        }
        let rounds = shown.rounds.iter().map(|rounds| &rounds.text);
        for clause in rounds.chain(shown.because.iter().map(|because| &because.text)) {
            says.push((!says.is_empty(), clause.clone()));
        }
        let with = shown.with.iter().map(|part| (true, format!("{}: {}", location(&part.point), part.text)));
        says.extend(with);
        boxes.push(Box { hop, parent: shown.parent, x: MARGIN, y: 0, height: 0, says });
        depths.push(depth);
        let mut children: Vec<usize> = chain.children(hop).collect();
        children.reverse();
        open.extend(children.into_iter().map(|child| (child, depth + 1)));
    }
    let deepest = depths.iter().copied().max().unwrap_or(0).max(1);
    let indent = ((WIDTH - 2 * MARGIN - NARROWEST) / deepest).min(INDENT);
    let mut y = MARGIN + 34;
    for (hop, depth) in boxes.iter_mut().zip(depths) {
        // Beyond what can be told apart, all stand at one edge.
        hop.x = (MARGIN + depth * indent.max(2)).min(WIDTH - MARGIN - NARROWEST);
        let room = hop.room(LETTER);
        let lines = |(is_faint, says): &(bool, String)| {
            few_lines(says, room).into_iter().map(|line| (*is_faint, line)).collect::<Vec<_>>()
        };
        hop.says = hop.says.iter().flat_map(lines).collect();
        let n_lines = 1 + usize::from(chain.hops[hop.hop].point.excerpt.is_some()) + hop.says.len();
        (hop.y, hop.height) = (y, 2 * PADDING + n_lines * LINE - 4);
        y += hop.height + GAP;
    }
    boxes
}

impl Box {
    /// How many letters of such a width a line has.
    fn room(&self, letter: f64) -> usize {
        ((WIDTH - MARGIN - self.x - 2 * PADDING) as f64 / letter) as usize
    }

    fn draw(&self, chain: &Chain, out: &mut String) {
        let hop = &chain.hops[self.hop];
        let class = if hop.parent.is_none() { "box first" } else { "box" };
        let Box { x, y, height, .. } = *self;
        let width = WIDTH - MARGIN - x;
        out.push_str(&format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>\n"
        ));
        let left = x + PADDING;
        let n_chars = self.room(CHARACTER);
        let mut line = y + PADDING + 11;
        let mut rest = hop.point.function.as_ref().map(|function| format!(" in {function}")).unwrap_or_default();
        if let (Some(hit), Some(n_hits @ 2..)) = (hop.point.hit, hop.point.n_hits) {
            rest.push_str(&format!(", hit {hit} of {n_hits}"));
        }
        if let Some(number) = hop.point.number {
            let right = x + width - PADDING;
            out.push_str(&format!("<text class=\"faint number\" x=\"{right}\" y=\"{line}\">P{number}</text>\n"));
        }
        // The number stands at the right, and bold letters are wider.
        let room = self.room(LETTER * 1.1).saturating_sub(6);
        let rest = shortened(&rest, room / 2);
        let place = shortened_path(&location(&hop.point), room - rest.chars().count());
        out.push_str(&format!(
            "<text x=\"{left}\" y=\"{line}\"><tspan class=\"where\">{}</tspan><tspan class=\"faint\" dx=\"6\">{}</tspan></text>\n",
            text(&place),
            text(rest.trim_start_matches([',', ' ']))
        ));
        if let Some(excerpt) = &hop.point.excerpt {
            line += LINE;
            let excerpt = &window(excerpt, n_chars);
            let [before, marked] = [0..excerpt.start, excerpt.start..excerpt.start + excerpt.length]
                .map(|part| wide(&excerpt.text, part) as f64 * CHARACTER);
            let (start, length) = (left as f64 + before, marked);
            out.push_str(&format!(
                "<rect class=\"mark\" x=\"{start:.1}\" y=\"{}\" width=\"{length:.1}\" height=\"18\" rx=\"3\"/>\n",
                line - 13
            ));
            let source = &excerpt.text;
            let shown_width = columns(source) as f64 * CHARACTER;
            out.push_str(&format!(
                "<text class=\"code\" x=\"{left}\" y=\"{line}\" textLength=\"{shown_width:.1}\" lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\">{}</text>\n",
                text(source)
            ));
        }
        for (is_faint, says) in &self.says {
            line += LINE;
            let class = if *is_faint { " class=\"faint\"" } else { "" };
            out.push_str(&format!("<text{class} x=\"{left}\" y=\"{line}\">{}</text>\n", text(says)));
        }
    }
}

/// A sentence in a few lines; a longer one is cut.
fn few_lines(text: &str, room: usize) -> Vec<String> {
    const MOST: usize = 3;
    let mut lines = broken(text, room, room);
    if lines.len() > MOST {
        lines.truncate(MOST);
        let last = lines.last_mut().expect("there are some");
        *last = shortened(&format!("{last} …"), room);
    }
    lines
}

/// Of a long path the end says more than the beginning.
fn shortened_path(path: &str, most: usize) -> String {
    let n_chars = path.chars().count();
    if n_chars <= most {
        return path.to_owned();
    }
    let end: String = path.chars().skip(n_chars + 1 - most.max(1)).collect();
    // Whole folders, where one begins in what is left.
    let from = end.find('/').filter(|at| *at < end.len() / 2).unwrap_or(0);
    format!("…{}", &end[from..])
}

fn shortened(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// As XML takes it: without the characters that it forbids.
fn text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            '\u{FFFE}' | '\u{FFFF}' => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_path_the_end_is_kept() {
        assert_eq!(shortened_path("src/a.js:7", 20), "src/a.js:7");
        assert_eq!(shortened_path("packages/shop/src/cart/lines.js:7", 20), "…/cart/lines.js:7");
        assert_eq!(shortened_path("aNameWithoutAnyFolder.js:7", 11), "…older.js:7");
    }

    #[test]
    fn a_sentence_has_three_lines_at_most() {
        assert_eq!(few_lines("one two three", 9), ["one two", "three"]);
        let lines = few_lines("one two three four five six seven eight", 9);
        assert_eq!(lines, ["one two", "three", "four fiv…"]);
    }
}
