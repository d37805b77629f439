//! Points that were shown, so that they can be asked about again: `points.txt` in the folder of the run, a line for each with
//! its thread and its event, or the word `crash`: that moment is behind the newest event. `P2` is the second line.

use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use trace_format::private;

pub(crate) struct Answers {
    path: PathBuf,
    /// Read when the first is needed; nothing where the run cannot be written to.
    known: RefCell<Option<Option<Known>>>,
}

struct Known {
    file: File,
    points: Vec<Kept>,
}

/// A point of the thread of this number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kept {
    Event {
        thread: usize,
        event: u64,
    },
    Crash {
        thread: usize,
    },
    /// A line that this build does not understand.
    Unknown,
}

impl Answers {
    /// Nothing is numbered.
    pub fn none() -> Answers {
        Answers { path: PathBuf::new(), known: RefCell::new(Some(None)) }
    }

    /// Gives a number that another run gave to what it is in this one.
    pub fn set(&self, number: u32, point: Kept) {
        let mut known = self.known.borrow_mut();
        let known = known.get_or_insert_with(|| Known::open(&self.path));
        let Some(known) = known.as_mut() else { return };
        let at = number as usize - 1;
        known.points.resize(known.points.len().max(at + 1), Kept::Unknown);
        known.points[at] = point;
        let text: String = known.points.iter().map(|point| point.line()).collect();
        // Appending goes on at the end of what is there then.
        let _ = known.file.set_len(0).and_then(|()| known.file.write_all(text.as_bytes()));
    }

    pub fn of_run(folder: &Path) -> Answers {
        Answers { path: folder.join("points.txt"), known: RefCell::new(None) }
    }

    /// The number of a point: the one it has already, or the next.
    pub fn number(&self, point: Kept) -> Option<u32> {
        let mut known = self.known.borrow_mut();
        let known = known.get_or_insert_with(|| Known::open(&self.path)).as_mut()?;
        if let Some(at) = known.points.iter().position(|other| *other == point) {
            return Some(at as u32 + 1);
        }
        known.file.write_all(point.line().as_bytes()).ok()?;
        known.points.push(point);
        Some(known.points.len() as u32)
    }

    /// The point of a number; else how many there are.
    pub fn point(&self, number: u32) -> Result<Kept, usize> {
        let text = std::fs::read_to_string(&self.path).unwrap_or_default();
        let points = parse(&text);
        (number as usize).checked_sub(1).and_then(|at| points.get(at)).copied().ok_or(points.len())
    }
}

impl Known {
    /// Nobody else numbers points of this run meanwhile: the lock is held until the answer is complete.
    fn open(path: &Path) -> Option<Known> {
        let mut file = private::append(path).ok()?;
        file.lock().ok()?;
        let mut text = String::new();
        file.read_to_string(&mut text).ok()?;
        Some(Known { points: parse(&text), file })
    }
}

impl Kept {
    pub fn thread(self) -> Option<usize> {
        match self {
            Kept::Event { thread, .. } | Kept::Crash { thread } => Some(thread),
            Kept::Unknown => None,
        }
    }

    fn line(self) -> String {
        match self {
            Kept::Event { thread, event } => format!("{thread} {event}\n"),
            Kept::Crash { thread } => format!("{thread} crash\n"),
            Kept::Unknown => "\n".into(),
        }
    }

    fn of_line(line: &str) -> Option<Kept> {
        let (thread, event) = line.split_once(' ')?;
        let thread = thread.parse().ok()?;
        match event {
            "crash" => Some(Kept::Crash { thread }),
            event => Some(Kept::Event { thread, event: event.parse().ok()? }),
        }
    }
}

fn parse(text: &str) -> Vec<Kept> {
    text.lines().map(|line| Kept::of_line(line).unwrap_or(Kept::Unknown)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_numbered_once() {
        let run = tempfile::tempdir().unwrap();
        let first = Kept::Event { thread: 1, event: 30 };
        let second = Kept::Crash { thread: 2 };
        let answers = Answers::of_run(run.path());
        assert_eq!([first, second, first].map(|point| answers.number(point)), [Some(1), Some(2), Some(1)]);
        drop(answers);
        let again = Answers::of_run(run.path());
        assert_eq!(again.number(second), Some(2));
        assert_eq!([again.point(1), again.point(2), again.point(3)], [Ok(first), Ok(second), Err(2)]);
    }
}
