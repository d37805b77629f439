//! Answers as a specification writes them.

use debugger::{
    Answer, AsyncParent, BirthAnswer, BirthKind, Chain, ChangeAnswer, ChangeKind, ConditionAnswer, ConditionKind,
    CrashPathAnswer, Error, FoundEvent, HistoryAnswer, LogAnswer, MoveAnswer, NameScope, OmissionsAnswer, Page,
    PathCallee, PathStep, Point, SourceLine, StateAnswer, Value,
};

/// What is printed, and the points in it, which later questions may be asked from.
pub struct AnswerText {
    pub lines: Vec<String>,
    pub points: Vec<Point>,
}

impl AnswerText {
    /// The numbers under which the run knows the points.
    pub fn numbers(&self) -> Vec<Option<u32>> {
        self.points.iter().map(|point| point.number).collect()
    }
}

/// A refusal is an answer too.
pub fn reply(answer: Result<Answer, Error>) -> AnswerText {
    match answer {
        Ok(Answer::LastChange(answer)) => change(&answer),
        Ok(Answer::Birth(answer)) => birth(&answer),
        Ok(Answer::LastCondition(answer)) => condition(&answer),
        Ok(Answer::History(answer)) => history(&answer),
        Ok(Answer::State(answer)) => state(&answer),
        Ok(Answer::Eval(answer)) => value(&answer),
        Ok(Answer::Find(answer)) => found(&answer),
        Ok(Answer::Log(answer)) => log(&answer),
        Ok(Answer::Step(answer)) => step(answer),
        Ok(Answer::Why(answer)) => chain(&answer),
        Ok(Answer::CrashPath(answer)) => crash_path(&answer),
        Ok(Answer::Omissions(answer) | Answer::WhyNot(answer)) => omissions(&answer),
        Ok(other) => {
            AnswerText { lines: vec![format!("no specification asks for this: {other:?}")], points: Vec::new() }
        }
        Err(error) => refusal(&error),
    }
}

/// `2: x = i`
fn step(answer: MoveAnswer) -> AnswerText {
    match answer.point {
        Some(point) => {
            let hit = hit(&point).unwrap_or_default();
            AnswerText { lines: vec![joined(vec![source(&point), hit])], points: vec![point] }
        }
        None => AnswerText { lines: vec!["nothing further".into()], points: Vec::new() },
    }
}

/// `hit 2    from total 9    10, undefined`, a time on each line, without when it was.
fn log(answer: &LogAnswer) -> AnswerText {
    let mut lines = Vec::new();
    for hit in &answer.hits.items {
        let from = hit.caller.as_ref().map_or_else(String::new, |caller| {
            let function = caller.function.as_ref().map_or_else(String::new, |function| format!("{function} "));
            format!("from {function}{}", line(Some(&caller.file), Some(caller.line)))
        });
        let values = hit.values.iter().map(|value| match value {
            Ok(value) => value.text.clone(),
            Err(why) => format!("({why})"),
        });
        lines.push(joined(vec![format!("hit {}", hit.number), from, values.collect::<Vec<_>>().join(", ")]));
    }
    AnswerText { lines, points: Vec::new() }
}

/// `2: x = i    x: 1 → 2    (hit 3 of 3)`
fn change(answer: &ChangeAnswer) -> AnswerText {
    let place = &answer.place;
    let at = answer.point.as_ref().map(source);
    let reason = answer.reason.as_deref().unwrap_or("nobody says why");
    let mut parts = match answer.kind {
        ChangeKind::Written | ChangeKind::CreatedWith => {
            vec![at.unwrap_or_default(), format!("{place}: {}", old_and_new(&answer.old, &answer.new))]
        }
        ChangeKind::ByForeignCode => {
            let seen = at.map_or(String::new(), |at| format!("seen at {at}"));
            vec![format!("{place}: {}", old_and_new(&answer.old, &answer.new)), "(by foreign code)".into(), seen]
        }
        ChangeKind::NeverWritten => {
            let since = answer.point.as_ref().map(|point| line(point.file.as_deref(), point.line));
            vec![format!("{place}: never written"), since.map_or(String::new(), |line| format!("since {line}"))]
        }
        ChangeKind::BeforeRecording => vec![format!("{place}: before the recording")],
        ChangeKind::NotCaptured => vec![format!("{place}: not captured, {reason}")],
    };
    if answer.kind == ChangeKind::CreatedWith {
        parts.push("(created with)".into());
    }
    if let Some(holder) = &answer.inherited_from {
        parts.push(format!("(inherited from {})", holder.text));
    }
    if answer.kind == ChangeKind::Written {
        parts.extend(answer.point.as_ref().and_then(hit));
    }
    let mut lines = vec![joined(parts)];
    lines.extend(answer.sender.as_ref().map(|sender| format!("sent at {}", source(sender))));
    lines.extend(answer.writers.iter().map(|line| format!("written in {}", source_line(line))));
    AnswerText { lines, points: answer.point.iter().chain(&answer.sender).cloned().collect() }
}

