//! Answers for people: parts that can be printed as text, with colour or without, and as Markdown.

use anstyle::{AnsiColor, Style};
use debugger::{Excerpt, Point};

use super::excerpt::{wide, window};
use crate::width::{broken, columns, fitted};

#[derive(Default)]
pub struct Page {
    parts: Vec<Part>,
}

pub enum Part {
    /// What the answer comes to.
    Title(String),
    /// A point with its source, and what is to be said of it.
    Point(HopText),
    /// A point in one line, further in for each level.
    Short {
        depth: usize,
        point: Point,
        says: String,
    },
    Line(String),
    /// Names and values.
    Rows(Vec<(String, String)>),
    Table(Table),
}

/// Columns under their names.
pub struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

pub struct HopText {
    pub point: Point,
    pub says: Vec<String>,
    /// Of a tree: whether the hop itself, and each of those above it, has a sibling below.
    pub tree: Option<Vec<bool>>,
    /// Of a tree: whether hops hang on it.
    pub is_parent: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    Plain,
    Colour,
}

impl Page {
    pub fn title(&mut self, text: impl Into<String>) -> &mut Page {
        self.parts.push(Part::Title(text.into()));
        self
    }

    /// What another page holds comes behind.
    pub fn append(&mut self, other: Page) -> &mut Page {
        self.parts.extend(other.parts);
        self
    }

    pub fn line(&mut self, text: impl Into<String>) -> &mut Page {
        self.parts.push(Part::Line(text.into()));
        self
    }

    pub fn point(&mut self, point: &Point, says: impl Into<String>) -> &mut Page {
        let says = Vec::from_iter(Some(says.into()).filter(|says| !says.is_empty()));
        self.parts.push(Part::Point(HopText { point: point.clone(), says, tree: None, is_parent: false }));
        self
    }

    pub fn short(&mut self, point: &Point, says: impl Into<String>) -> &mut Page {
        self.indented(0, point, says)
    }

    pub fn indented(&mut self, depth: usize, point: &Point, says: impl Into<String>) -> &mut Page {
        self.parts.push(Part::Short { depth, point: point.clone(), says: says.into() });
        self
    }

    pub fn hop(&mut self, told: HopText) -> &mut Page {
        self.parts.push(Part::Point(told));
        self
    }

    pub fn rows(&mut self, rows: Vec<(String, String)>) -> &mut Page {
        self.parts.push(Part::Rows(rows));
        self
    }

    pub fn table(&mut self, table: Table) -> &mut Page {
        self.parts.push(Part::Table(table));
        self
    }

    /// Broken into lines of that many columns, if any.
    pub fn text(&self, ink: Ink, width: Option<usize>) -> String {
        let mut out = String::new();
        let layout = Layout::of(&self.parts, width);
        for (number, part) in self.parts.iter().enumerate() {
            match part {
                Part::Title(text) => {
                    if number > 0 {
                        out.push('\n');
                    }
                    for line in text.lines() {
                        out.push_str(&fitted(&format!("{}\n", ink.bold(line)), width));
                    }
                    if text.is_empty() {
                        out.push('\n');
                    }
                }
                Part::Line(text) => out.push_str(&fitted(&format!("{text}\n"), width)),
                Part::Point(told) => told.text(ink, &layout, &mut out),
                Part::Short { depth, point, says } => {
                    out.push_str(&fitted(&self.short_text(*depth, point, says, ink), width));
                }
                Part::Rows(rows) => {
                    let widest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
                    let names = width.map_or(widest, |width| widest.min(width / 3));
                    for (name, value) in rows {
                        let row = format!("    {}  {value}\n", ink.cyan(&format!("{name:names$}")));
                        out.push_str(&fitted(&row, width));
                    }
                }
                Part::Table(table) => table.text(ink, width, &mut out),
            }
        }
        out
    }

