//! The stack of frames, from events.

use crate::common::{MadeRun, mark};
use crate::language::languages;
use expect_test::{Expect, expect};
use trace_model::*;
use trace_store::{CallStack, Run};

/// Sites `function * 10 + kind`: function 0 says when it leaves, functions 1 and 2 do not.
const KINDS: [SiteKind; 10] = [
    SiteKind::Enter,
    SiteKind::Exit,
    SiteKind::Return,
    SiteKind::Call,
    SiteKind::Result,
    SiteKind::Catch,
    SiteKind::Suspend,
    SiteKind::Resume,
    SiteKind::Scope,
    SiteKind::Var,
];

/// Each line is an event, `function kind [frame]`; prints the frames at each.
fn check(events: &str, expected: Expect) {
    let sites: Vec<_> = (0..3).flat_map(|function| KINDS.map(|kind| (kind, function))).collect();
    let made = MadeRun::new(&sites, &[true, false, false]);
    let event = |line: &str| {
        let mut parts = line.split_whitespace();
        let function: usize = parts.next().unwrap().parse().unwrap();
        let name = parts.next().unwrap();
        let kind = KINDS.iter().position(|kind| kind.name() == name).unwrap();
        let frame = parts.next().map_or(FrameId(0), |frame| FrameId(frame.parse().unwrap()));
        let tail = match KINDS[kind].tail() {
            Tail::ParentScope => TailValues::ParentScope(None),
            Tail::Frame => TailValues::Frame(frame),
            _ => TailValues::None,
        };
        mark((1 + function * 10 + kind) as u32, tail)
    };
    let lines: Vec<&str> = events.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    made.write_trace(&[lines.iter().map(|line| event(line)).collect()]);
    let run = Run::open(made.path(), &languages()).unwrap();
    let thread = &run.threads()[0];
    let mut stack = CallStack::default();
    let mut printed = String::new();
    for ((_, event), line) in thread.events().zip(lines) {
        stack.feed(&event, thread.code());
        let frames: Vec<_> =
            stack.frames().iter().map(|frame| format!("f{}#{}", frame.function.0, frame.id.0)).collect();
        printed.push_str(&format!("{line:10} {}\n", frames.join(" ")));
    }
    expected.assert_eq(&printed);
}

#[test]
fn calls_and_exits() {
    check(
        "0 Enter
         0 Scope
         0 Call
         1 Enter
         1 Return
         0 Result
         0 Exit
         0 Enter",
        expect![[r#"
            0 Enter    f0#1
            0 Scope    f0#1
            0 Call     f0#1
            1 Enter    f0#1 f1#3
            1 Return   f0#1 f1#3
            0 Result   f0#1
            0 Exit     f0#1
            0 Enter    f0#4
        "#]],
    );
}

#[test]
fn frames_that_do_not_say_when_they_leave() {
    check(
        "0 Enter
         1 Enter
         2 Enter
         2 Var
         0 Var",
        expect![[r#"
            0 Enter    f0#1
            1 Enter    f0#1 f1#2
            2 Enter    f0#1 f1#2 f2#3
            2 Var      f0#1 f1#2 f2#3
            0 Var      f0#1
        "#]],
    );
}

#[test]
fn a_function_that_calls_itself() {
    check(
        "1 Enter
         1 Call
         1 Enter
         1 Var
         1 Result
         1 Var",
        expect![[r#"
            1 Enter    f1#1
            1 Call     f1#1
            1 Enter    f1#1 f1#2
            1 Var      f1#1 f1#2
            1 Result   f1#1
            1 Var      f1#1
        "#]],
    );
}

#[test]
fn a_catch_takes_off_what_the_exception_left() {
    check(
        "0 Enter
         1 Enter
         0 Enter
         2 Enter
         0 Catch 1",
        expect![[r#"
            0 Enter    f0#1
            1 Enter    f0#1 f1#2
            0 Enter    f0#1 f1#2 f0#3
            2 Enter    f0#1 f1#2 f0#3 f2#4
            0 Catch 1  f0#1
        "#]],
    );
}

#[test]
fn suspended_frames_come_back() {
    check(
        "0 Enter
         1 Enter
         1 Suspend
         0 Exit
         2 Enter
         1 Resume 2
         1 Suspend
         2 Var
         1 Catch 2",
        expect![[r#"
            0 Enter    f0#1
            1 Enter    f0#1 f1#2
            1 Suspend  f0#1 f1#2
            0 Exit     f0#1
            2 Enter    f2#3
            1 Resume 2 f2#3 f1#2
            1 Suspend  f2#3 f1#2
            2 Var      f2#3
            1 Catch 2  f2#3 f1#2
        "#]],
    );
}

/// `for await` waits without an event.
#[test]
fn frames_that_wait_without_saying_so() {
    check(
        "1 Enter
         2 Enter
         0 Enter
         2 Var
         2 Return
         1 Var
         1 Return
         2 Enter
         0 Resume 3
         0 Exit
         2 Return",
        expect![[r#"
            1 Enter    f1#1
            2 Enter    f1#1 f2#2
            0 Enter    f1#1 f2#2 f0#3
            2 Var      f1#1 f2#2 f0#3
            2 Return   f1#1 f2#2
            1 Var      f1#1
            1 Return   f1#1
            2 Enter    f2#4
            0 Resume 3 f2#4 f0#3
            0 Exit     f2#4 f0#3
            2 Return   f2#4
        "#]],
    );
}

/// Where not everything is recorded, functions run that are never entered: their events are in no frame.
#[test]
fn events_of_functions_that_are_not_entered() {
    let sites: Vec<_> = (0..3).flat_map(|function| KINDS.map(|kind| (kind, function))).collect();
    let made = MadeRun::new(&sites, &[true, false, true]);
    let site = |function: u32, kind: SiteKind| {
        let at = KINDS.iter().position(|known| *known == kind).unwrap() as u32;
        let tail = if kind == SiteKind::Enter { TailValues::ParentScope(None) } else { TailValues::None };
        mark(1 + function * 10 + at, tail)
    };
    use SiteKind::{Enter, Exit, Var};
    let events = [(0, Enter), (2, Var), (1, Enter), (2, Var), (1, Var), (0, Var), (2, Var), (0, Exit), (2, Var)];
    made.write_trace(&[events.iter().map(|(function, kind)| site(*function, *kind)).collect()]);
    let run = Run::open(made.path(), &languages()).unwrap();
    let frames: Vec<_> = run.threads()[0].steps_from(EventId(0)).map(|step| step.frame.map(|frame| frame.0)).collect();
    let expected = [Some(1), None, Some(2), None, Some(2), Some(1), None, Some(1), None];
    assert_eq!(frames, expected);
}
