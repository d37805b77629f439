//! Whose code something is: the project's own, or that of a library that was installed.

use trace_model::{FrameId, SiteId};
use trace_store::FrameInfo;

use crate::Trace;

impl Trace<'_> {
    /// Whether code belongs to the project.
    pub(crate) fn is_own(&self, unit: SiteId) -> bool {
        self.thread.code().unit(unit).is_none_or(|unit| unit.record.origin.is_own())
    }

    /// The same of the code at a path; of code that is not recorded, its path tells.
    pub fn is_own_path(&self, path: &str) -> bool {
        match self.thread.code().origin_of(path) {
            Some(origin) => origin.is_own(),
            None => !self.language().is_library(path),
        }
    }

    /// The package that the code at a path is of, if it is not the project's own; of code that is not recorded, its path tells.
    pub fn package_at<'p>(&'p self, path: &'p str) -> Option<&'p str> {
        match self.thread.code().origin_of(path) {
            Some(origin) => origin.package(),
            None => self.language().library_of(path),
        }
    }

    /// The library that code belongs to.
    pub(crate) fn library(&self, unit: SiteId) -> Option<&str> {
        self.thread.code().unit(unit)?.record.origin.package()
    }

    /// Of the frames of libraries that a frame was called from, itself one of them, the one that the project called.
    pub(crate) fn entered_from_project(&self, frame: FrameId) -> Option<FrameInfo> {
        let mut info = self.frame(frame)?;
        for _ in 0..MOST_FRAMES {
            let caller = self.frame(self.caller_of(&info)?)?;
            if self.is_own(caller.unit) {
                return Some(info);
            }
            info = caller;
        }
        None
    }
}

const MOST_FRAMES: usize = 1000;
