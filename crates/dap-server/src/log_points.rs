//! Log points. What they would have printed is known already, so all of it is printed when one is set.

use debugger::{Answer, BreakAt, Breakpoint, LogRequest, PageRequest, Point, PointText, QuestionKind, Value, Where};

use crate::adapter::Adapter;
use crate::protocol::{OutputEvent, Source};

/// Of `total is {cart.total}`: what is printed as it is, and the expressions in between.
struct Template {
    texts: Vec<String>,
    expressions: Vec<String>,
}

impl Adapter {
    /// Prints every time that control came to a breakpoint.
    pub fn print_hits(&self, breakpoint: &Breakpoint, message: &str, source: Option<&Source>) {
        let template = Template::of(message);
        match &breakpoint.at {
            BreakAt::Line { file, line } if breakpoint.hits.is_none() && !template.expressions.is_empty() => {
                let at = PointText::Line { file: file.clone(), line: *line, column: None, hit: None };
                let from = Where { at: Some(at), when: breakpoint.condition.clone(), ..Where::default() };
                self.print_log(&template, from, source);
            }
            _ => self.print_times(breakpoint, &template, source),
        }
    }

    /// Of a line: what `log` tells.
    fn print_log(&self, template: &Template, from: Where, source: Option<&Source>) {
        let mut page = PageRequest::first(PAGE);
        let mut n_printed = 0;
        loop {
            let request = LogRequest { expressions: template.expressions.clone(), page: page.clone() };
            // A line that was never executed prints nothing.
            let Ok(reply) = self.ask(QuestionKind::Log(request), from.clone()) else { return };
            let Answer::Log(log) = reply.answer else { return };
            log.hits.items.iter().for_each(|hit| self.print_hit(template, &hit.point, &hit.values, source));
            n_printed += log.hits.items.len();
            let Some(next) = log.hits.next else { return };
            if n_printed >= MOST_PRINTED {
                return self.say_cut(n_printed, log.hits.n_all);
            }
            page = page.behind(next);
        }
    }

    /// Of a function, or where hits are counted.
    fn print_times(&self, breakpoint: &Breakpoint, template: &Template, source: Option<&Source>) {
        let n_threads = self.open.as_ref().map_or(0, |open| open.n_threads());
        let mut n_printed = 0;
        for thread in 1..=n_threads {
            let mut page = PageRequest::first(PAGE);
            loop {
                let values = template.expressions.clone();
                let kind = QuestionKind::Hits { of: breakpoint.clone(), values, page: page.clone() };
                let Ok(reply) = self.ask(kind, self.place_in(thread)) else { break };
                let Answer::Hits(hits) = reply.answer else { break };
                hits.items.iter().for_each(|hit| self.print_hit(template, &hit.point, &hit.values, source));
                n_printed += hits.items.len();
                let Some(next) = hits.next else { break };
                if n_printed >= MOST_PRINTED {
                    return self.say_cut(n_printed, hits.n_all);
                }
                page = page.behind(next);
            }
        }
    }

    fn say_cut(&self, n_printed: usize, n_all: Option<u64>) {
        let all = n_all.map_or(String::new(), |n_all| format!(" of {n_all}"));
        self.out.say(format!("these are the first {n_printed}{all} hits; a condition chooses among them"));
    }

    fn print_hit(&self, template: &Template, at: &Point, values: &[Result<Value, String>], source: Option<&Source>) {
        let line = at.line.map(|line| self.line_out(line));
        let output = format!("{}\n", template.filled(values));
        self.out.event("output", OutputEvent { category: "stdout", output, source, line });
    }
}

const PAGE: usize = 500;
const MOST_PRINTED: usize = 10_000;

impl Template {
    fn of(message: &str) -> Template {
        let mut template = Template { texts: vec![String::new()], expressions: Vec::new() };
        let mut rest = message;
        while let Some((text, behind)) = rest.split_once('{') {
            let Some(end) = end_of_expression(behind) else { break };
            template.add_text(text);
            template.expressions.push(behind[..end].to_owned());
            template.texts.push(String::new());
            rest = &behind[end + 1..];
        }
        template.add_text(rest);
        template
    }

    fn add_text(&mut self, text: &str) {
        if let Some(last) = self.texts.last_mut() {
            last.push_str(text);
        }
    }

    fn filled(&self, values: &[Result<Value, String>]) -> String {
        let mut filled = String::new();
        let mut values = values.iter();
        for text in &self.texts {
            filled.push_str(text);
            match values.next() {
                Some(Ok(value)) => filled.push_str(&value.text),
                Some(Err(why)) => filled.push_str(&format!("<{why}>")),
                None => {}
            }
        }
        filled
    }
}

/// Where the brace is closed that was opened before: an expression may have braces itself.
fn end_of_expression(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_stand_in_braces() {
        let parts = |message: &str| {
            let template = Template::of(message);
            (template.texts.join("|"), template.expressions.join("|"))
        };
        assert_eq!(parts("total {cart.total}!"), ("total |!".into(), "cart.total".into()));
        assert_eq!(parts("{a}{({}).b}"), ("||".into(), "a|({}).b".into()));
        assert_eq!(parts("no {end"), ("no {end".into(), String::new()));
    }
}
