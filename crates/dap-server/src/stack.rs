//! Threads and their stacks. Behind the frames that are open come those that led to them across turns of the event loop.

use debugger::{Answer, AsyncParent, FrameAt, Handle, PageRequest, QuestionKind};
use serde_json::json;

use crate::adapter::{Adapter, Body};
use crate::protocol::{StackFrame, StackTraceArguments};
use crate::refusal::Refusal;

impl Adapter {
    pub fn threads(&self) -> Body {
        // Of a program that has just begun to run, the thread in which it begins.
        let n_threads = self.open.as_ref().map_or(usize::from(self.is_running()), |open| open.n_threads());
        let named = |number: usize| json!({"id": number, "name": format!("thread {number}")});
        Ok(json!({"threads": (1..=n_threads).map(named).collect::<Vec<_>>()}))
    }

    pub fn stack_trace(&mut self, asked: &StackTraceArguments) -> Body {
        let from = self.opened()?.place(asked.thread_id);
        let n_wanted = if asked.levels == 0 { MOST_FRAMES } else { asked.levels };
        let end = asked.start_frame.saturating_add(n_wanted);
        let page = PageRequest::first(end.saturating_add(1));
        let Answer::Stack(stack) = self.ask(QuestionKind::Stack(page), from)?.answer else {
            return Err(Refusal::nothing_open());
        };
        let has_more = stack.frames.next.is_some();
        let mut rows: Vec<Row> = Vec::new();
        for frame in stack.frames.items {
            rows.extend(frame.parent.map(Row::Between));
            rows.push(Row::Frame(frame.into()));
        }
        let n_all = rows.len() + usize::from(has_more);
        let wanted = rows.into_iter().skip(asked.start_frame).take(end - asked.start_frame);
        let frames: Vec<StackFrame> = wanted.map(|row| self.shown_row(row)).collect();
        Ok(json!({"stackFrames": frames, "totalFrames": n_all}))
    }

    fn shown_row(&mut self, row: Row) -> StackFrame {
        match row {
            Row::Between(parent) => StackFrame {
                id: self.references.add_nothing(),
                name: match parent {
                    AsyncParent::Called => "— it had been called by —".into(),
                    AsyncParent::HandedOut => "— it had been handed out by —".into(),
                },
                source: None,
                line: 0,
                column: 0,
                presentation_hint: Some("label"),
            },
            Row::Frame(frame) => {
                let point = frame.point.as_ref();
                let file = point.and_then(|point| point.file.clone());
                let source = file.map(|file| self.source_of(&file));
                StackFrame {
                    id: self.references.add_frame(frame.handle),
                    name: frame.function.unwrap_or_else(|| "(top level)".into()),
                    source,
                    line: self.line_out(point.and_then(|point| point.line).unwrap_or(0)),
                    column: self.column_out(point.and_then(|point| point.column).unwrap_or(0)),
                    presentation_hint: None,
                }
            }
        }
    }

    /// The frame of a number; where none is named, that at which control stands.
    pub fn frame_or_innermost(&self, id: Option<i64>) -> Result<Option<Handle>, Refusal> {
        if let Some(id) = id {
            return match self.references.frame(id) {
                Some(frame) => Ok(Some(frame.clone())),
                None => Err(Refusal::new("this frame is of a moment that control has left")),
            };
        }
        let open = self.opened()?;
        let from = open.place(open.thread);
        match self.ask(QuestionKind::Stack(PageRequest::first(1)), from)?.answer {
            Answer::Stack(stack) => Ok(stack.frames.items.into_iter().next().map(|frame| frame.handle)),
            _ => Ok(None),
        }
    }
}

enum Row {
    Frame(Box<FrameAt>),
    /// How the frames below led to those above.
    Between(AsyncParent),
}

/// As many as are sent to a client that wants all.
const MOST_FRAMES: usize = 1000;