    pub fn markdown(&self, notes: &[String]) -> String {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Title(text) => {
                    // What is bold ends with its paragraph; messages of assertions have many lines.
                    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
                    out.push_str(&format!("**{}**\n\n", escaped(first.trim_end())));
                    if !rest.trim().is_empty() {
                        out.push_str(&format!("{}\n\n", fenced(rest.trim_matches('\n'))));
                    }
                }
                Part::Line(text) => out.push_str(&format!("{}\n\n", escaped(text))),
                Part::Point(told) => told.markdown(&mut out),
                Part::Short { depth, point, says } => {
                    let indent = "  ".repeat(*depth);
                    out.push_str(&format!("{indent}- {} {}\n", markdown_head(point), code(says)));
                }
                Part::Rows(rows) => {
                    out.push_str("| name | value |\n|---|---|\n");
                    for (name, value) in rows {
                        out.push_str(&format!("| {} | {} |\n", code(name.trim()), code(value).replace('|', "\\|")));
                    }
                    out.push('\n');
                }
                Part::Table(table) => table.markdown(&mut out),
            }
        }
        for note in notes {
            out.push_str(&format!("> {}\n\n", escaped(note)));
        }
        format!("{}\n", out.trim_end())
    }
}

impl Page {
    /// Numbers and locations stand below each other.
    fn short_text(&self, depth: usize, point: &Point, says: &str, ink: Ink) -> String {
        let width = |text: &dyn Fn(&Point) -> String| {
            let points = self.parts.iter().filter_map(|part| match part {
                Part::Short { point, .. } => Some(text(point).chars().count()),
                _ => None,
            });
            points.max().unwrap_or(0)
        };
        let (numbers, locations) = (width(&number_text), width(&location));
        let number = format!("{:numbers$}", number_text(point));
        let place = format!("{:locations$}", location(point));
        let indent = "  ".repeat(depth);
        format!("{}  {}  {indent}{says}\n", ink.cyan(&number), ink.bold(&place))
    }
}

fn number_text(point: &Point) -> String {
    point.number.map(|number| format!("P{number}")).unwrap_or_default()
}

const MOST_COLUMNS: usize = 100;

/// How a tree is laid out where there is little room.
struct Layout {
    /// Of a whole line; as many as it takes if nothing is known.
    columns: usize,
    /// By how much each level is moved in.
    step: usize,
}

impl Layout {
    /// What source and words need beside the tree.
    const FOR_TEXT: usize = 30;

    fn of(parts: &[Part], width: Option<usize>) -> Layout {
        let depths = parts.iter().filter_map(|part| match part {
            Part::Point(told) => told.tree.as_ref().map(Vec::len),
            _ => None,
        });
        let deepest = depths.max().unwrap_or(0);
        let columns = width.unwrap_or(usize::MAX);
        let fits = |step: &usize| deepest * step <= columns.saturating_sub(Self::FOR_TEXT);
        Layout { columns, step: [3, 2].into_iter().find(fits).unwrap_or(1) }
    }

    /// What stands before the text of a hop. Of what is too deep the lines furthest left are left out.
    fn trunk(&self, above: &[bool]) -> String {
        let n_shown = above.len().min(self.columns.saturating_sub(Self::FOR_TEXT) / self.step);
        let shown = above[above.len() - n_shown..].iter();
        shown.map(|goes_on| self.cut(if *goes_on { "│  " } else { "   " })).collect()
    }

    fn cut(&self, mark: &'static str) -> &'static str {
        let end = mark.char_indices().nth(self.step).map_or(mark.len(), |(at, _)| at);
        &mark[..end]
    }
}

impl Table {
    /// Each column is as wide as its widest cell, but for the last one.
    fn text(&self, ink: Ink, width: Option<usize>, out: &mut String) {
        let n_columns = self.header.len();
        let widest = |column: usize| {
            let cells = std::iter::once(&self.header).chain(&self.rows).filter_map(|row| row.get(column));
            cells.map(|cell| columns(cell)).max().unwrap_or(0).min(WIDEST_CELL)
        };
        let widths: Vec<usize> = (0..n_columns).map(widest).collect();
        let mut line = |row: &[String], ink: &dyn Fn(&str) -> String| {
            let mut text = String::new();
            for (number, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let is_last = number + 1 == n_columns;
                let gap = if is_last { 0 } else { width.saturating_sub(columns(cell)) + 2 };
                text.push_str(&format!("{}{}", ink(cell), " ".repeat(gap)));
            }
            out.push_str(&fitted(&format!("{}\n", text.trim_end()), width));
        };
        line(&self.header, &|cell| ink.dim(cell));
        for row in &self.rows {
            line(row, &|cell| cell.to_owned());
        }
    }

