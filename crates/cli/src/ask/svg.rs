//! An explanation as a picture: the hops below each other, each hung on the one it explains.

use debugger::Chain;

use super::page::location;

const WIDTH: usize = 880;
/// How far a hop is moved in, if that leaves enough room for the deepest one.
const INDENT: usize = 30;
const NARROWEST: usize = 460;
const MARGIN: usize = 20;
const LINE: usize = 20;
const PADDING: usize = 12;
const GAP: usize = 14;
/// Of the font that the source is in.
const CHARACTER: f64 = 7.8;

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
    let title = text(&shortened(&chain.failure.message, 100));
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
.edge{fill:none;stroke:#8c959f;stroke-width:1.5}text{font:13px ui-sans-serif,system-ui,sans-serif;fill:#1f2328}\
.number{text-anchor:end}.title{font-size:15px;font-weight:600}.where{font-weight:600}.faint{fill:#656d76}\
.code{font-family:ui-monospace,Menlo,Consolas,monospace;white-space:pre}.mark{fill:#cf222e;opacity:.18}\
@media(prefers-color-scheme:dark){.page{fill:#0d1117}.box{fill:#161b22;stroke:#30363d}.first{fill:#3c1618;stroke:#da3633}\
text{fill:#e6edf3}.faint{fill:#8d96a0}.mark{fill:#ff7b72;opacity:.3}}";

struct Box {
    hop: usize,
    parent: Option<usize>,
    x: usize,
    y: usize,
    height: usize,
    says: Vec<String>,
}

fn laid_out(chain: &Chain) -> Vec<Box> {
    let mut boxes = Vec::new();
    let mut depths = Vec::new();
    let mut open: Vec<(usize, usize)> =
        (0..chain.hops.len()).rev().filter(|hop| chain.hops[*hop].parent.is_none()).map(|hop| (hop, 0)).collect();
    let mut y = MARGIN + 34;
    while let Some((hop, depth)) = open.pop() {
        let shown = &chain.hops[hop];
        let mut says = Vec::new();
        if shown.parent.is_some() {
            says.push(shown.text.clone());
        }
        if let Some(end) = shown.end.as_ref().filter(|_| chain.children(hop).next().is_none()) {
            says.push(end.text.to_owned());
        }
        let n_lines = 1 + usize::from(shown.point.excerpt.is_some()) + says.len();
        let height = 2 * PADDING + n_lines * LINE - 4;
        boxes.push(Box { hop, parent: shown.parent, x: MARGIN, y, height, says });
        depths.push(depth);
        y += height + GAP;
        let mut children: Vec<usize> = chain.children(hop).collect();
        children.reverse();
        open.extend(children.into_iter().map(|child| (child, depth + 1)));
    }
    let deepest = depths.iter().copied().max().unwrap_or(0).max(1);
    let indent = ((WIDTH - 2 * MARGIN - NARROWEST) / deepest).min(INDENT);
    for (hop, depth) in boxes.iter_mut().zip(depths) {
        // Beyond what can be told apart, all stand at one edge.
        hop.x = (MARGIN + depth * indent.max(2)).min(WIDTH - MARGIN - NARROWEST);
    }
    boxes
}

impl Box {
    fn draw(&self, chain: &Chain, out: &mut String) {
        let hop = &chain.hops[self.hop];
        let class = if hop.parent.is_none() { "box first" } else { "box" };
        let Box { x, y, height, .. } = *self;
        let width = WIDTH - MARGIN - x;
        out.push_str(&format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>\n"
        ));
        let left = x + PADDING;
        let n_chars = ((width - 2 * PADDING) as f64 / CHARACTER) as usize;
        let mut line = y + PADDING + 11;
        let mut rest = hop.point.function.as_ref().map(|function| format!(" in {function}")).unwrap_or_default();
        if let (Some(hit), Some(n_hits @ 2..)) = (hop.point.hit, hop.point.n_hits) {
            rest.push_str(&format!(", hit {hit} of {n_hits}"));
        }
        if let Some(number) = hop.point.number {
            let right = x + width - PADDING;
            out.push_str(&format!("<text class=\"faint number\" x=\"{right}\" y=\"{line}\">P{number}</text>\n"));
        }
        out.push_str(&format!(
            "<text x=\"{left}\" y=\"{line}\"><tspan class=\"where\">{}</tspan><tspan class=\"faint\">{}</tspan></text>\n",
            text(&location(&hop.point)),
            text(&rest)
        ));
        if let Some(excerpt) = &hop.point.excerpt {
            line += LINE;
            let start = left as f64 + excerpt.start.min(n_chars) as f64 * CHARACTER;
            let length = excerpt.length.min(n_chars.saturating_sub(excerpt.start)) as f64 * CHARACTER;
            out.push_str(&format!(
                "<rect class=\"mark\" x=\"{start:.1}\" y=\"{}\" width=\"{length:.1}\" height=\"18\" rx=\"3\"/>\n",
                line - 13
            ));
            let source = shortened(&excerpt.text, n_chars);
            let shown_width = source.chars().count() as f64 * CHARACTER;
            out.push_str(&format!(
                "<text class=\"code\" x=\"{left}\" y=\"{line}\" textLength=\"{shown_width:.1}\" xml:space=\"preserve\">{}</text>\n",
                text(&source)
            ));
        }
        for (number, says) in self.says.iter().enumerate() {
            line += LINE;
            let class = if number > 0 { " class=\"faint\"" } else { "" };
            out.push_str(&format!(
                "<text{class} x=\"{left}\" y=\"{line}\">{}</text>\n",
                text(&shortened(says, n_chars + 8))
            ));
        }
    }
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
