//! Points that were shown, so that they can be asked about again: `points.txt` in the folder of the run. It is only ever appended
//! to, and locked only while a line is added, so that any number of threads and processes may show points of one run.
//!
//! A line is a point, with its thread and its event, or with the word `crash`: that moment is behind the newest event. `P2` is the
//! second of these lines. A line `=2 1 40` says that `P2` is event 40 of thread 1 from then on: what another run showed under
//! that number was found again.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use trace_format::private;
use trace_model::waiting;

pub(crate) struct PointRegister {
    /// `None`: nothing is numbered.
    path: Option<PathBuf>,
    known: Mutex<Known>,
}

/// What of the file was read so far.
#[derive(Default)]
struct Known {
    file: Option<File>,
    n_read: u64,
    points: Vec<KeptPoint>,
    numbers: HashMap<KeptPoint, u32>,
}

/// Whether a text is what such a file may hold, and how many points it has.
pub(crate) fn checked_points(text: &str) -> Option<usize> {
    let mut known = Known::default();
    for line in text.lines() {
        let is_set = |set: &str| {
            let (number, point) = set.split_once(' ')?;
            let is_known = (1..=known.points.len()).contains(&number.parse::<usize>().ok()?);
            KeptPoint::of_line(point).filter(|_| is_known)
        };
        match line.strip_prefix('=') {
            Some(set) => drop(is_set(set)?),
            // Of a point that was not found again yet, or of whoever was killed while they wrote.
            None if line.is_empty() || line.ends_with('?') => {}
            None => drop(KeptPoint::of_line(line)?),
        }
        known.take_in(line);
    }
    Some(known.points.len())
}

/// A point of the thread of this number, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum KeptPoint {
    Event {
        thread: usize,
        event: u64,
    },
    Crash {
        thread: usize,
    },
    /// A line that this build does not understand, or a point of another run that was not found again yet.
    Unknown,
}

impl PointRegister {
    /// Nothing is numbered.
    pub fn none() -> PointRegister {
        PointRegister { path: None, known: Mutex::default() }
    }

    pub fn of_run(folder: &Path) -> PointRegister {
        PointRegister { path: Some(folder.join(FILE)), known: Mutex::default() }
    }

    /// One for a run in which the points of another are found again: they keep their numbers, and new ones follow.
    pub fn follow(run: &Path, origin: &Path) {
        let n_points = PointRegister::of_run(origin).len();
        // Without them there is nothing to be asked about, and that is said when it is.
        let _ = private::write(&run.join(FILE), "\n".repeat(n_points));
    }

    /// The number of a point: the one it has already, or the next. Nothing where the run cannot be written to.
    pub fn number(&self, point: KeptPoint) -> Option<u32> {
        let mut known = self.known();
        if let Some(number) = known.numbers.get(&point) {
            return Some(*number);
        }
        known.locked(self.path.as_deref()?, |known, file| {
            known.numbers.get(&point).copied().or_else(|| {
                known.append(file, &point.line())?;
                known.numbers.get(&point).copied()
            })
        })?
    }

    /// Gives a number that another run gave to what it is in this one.
    pub fn set(&self, number: u32, point: KeptPoint) {
        let Some(path) = &self.path else { return };
        self.known().locked(path, |known, file| known.append(file, &format!("={number} {}", point.line())));
    }

    /// The point of a number; else how many there are.
    pub fn point(&self, number: u32) -> Result<KeptPoint, usize> {
        let mut known = self.known();
        known.refresh(self.path.as_deref());
        let at = (number as usize).checked_sub(1);
        at.and_then(|at| known.points.get(at)).copied().ok_or(known.points.len())
    }

    fn len(&self) -> usize {
        let mut known = self.known();
        known.refresh(self.path.as_deref());
        known.points.len()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        waiting::lock(&self.known)
    }
}

const FILE: &str = "points.txt";

impl Known {
    /// Does something while nobody else writes to the file, knowing all that is in it.
    fn locked<T>(&mut self, path: &Path, work: impl FnOnce(&mut Known, &mut File) -> T) -> Option<T> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => private::append(path).ok()?,
        };
        if file.try_lock().is_err() {
            waiting::wait(|| file.lock()).ok()?;
        }
        let done = self.read(&mut file).map(|rest| {
            // Whoever wrote half a line was killed; what it says is not to be believed.
            if !rest.is_empty() {
                self.append(&mut file, "?\n");
            }
            work(self, &mut file)
        });
        let _ = file.unlock();
        self.file = Some(file);
        done
    }

    /// Reads what others have added; a line that is being written is not there yet.
    fn refresh(&mut self, path: Option<&Path>) {
        if let Some(mut file) = path.and_then(|path| File::open(path).ok()) {
            self.read(&mut file);
        }
    }

    /// Takes in the whole lines that are not known yet, and gives what is left.
    fn read(&mut self, file: &mut File) -> Option<String> {
        file.seek(SeekFrom::Start(self.n_read)).ok()?;
        let mut text = String::new();
        file.read_to_string(&mut text).ok()?;
        let n_whole = text.rfind('\n').map_or(0, |end| end + 1);
        self.n_read += n_whole as u64;
        let rest = text.split_off(n_whole);
        text.lines().for_each(|line| self.take_in(line));
        Some(rest)
    }

    fn append(&mut self, file: &mut File, line: &str) -> Option<()> {
        file.write_all(line.as_bytes()).ok()?;
        self.read(file).map(drop)
    }

    fn take_in(&mut self, line: &str) {
        let Some((number, point)) = line.strip_prefix('=').and_then(|set| set.split_once(' ')) else {
            let point = KeptPoint::of_line(line).unwrap_or(KeptPoint::Unknown);
            self.points.push(point);
            return self.name(self.points.len() as u32, point);
        };
        let number = number.parse::<u32>().ok().filter(|number| *number > 0);
        if let (Some(number), Some(point)) = (number, KeptPoint::of_line(point)) {
            // Only what has a number already can be found again: the file does not say how much is kept.
            let Some(kept) = self.points.get_mut(number as usize - 1) else { return };
            *kept = point;
            self.name(number, point);
        }
    }

    fn name(&mut self, number: u32, point: KeptPoint) {
        if point != KeptPoint::Unknown {
            self.numbers.entry(point).or_insert(number);
        }
    }
}

