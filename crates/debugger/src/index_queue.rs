//! Runs whose index is to be made in the background. For each user one process makes them, one after the other: the memory and the
//! cores of a machine are there for programs and for questions, and eight recordings must not leave eight processes behind.

use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use trace_format::private;

/// A folder with two files: the runs, and the lock of who is at them.
#[derive(Clone)]
pub struct IndexQueue {
    folder: PathBuf,
}

/// Who takes runs out of the queue. Nobody else does as long as this lives.
pub struct IndexWorker {
    queue: IndexQueue,
    lock: Option<File>,
}

impl IndexQueue {
    /// `None` where the user has no folder for it.
    pub fn of_user() -> Option<IndexQueue> {
        let folder = private::user_caches()?.join("wherefore-indexing");
        private::create_dir_all(&folder).ok()?;
        Some(IndexQueue { folder })
    }

    /// False if somebody is there who will come to it.
    pub fn add(&self, run: &Path) -> io::Result<bool> {
        let mut queue = self.open()?;
        let mut runs = read(&mut queue)?;
        if !runs.iter().any(|known| known == run) {
            runs.push(run.to_owned());
            write(&mut queue, &runs)?;
        }
        Ok(!matches!(self.worker_file()?.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// `None` if somebody is there already.
    pub fn work(&self) -> io::Result<Option<IndexWorker>> {
        let lock = self.worker_file()?;
        Ok(match lock.try_lock() {
            Ok(()) => Some(IndexWorker { queue: self.clone(), lock: Some(lock) }),
            Err(_) => None,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.open().and_then(|mut queue| read(&mut queue)).is_ok_and(|runs| runs.is_empty())
    }

    /// Locked until it is closed.
    fn open(&self) -> io::Result<File> {
        let queue = private::append(&self.folder.join("queue"))?;
        queue.lock()?;
        Ok(queue)
    }

    fn worker_file(&self) -> io::Result<File> {
        private::append(&self.folder.join("worker"))
    }
}

impl IndexWorker {
    /// The next run. Behind the last one this is over: whoever adds one from then on finds that nobody is there.
    pub fn take_next(&mut self) -> io::Result<Option<PathBuf>> {
        let mut queue = self.queue.open()?;
        let mut runs = read(&mut queue)?;
        if runs.is_empty() {
            self.lock = None;
            return Ok(None);
        }
        let next = runs.remove(0);
        write(&mut queue, &runs)?;
        Ok(Some(next))
    }
}

fn read(queue: &mut File) -> io::Result<Vec<PathBuf>> {
    let mut text = Vec::new();
    queue.seek(SeekFrom::Start(0))?;
    queue.read_to_end(&mut text)?;
    let runs = text.split(|byte| *byte == 0).filter(|run| !run.is_empty());
    Ok(runs.map(|run| PathBuf::from(OsStr::from_bytes(run))).collect())
}

fn write(queue: &mut File, runs: &[PathBuf]) -> io::Result<()> {
    let text: Vec<u8> = runs.iter().flat_map(|run| [run.as_os_str().as_bytes(), b"\0"].concat()).collect();
    queue.set_len(0)?;
    queue.write_all(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_there_for_all_runs() {
        let folder = tempfile::tempdir().unwrap();
        let queue = IndexQueue { folder: folder.path().to_owned() };
        assert!(queue.add(Path::new("/a\n b")).unwrap() && queue.add(Path::new("/c")).unwrap());
        let mut worker = queue.work().unwrap().unwrap();
        assert!(queue.work().unwrap().is_none());
        assert!(!queue.add(Path::new("/c")).unwrap() && !queue.add(Path::new("/d")).unwrap());
        let mut all = Vec::new();
        while let Some(run) = worker.take_next().unwrap() {
            all.push(run);
        }
        assert_eq!(all, ["/a\n b", "/c", "/d"].map(PathBuf::from));
        // Although the one that was there has not ended yet.
        assert!(queue.is_empty() && queue.add(Path::new("/e")).unwrap());
        assert_eq!(queue.work().unwrap().unwrap().take_next().unwrap(), Some(PathBuf::from("/e")));
    }
}