    fn markdown(&self, out: &mut String) {
        let row = |cells: &[String], cell: &dyn Fn(&str) -> String| {
            let cells: Vec<String> = cells.iter().map(|text| cell(text).replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        // In a span of code nothing is escaped but the line between columns.
        let of_code = |text: &str| if text.is_empty() { String::new() } else { code(text) };
        out.push_str(&row(&self.header, &of_code));
        out.push_str(&format!("|{}\n", "---|".repeat(self.header.len())));
        for cells in &self.rows {
            out.push_str(&row(cells, &of_code));
        }
        out.push('\n');
    }
}

/// What is longer stands out of its column.
const WIDEST_CELL: usize = 40;

impl HopText {
    fn text(&self, ink: Ink, layout: &Layout, out: &mut String) {
        let (first, rest) = self.margins(layout);
        let room = layout.columns.saturating_sub(columns(&rest) + 1);
        let rest = ink.dim(&format!("{rest}{}", if self.is_parent { "│" } else { " " }));
        let head = broken(&head(&self.point, ink), room + 1, room - room.min(1));
        out.push_str(&format!("{}{}\n", ink.dim(&first), head.join(&format!("\n{rest} "))));
        let mut says = self.says.as_slice();
        if let (Some(excerpt), Some(line)) = (&self.point.excerpt, self.point.line) {
            let number = line.to_string();
            let blank = " ".repeat(number.len());
            let room = room.saturating_sub(number.len() + 4);
            let excerpt = &window(excerpt, room);
            out.push_str(&format!("{rest} {} {}\n", ink.dim(&format!("{number} │")), excerpt.text));
            // Letters of East Asia are two columns wide.
            let [before, marked] =
                [0..excerpt.start, excerpt.start..excerpt.start + excerpt.length].map(|part| wide(&excerpt.text, part));
            let mark = ink.red(&"^".repeat(marked));
            // What is to be said stands behind the mark, where there is room; what is set in below it does not.
            let width = before + marked;
            let room = room.min(MOST_COLUMNS);
            let fits = |first: &&String| !first.starts_with(' ') && width + columns(first) < room;
            let beside = says.first().filter(fits);
            says = &says[usize::from(beside.is_some())..];
            let beside = beside.map(|first| format!(" {first}")).unwrap_or_default();
            out.push_str(&format!("{rest} {} {}{mark}{beside}\n", ink.dim(&format!("{blank} │")), " ".repeat(before)));
        }
        for says in says {
            for line in broken(says, room.saturating_sub(1), room.saturating_sub(1)) {
                out.push_str(&format!("{rest} {line}\n"));
            }
        }
    }

    /// What stands before the first line, and before the others.
    fn margins(&self, layout: &Layout) -> (String, String) {
        let Some(tree) = &self.tree else { return Default::default() };
        let Some((last, above)) = tree.split_last() else { return Default::default() };
        let trunk = layout.trunk(above);
        let (branch, below) = if *last { ("├─ ", "│  ") } else { ("└─ ", "   ") };
        let [branch, below] = [branch, below].map(|mark| layout.cut(mark));
        (format!("{trunk}{branch}"), format!("{trunk}{below}"))
    }

    fn markdown(&self, out: &mut String) {
        let depth = self.tree.as_ref().map_or(0, Vec::len);
        let (bullet, indent) = match &self.tree {
            Some(_) => ("- ", "  ".repeat(depth)),
            None => ("", String::new()),
        };
        let says: Vec<String> = self.says.iter().map(|says| escaped(says)).collect();
        let says = if says.is_empty() { String::new() } else { format!(": {}", says.join("; ")) };
        out.push_str(&format!("{indent}{bullet}{}{says}\n\n", markdown_head(&self.point)));
        if let Some(Excerpt { text, start, length }) = &self.point.excerpt {
            let inner = if self.tree.is_some() { format!("{indent}  ") } else { indent };
            let mark = format!("{}{}", " ".repeat(*start), "^".repeat(*length));
            out.push_str(&format!("{inner}```js\n{inner}{text}\n{inner}{mark}\n{inner}```\n\n"));
        }
    }
}

impl Ink {
    fn paint(self, style: Style, text: &str) -> String {
        match self {
            Ink::Colour if !text.is_empty() => format!("{style}{text}{style:#}"),
            _ => text.to_owned(),
        }
    }

    pub fn bold(self, text: &str) -> String {
        self.paint(Style::new().bold(), text)
    }

    pub fn dim(self, text: &str) -> String {
        self.paint(Style::new().dimmed(), text)
    }

    pub fn red(self, text: &str) -> String {
        self.paint(AnsiColor::Red.on_default(), text)
    }

    pub fn cyan(self, text: &str) -> String {
        self.paint(AnsiColor::Cyan.on_default(), text)
    }
}

/// `offers.js:7`
pub fn location(point: &Point) -> String {
    match (&point.file, point.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file.clone(),
        (None, _) => format!("@{}", point.event),
    }
}

/// `offers.js:7 in applyOffers, hit 2 of 2  P1`
pub fn head(point: &Point, ink: Ink) -> String {
    let mut text = ink.bold(&location(point));
    if let Some(function) = &point.function {
        text.push_str(&format!(" in {function}"));
    }
    if let (Some(hit), Some(n_hits)) = (point.hit, point.n_hits)
        && n_hits > 1
    {
        text.push_str(&format!(", hit {hit} of {n_hits}"));
    }
    if let Some(number) = point.number {
        text.push_str(&ink.cyan(&format!("  P{number}")));
    }
    text
}

fn markdown_head(point: &Point) -> String {
    let mut text = code(&location(point));
    if let Some(function) = &point.function {
        text.push_str(&format!(" in {}", code(function)));
    }
    if let (Some(hit), Some(n_hits)) = (point.hit, point.n_hits)
        && n_hits > 1
    {
        text.push_str(&format!(", hit {hit} of {n_hits}"));
    }
    text
}

/// A span of code, whatever it holds.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Lines as they are. A fence is longer than what could be one in the text.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}\n{text}\n{fence}")
}

/// As text, whatever it holds. Inside of a word `_` and `#` mean nothing: whoever looks for the word finds it as it is.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    let mut before = None;
    for (at, c) in text.char_indices() {
        let is_escaped = match c {
            // As many as there are, between letters.
            '_' | '#' => {
                let behind = text[at..].trim_start_matches(c).chars().next();
                !before.is_some_and(char::is_alphanumeric) || !behind.is_some_and(char::is_alphanumeric)
            }
            c => matches!(c, '\\' | '`' | '*' | '<' | '>' | '[' | ']' | '|'),
        };
        if is_escaped {
            escaped.push('\\');
        }
        escaped.push(c);
        // Within such a row it is still what came before the row.
        if !matches!(c, '_' | '#') || !text[at + 1..].starts_with(c) {
            before = Some(c);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_written_as_it_is() {
        let token = "ghp_0123456789_abcdefghijABCDEFGHIJ0123";
        assert_eq!(escaped(&format!("it is {token}.")), format!("it is {token}."));
        assert_eq!(escaped("a__b#c _d_ __init__ # x"), r"a__b#c \_d\_ \_\_init\_\_ \# x");
        assert_eq!(escaped("<a> *b* [c]|`d`"), r"\<a\> \*b\* \[c\]\|\`d\`");
    }
}