/// `2: { n }    second: made here`
fn birth(answer: &BirthAnswer) -> AnswerText {
    let at = answer.point.as_ref().map(source).unwrap_or_default();
    let says = match answer.kind {
        BirthKind::Made => "made here",
        BirthKind::FirstSeen => "first seen here",
        BirthKind::NoObject => "no object",
        BirthKind::NotCaptured => "not captured",
    };
    let parts = vec![at, format!("{}: {says}", answer.place)];
    AnswerText { lines: vec![joined(parts)], points: answer.point.iter().cloned().collect() }
}

/// `branch 12: active    active was false    kept from 27: #17.push(n)    through 12: if (active) addItem()    may`
fn omissions(answer: &OmissionsAnswer) -> AnswerText {
    let mut lines = Vec::new();
    for result in &answer.results {
        let operation = line(Some(&result.operation.file), Some(result.operation.line));
        let mut parts = vec![format!("{} {}", result.reason.name(), source(&result.branch)), result.text.clone()];
        if !result.reason.lacks_code() {
            parts.push(format!("kept from {operation}: {}", result.filled_in));
        }
        parts.extend(result.chain.iter().map(|call| format!("through {}", source_line(call))));
        parts.push(result.certainty.name().into());
        parts.extend(result.others.clone().map(|others| format!("({others})")));
        if result.n_also > 0 {
            parts.push(format!("({} more in the same way)", result.n_also));
        }
        lines.push(joined(parts));
    }
    if lines.is_empty() {
        lines.push("nothing was left out that the code has".into());
    }
    AnswerText { lines, points: answer.results.iter().map(|result| result.branch.clone()).collect() }
}

/// `condition 3: n > 2    true    n: 3`
fn condition(answer: &ConditionAnswer) -> AnswerText {
    // A frame that was entered by nobody starts with its function, whose text says nothing.
    let at = answer.point.as_ref().map(|point| match answer.kind {
        ConditionKind::Start => line(point.file.as_deref(), point.line),
        _ => source(point),
    });
    let at = at.unwrap_or_default();
    let value = answer.value.as_ref().map(|value| value.text.clone()).unwrap_or_default();
    let other = answer.other.as_ref().map(source);
    let mut parts = vec![joined(vec![answer.kind.name().into(), at]).replacen("    ", " ", 1), value];
    match answer.kind {
        ConditionKind::Condition => {
            parts.extend(answer.reads.iter().map(|read| format!("{}: {}", read.text, read.value.text)));
        }
        ConditionKind::Throw => parts.extend(other.map(|other| format!("caught at {other}"))),
        ConditionKind::Resumed => parts.extend(other.map(|other| format!("waited at {other}"))),
        ConditionKind::Start => parts.extend(other.map(|other| format!("registered at {other}"))),
        ConditionKind::CallSite => {}
    }
    parts.extend(answer.point.as_ref().and_then(hit));
    AnswerText { lines: vec![joined(parts)], points: answer.point.iter().chain(&answer.other).cloned().collect() }
}

/// A change on each line, oldest first.
fn history(answer: &HistoryAnswer) -> AnswerText {
    let place = &answer.place;
    let mut lines: Vec<String> = Vec::new();
    for change in &answer.changes.items {
        let what = format!("{place}: {}", old_and_new(&change.old, &change.new));
        lines.push(joined(vec![source(&change.point), what, hit(&change.point).unwrap_or_default()]));
    }
    if lines.is_empty() {
        lines.push(format!("{place}: no change"));
    }
    AnswerText { lines, points: answer.changes.items.iter().map(|change| change.point.clone()).collect() }
}

/// The frames, innermost first, and below each its variables.
fn state(answer: &StateAnswer) -> AnswerText {
    let mut lines = Vec::new();
    for frame in &answer.frames {
        let how = match frame.parent {
            None => "",
            Some(AsyncParent::Called) => "called by ",
            Some(AsyncParent::HandedOut) => "registered by ",
        };
        let function = frame.function.as_deref().unwrap_or("the file");
        let at = frame.point.as_ref().map(|point| format!(" at {}", source(point))).unwrap_or_default();
        lines.push(format!("{how}{function}{at}"));
        for variable in &frame.variables {
            let scope = if variable.scope == NameScope::Closure { "    (closure)" } else { "" };
            lines.push(format!("  {} = {}{scope}", variable.name, variable.value.text));
        }
    }
    AnswerText { lines, points: answer.frames.iter().filter_map(|frame| frame.point.clone()).collect() }
}

fn value(value: &Value) -> AnswerText {
    AnswerText { lines: vec![value.text.clone()], points: Vec::new() }
}

fn found(answer: &Page<FoundEvent>) -> AnswerText {
    let mut lines: Vec<String> = Vec::new();
    for found in &answer.items {
        let value = found.value.as_ref().map(|value| value.text.clone()).unwrap_or_default();
        let at = format!("{} {}", found.kind, source(&found.point));
        lines.push(joined(vec![at, value, hit(&found.point).unwrap_or_default()]));
    }
    if lines.is_empty() {
        lines.push("nothing found".into());
    }
    if answer.next.is_some() {
        lines.push("…".into());
    }
    AnswerText { lines, points: answer.items.iter().map(|found| found.point.clone()).collect() }
}

