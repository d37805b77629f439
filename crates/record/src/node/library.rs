//! The library that every process of a command loads (`crates/preload`), so that its Nodes are found however they are started.

use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use trace_format::private;

use crate::environment::Variables;

const NAME: &str = "preload.so";
const LD_PRELOAD: &str = "LD_PRELOAD";

/// Where the linker finds it. `None` where there is none: elsewhere than on Linux, or if each of its paths has a blank. Then only `NODE_OPTIONS` leads to the run.
pub(crate) fn find(runtime: &Path) -> Option<PathBuf> {
    let library = runtime.join(NAME);
    if !library.exists() {
        return None;
    }
    if can_be_named(&library) { Some(library) } else { link_to(&library).filter(|link| can_be_named(link)) }
}

/// Those that the program is to load itself come first.
pub(crate) fn load(variables: &mut Variables, library: &Path) {
    let own = library.as_os_str().as_bytes();
    let value = match variables.get(LD_PRELOAD) {
        Some(others) => [others.as_bytes(), b":", own].concat(),
        None => own.to_vec(),
    };
    variables.set(LD_PRELOAD, OsStr::from_bytes(&value));
}

/// The linker reads a list, in which nothing can be quoted.
fn can_be_named(path: &Path) -> bool {
    !path.as_os_str().as_bytes().iter().any(|byte| byte.is_ascii_whitespace() || *byte == b':')
}

/// Another path of it, in a folder that nobody else can write to. It stays there: processes may outlive the run.
fn link_to(library: &Path) -> Option<PathBuf> {
    let caches = private::user_caches()?;
    let mut hasher = DefaultHasher::new();
    library.hash(&mut hasher);
    let folder = caches.join("wherefore-preload").join(format!("{:016x}", hasher.finish()));
    private::create_dir_all(&folder).ok()?;
    let link = folder.join(NAME);
    if fs::read_link(&link).is_ok_and(|target| target == library) {
        return Some(link);
    }
    let _ = fs::remove_file(&link);
    // Another recorder may have been quicker.
    let _ = symlink(library, &link);
    fs::read_link(&link).is_ok_and(|target| target == library).then_some(link)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Environment;

    #[test]
    fn others_that_are_loaded_stay() {
        let mut variables = Environment::Exactly(vec![("LD_PRELOAD".into(), "/lib/a.so".into())]).variables();
        load(&mut variables, Path::new("/r/preload.so"));
        assert_eq!(variables.get(LD_PRELOAD), Some(OsStr::new("/lib/a.so:/r/preload.so")));
    }

    #[test]
    fn a_blank_cannot_be_named() {
        assert!(can_be_named(Path::new("/a/ä/preload.so")));
        assert!(!can_be_named(Path::new("/my project/preload.so")) && !can_be_named(Path::new("/a:b/preload.so")));
    }
}