impl KeptPoint {
    pub fn thread(self) -> Option<usize> {
        match self {
            KeptPoint::Event { thread, .. } | KeptPoint::Crash { thread } => Some(thread),
            KeptPoint::Unknown => None,
        }
    }

    fn line(self) -> String {
        match self {
            KeptPoint::Event { thread, event } => format!("{thread} {event}\n"),
            KeptPoint::Crash { thread } => format!("{thread} crash\n"),
            KeptPoint::Unknown => "\n".into(),
        }
    }

    fn of_line(line: &str) -> Option<KeptPoint> {
        let (thread, event) = line.split_once(' ')?;
        let thread = thread.parse().ok().filter(|thread| *thread > 0)?;
        match event {
            "crash" => Some(KeptPoint::Crash { thread }),
            event => Some(KeptPoint::Event { thread, event: event.parse().ok()? }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(event: u64) -> KeptPoint {
        KeptPoint::Event { thread: 1, event }
    }

    #[test]
    fn points_are_numbered_once() {
        let run = tempfile::tempdir().unwrap();
        let crash = KeptPoint::Crash { thread: 2 };
        let register = PointRegister::of_run(run.path());
        assert_eq!([event(30), crash, event(30)].map(|point| register.number(point)), [Some(1), Some(2), Some(1)]);
        let again = PointRegister::of_run(run.path());
        assert_eq!(again.number(crash), Some(2));
        assert_eq!([again.point(1), again.point(2), again.point(3)], [Ok(event(30)), Ok(crash), Err(2)]);
    }

    #[test]
    fn two_that_are_open_at_once_do_not_wait_for_each_other() {
        let run = tempfile::tempdir().unwrap();
        let (one, other) = (PointRegister::of_run(run.path()), PointRegister::of_run(run.path()));
        assert_eq!(one.number(event(1)), Some(1));
        assert_eq!(other.number(event(2)), Some(2));
        assert_eq!(one.number(event(3)), Some(3));
        assert_eq!([one.number(event(2)), other.number(event(3))], [Some(2), Some(3)]);
    }

    #[test]
    fn many_threads_number_as_one_would() {
        let run = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let register = PointRegister::of_run(run.path());
                    (0..50).for_each(|at| assert!(register.number(event(at)).is_some()));
                });
            }
        });
        let register = PointRegister::of_run(run.path());
        let mut numbers: Vec<u32> = (0..50).filter_map(|at| register.number(event(at))).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=50).collect::<Vec<u32>>());
    }

    #[test]
    fn what_another_run_named_keeps_its_number() {
        let (origin, run) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let of_origin = PointRegister::of_run(origin.path());
        (0..3).for_each(|at| assert!(of_origin.number(event(at)).is_some()));
        PointRegister::follow(run.path(), origin.path());
        let register = PointRegister::of_run(run.path());
        assert_eq!(register.point(2), Ok(KeptPoint::Unknown));
        register.set(2, event(70));
        assert_eq!([register.point(2), register.point(3)], [Ok(event(70)), Ok(KeptPoint::Unknown)]);
        assert_eq!([register.number(event(70)), register.number(event(71))], [Some(2), Some(4)]);
    }

    #[test]
    fn a_number_that_nothing_has_takes_no_room() {
        let run = tempfile::tempdir().unwrap();
        std::fs::write(run.path().join(FILE), "1 30\n=4294967295 1 40\n0 7\n=1 1 31\n").unwrap();
        let register = PointRegister::of_run(run.path());
        assert_eq!([register.point(1), register.point(2)], [Ok(event(31)), Ok(KeptPoint::Unknown)]);
        assert_eq!([register.point(3), register.point(u32::MAX)], [Err(2), Err(2)]);
    }

    #[test]
    fn what_no_such_file_holds_is_told() {
        assert_eq!(checked_points("1 30\n\n=2 1 40\n2 crash\n1 4?\n"), Some(4));
        for text in ["x\n", "0 1\n", "1 30\n=2 1 40\n", "1 30\n=0 1 4\n", "1 -1\n", "1 30\n=1 x\n"] {
            assert_eq!(checked_points(text), None, "{text}");
        }
    }

    #[test]
    fn half_a_line_of_somebody_who_was_killed_is_no_point() {
        let run = tempfile::tempdir().unwrap();
        std::fs::write(run.path().join(FILE), "1 30\n1 4").unwrap();
        let register = PointRegister::of_run(run.path());
        assert_eq!(register.point(2), Err(1));
        assert_eq!(register.number(event(50)), Some(3));
        assert_eq!(register.point(2), Ok(KeptPoint::Unknown));
        assert_eq!([register.point(1), register.point(3)], [Ok(event(30)), Ok(event(50))]);
        std::fs::write(run.path().join(FILE), "1 30\n=1 1 8").unwrap();
        let register = PointRegister::of_run(run.path());
        assert_eq!([register.number(event(60)), register.number(event(30))], [Some(2), Some(1)]);
    }
}