/// What failed, then the hops below what they explain.
fn chain(chain: &Chain) -> AnswerText {
    let mut lines = vec![on_one_line(&format!("{}: {}", chain.failure.kind, chain.failure.message))];
    for (number, hop) in chain.hops.iter().enumerate() {
        let depth = std::iter::successors(Some(number), |number| chain.hops[*number].parent).count() - 1;
        let line = format!("{}{}    {}", "  ".repeat(depth), source(&hop.point), hop.words());
        let about = hop.end.as_ref().and_then(|end| end.about.as_ref()).map(|about| format!(" of {about}"));
        let about = about.unwrap_or_default();
        let end = hop.end.as_ref().map(|end| format!("    ({}{about})", end.kind)).unwrap_or_default();
        lines.push(on_one_line(&format!("{line}{end}")));
        let writers = hop.end.iter().flat_map(|end| &end.writers);
        lines.extend(writers.map(|writer| format!("{}written in {}", "  ".repeat(depth + 2), source_line(writer))));
        lines.extend(hop.with.iter().map(|part| {
            on_one_line(&format!("{}with {}    {}", "  ".repeat(depth + 2), source(&part.point), part.text))
        }));
    }
    AnswerText { lines, points: chain.hops.iter().map(|hop| hop.point.clone()).collect() }
}

/// `start 2: const empty = {};`, one line for each label.
fn crash_path(answer: &CrashPathAnswer) -> AnswerText {
    let object = answer.object.as_deref().unwrap_or("not known");
    let made = answer.made_into.as_ref().map(|made| format!(", from which {made} was made")).unwrap_or_default();
    let mut text = AnswerText { lines: vec![format!("the path of {object}{made}")], points: Vec::new() };
    path_steps(&answer.steps, 1, &mut text);
    text.lines.extend(answer.lacks.iter().map(|lack| format!("the recording does not tell {lack}")));
    text
}

fn path_steps(steps: &[PathStep], depth: usize, text: &mut AnswerText) {
    let indent = "  ".repeat(depth);
    for step in steps {
        match step {
            PathStep::Label(label) => {
                let more = match (label.taken, &label.callee, &label.registered) {
                    (Some(taken), ..) => Some(taken.to_string()),
                    (_, Some(PathCallee::NotRecorded(place)), _) => Some(format!("{place} is not recorded")),
                    (_, Some(PathCallee::Unknown), _) => Some("not known what".into()),
                    (_, Some(PathCallee::Foreign), _) => Some("foreign".into()),
                    (.., Some(registered)) => Some(format!("registered at {}", source(registered))),
                    _ => None,
                };
                let told = format!("{indent}{} {}", label.kind, source(&label.point));
                text.lines.push(joined(std::iter::once(told).chain(more).collect()));
                text.points.push(label.point.clone());
            }
            PathStep::Repeated { times, body } => {
                text.lines.push(format!("{indent}{times} times"));
                path_steps(body, depth + 1, text);
            }
        }
    }
}

fn refusal(error: &Error) -> AnswerText {
    AnswerText { lines: vec![format!("error: {error}")], points: Vec::new() }
}

/// The message of an assertion has several.
fn on_one_line(text: &str) -> String {
    text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join(" ")
}

fn joined(parts: Vec<String>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("    ")
}

fn old_and_new(old: &Option<Value>, new: &Option<Value>) -> String {
    match (old, new) {
        (None, Some(new)) => new.text.clone(),
        (Some(old), Some(new)) => format!("{} → {}", old.text, new.text),
        (Some(old), None) => format!("{} → removed", old.text),
        (None, None) => "removed".into(),
    }
}

/// `2: x = i`, with the file where it is not the main one.
fn source(point: &Point) -> String {
    let text = point.excerpt.as_ref().map(|excerpt| {
        let text: String = excerpt.text.chars().skip(excerpt.start).take(excerpt.length).collect();
        text.trim().to_owned()
    });
    format!("{}{}", line(point.file.as_deref(), point.line), text.map_or(String::new(), |text| format!(": {text}")))
}

fn source_line(written: &SourceLine) -> String {
    format!("{}: {}", line(Some(&written.file), Some(written.line)), written.text)
}

fn line(file: Option<&str>, line: Option<u32>) -> String {
    let number = line.map_or("?".to_owned(), |line| line.to_string());
    match file {
        Some(file) if !file.starts_with("main.") => format!("{file}:{number}"),
        _ => number,
    }
}

fn hit(point: &Point) -> Option<String> {
    match (point.hit, point.n_hits) {
        (Some(hit), Some(n_hits)) if n_hits > 1 => Some(format!("(hit {hit} of {n_hits})")),
        _ => None,
    }
}
