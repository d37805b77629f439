//! The program with all its children, also those whose parents are gone: found, and stopped.

use std::collections::HashMap;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

/// How long a process may take to end after it was asked to.
pub const GRACE: Duration = Duration::from_secs(2);

/// A process and what came of it.
pub struct Tree {
    /// Their numbers, and when they started: numbers are used again.
    known: HashMap<i32, u64>,
    /// A line that the environment of each of them has, if it has not been taken away.
    mark: Option<Vec<u8>>,
}

impl Tree {
    pub fn of(root: u32, mark: Option<Vec<u8>>) -> Tree {
        let root = root as i32;
        let start = processes().iter().find(|process| process.pid == root).map(|process| process.start);
        Tree { known: start.map(|start| (root, start)).into_iter().collect(), mark }
    }

    /// Those that run now.
    pub fn living(&mut self) -> Vec<i32> {
        let all: Vec<Process> =
            processes().into_iter().filter(|process| process.pid != std::process::id() as i32).collect();
        self.known.retain(|pid, start| all.iter().any(|process| process.pid == *pid && process.start == *start));
        for process in &all {
            if !self.known.contains_key(&process.pid) && self.mark.as_ref().is_some_and(|mark| has(process.pid, mark)) {
                self.known.insert(process.pid, process.start);
            }
        }
        while let Some(child) =
            all.iter().find(|it| self.known.contains_key(&it.parent) && !self.known.contains_key(&it.pid))
        {
            self.known.insert(child.pid, child.start);
        }
        self.known.keys().copied().collect()
    }

    /// Asks all to end, and ends those that do not. Gives what could not be ended.
    pub fn stop(&mut self) -> Vec<i32> {
        send(Signal::TERM, &self.living());
        if self.wait_until_gone(|_| {}).is_empty() {
            return Vec::new();
        }
        // Again and again: one of them may be starting another.
        self.wait_until_gone(|left| send(Signal::KILL, left))
    }

    /// Ends all of them at once.
    pub fn kill(&mut self) {
        self.wait_until_gone(|left| send(Signal::KILL, left));
    }

    fn wait_until_gone(&mut self, meanwhile: impl Fn(&[i32])) -> Vec<i32> {
        let since = Instant::now();
        loop {
            let left = self.living();
            meanwhile(&left);
            if left.is_empty() || since.elapsed() > GRACE {
                return left;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Whether it can still do something. One that has ended and waits for its parent cannot: the parent may never ask.
pub fn lives(pid: u32) -> bool {
    let asked = Pid::from_raw(pid as i32).map_or(Err(Errno::SRCH), test_kill_process);
    let exists = matches!(asked, Ok(()) | Err(Errno::PERM));
    // Where nothing tells of it, it may live.
    exists && process_of_stat(pid as i32).is_none_or(|process| !process.has_ended)
}

/// The memory that a process has for itself, in bytes; 0 if it is gone.
pub fn memory_of(pid: i32) -> u64 {
    let words = fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let mut words = words.split_whitespace().skip(1).map_while(|word| word.parse::<u64>().ok());
    let (resident, shared) = (words.next().unwrap_or(0), words.next().unwrap_or(0));
    resident.saturating_sub(shared) * PAGE
}

const PAGE: u64 = 4096;

/// What a process used of the processors until now; nothing if it is gone.
pub fn time_used(pid: i32) -> Duration {
    let ticks = process_of_stat(pid).map_or(0, |process| process.ticks);
    Duration::from_secs(1).mul_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
}

#[derive(Debug)]
struct Process {
    pid: i32,
    parent: i32,
    /// In whatever unit; 0 where it is not known.
    start: u64,
    /// Of processor time, in the unit of the system.
    ticks: u64,
    /// And only waits for its parent.
    has_ended: bool,
}

fn send(signal: Signal, to: &[i32]) {
    for pid in to.iter().filter_map(|pid| Pid::from_raw(*pid)) {
        // One that is gone already needs it no more.
        let _ = kill_process(pid, signal);
    }
}

/// All processes of this machine that can still do something.
fn processes() -> Vec<Process> {
    let mut all = if cfg!(target_os = "linux") { processes_of_proc() } else { processes_of_ps() };
    all.retain(|process| !process.has_ended);
    all
}

fn processes_of_proc() -> Vec<Process> {
    let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
    numbers.filter_map(|entry| process_of_stat(entry.file_name().to_str()?.parse().ok()?)).collect()
}

fn process_of_stat(pid: i32) -> Option<Process> {
    let bytes = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The name stands in parentheses, and may have any characters.
    let behind_name = bytes.iter().rposition(|byte| *byte == b')')? + 1;
    let text = std::str::from_utf8(&bytes[behind_name..]).ok()?;
    let mut words = text.split_whitespace();
    let state = words.next()?;
    let parent = words.next()?.parse().ok()?;
    let of_program: u64 = words.nth(9)?.parse().ok()?;
    let of_system: u64 = words.next()?.parse().ok()?;
    let start = words.nth(6)?.parse().ok()?;
    let ticks = of_program + of_system;
    Some(Process { pid, parent, start, ticks, has_ended: matches!(state, "Z" | "X") })
}

fn processes_of_ps() -> Vec<Process> {
    let output = Command::new("ps").args(["-A", "-o", "pid=,ppid=,stat="]).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let process = |line: &str| {
        let mut words = line.split_whitespace();
        let (pid, parent, state) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()?);
        Some(Process { pid, parent, start: 0, ticks: 0, has_ended: state.starts_with('Z') })
    };
    text.lines().filter_map(process).collect()
}

/// Whether the process was started with this line in its environment.
fn has(pid: i32, mark: &[u8]) -> bool {
    fs::read(format!("/proc/{pid}/environ")).is_ok_and(|bytes| bytes.split(|byte| *byte == 0).any(|line| line == mark))
}

#[cfg(test)]
mod tests {
    use super::{Process, Tree, processes_of_proc, processes_of_ps};
    use std::process::Command;

    #[test]
    fn both_ways_to_list_processes_know_us() {
        let own = std::process::id() as i32;
        let parent_in = |all: Vec<Process>| all.iter().find(|it| it.pid == own).map(|it| it.parent);
        let parent = Some(std::os::unix::process::parent_id() as i32);
        assert_eq!(parent_in(processes_of_ps()), parent);
        if cfg!(target_os = "linux") {
            assert_eq!(parent_in(processes_of_proc()), parent);
        }
    }

    #[test]
    fn a_tree_is_stopped_as_a_whole() {
        let mut shell = Command::new("sh").args(["-c", "sleep 60 & sleep 60 & wait"]).spawn().expect("a shell");
        let mut tree = Tree::of(shell.id(), None);
        while tree.living().len() < 3 {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        assert_eq!(tree.stop(), Vec::<i32>::new());
        shell.wait().expect("it ended");
    }
}
