//! What the instrumenter made of a source, kept between runs, so that a source is parsed only once.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use instrument::{Insertion, Instrumented, NumberAt, SourceKind};
use trace_format::{CodeHash, private, read_site_table, write_site_table};
use trace_model::SiteTable;
use xxhash_rust::xxh3::Xxh3;

/// Names what comes of instrumenting these texts so.
pub fn hash(texts: &[&str], kind: SourceKind, policy: &str) -> CodeHash {
    let mut hash = Xxh3::new();
    let how = format!("{kind:?} {}", instrument::VERSION);
    for part in texts.iter().chain(&[how.as_str(), policy]) {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    CodeHash(hash.digest128())
}

pub fn load(hash: CodeHash) -> Option<Instrumented> {
    let bytes = fs::read(folder()?.join(hash.to_string())).ok()?;
    let bytes = zstd::stream::decode_all(&bytes[..]).ok()?;
    let mut rest = &bytes[..];
    let sites = read_site_table(take(&mut rest)?, "cached code").ok()?;
    let code = String::from_utf8(take(&mut rest)?.to_vec()).ok()?;
    let numbers = words(take(&mut rest)?).map(NumberAt).collect();
    let insertions = words(take(&mut rest)?).collect::<Vec<_>>();
    let insertions =
        insertions.chunks_exact(4).map(|it| Insertion { at: it[0], bytes: it[1], units: it[2], back: it[3] }).collect();
    let marked = words(take(&mut rest)?).collect::<Vec<_>>();
    let marked = marked.chunks_exact(2).map(|two| (two[0], two[1])).collect();
    Some(Instrumented { code, sites, numbers, insertions, marked })
}

/// A cache that cannot be written is no reason to stop.
pub fn store(hash: CodeHash, made: &Instrumented) {
    let Some(folder) = folder() else { return };
    let mut bytes = Vec::new();
    put(&mut bytes, &write_site_table(&made.sites));
    put(&mut bytes, made.code.as_bytes());
    put(&mut bytes, &bytes_of(made.numbers.iter().map(|number| number.0)));
    put(&mut bytes, &bytes_of(made.insertions.iter().flat_map(|it| [it.at, it.bytes, it.units, it.back])));
    put(&mut bytes, &bytes_of(made.marked.iter().flat_map(|(site, length)| [*site, *length])));
    if let Ok(compressed) = zstd::bulk::compress(&bytes, 1) {
        make_folder(folder);
        let _ = write_whole(&folder.join(hash.to_string()), &compressed);
    }
}

/// The sites of a code, whatever is recorded of it.
pub fn load_table(any_policy: CodeHash) -> Option<SiteTable> {
    let bytes = fs::read(folder()?.join(format!("{any_policy}.table"))).ok()?;
    read_site_table(&zstd::stream::decode_all(&bytes[..]).ok()?, "cached code").ok()
}

pub fn store_table(any_policy: CodeHash, table: &SiteTable) {
    let Some(folder) = folder() else { return };
    if let Ok(compressed) = zstd::bulk::compress(&write_site_table(table), 1) {
        make_folder(folder);
        let _ = write_whole(&folder.join(format!("{any_policy}.table")), &compressed);
    }
}

/// How many sites a code has of which nothing is recorded.
pub fn load_plain(hash: CodeHash) -> Option<u32> {
    let bytes = fs::read(folder()?.join(format!("{hash}.plain"))).ok()?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

/// Remembers that nothing is recorded of a code, and what the run in this folder keeps of it.
pub fn store_plain(hash: CodeHash, n_sites: u32, any_policy: CodeHash, run: &Path) {
    let Some(folder) = folder() else { return };
    make_folder(folder);
    for part in CODE_FILES {
        let from = run.join(format!("{hash}.{part}"));
        let _ = give(&from, &folder.join(format!("{any_policy}.{part}")));
    }
    let _ = write_whole(&folder.join(format!("{hash}.plain")), &n_sites.to_le_bytes());
}

/// Gives a run what it keeps of a code of which nothing is recorded. False if it is not here.
pub fn link_code_files(any_policy: CodeHash, run: &Path, hash: CodeHash) -> bool {
    let Some(folder) = folder() else { return false };
    let give_part =
        |part: &str| give(&folder.join(format!("{any_policy}.{part}")), &run.join(format!("{hash}.{part}")));
    // Only code that was compiled from something else has origins.
    let _ = give_part("origins");
    if give_part("src").is_ok() && give_part("sites").is_ok() {
        return true;
    }
    private::create_dir_all(run).is_ok() && give_part("src").is_ok() && give_part("sites").is_ok()
}

const CODE_FILES: [&str; 3] = ["src", "origins", "sites"];

/// The same file under another name, or a copy of it.
fn give(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
        Err(_) => write_whole(to, &fs::read(from)?),
        Ok(()) => Ok(()),
    }
}

/// One process makes the folder of a build, and takes those of older builds away. Who still uses one of them finds nothing
/// in it, and instruments anew.
fn make_folder(folder: &Path) {
    let Some(all) = folder.parent() else { return };
    let _ = private::create_dir_all(all);
    if private::create_dir(folder).is_ok() {
        remove_old(all, N_BUILDS_KEPT, Instant::now() + LONGEST_REMOVAL);
    }
}

/// Some people change between builds.
const N_BUILDS_KEPT: usize = 3;
/// The program waits for it. What is left over is for the next build.
const LONGEST_REMOVAL: Duration = Duration::from_millis(50);

/// Removes all folders but those that were written to last.
fn remove_old(all: &Path, n_kept: usize, end: Instant) {
    let entries = fs::read_dir(all).into_iter().flatten().flatten();
    let mut folders: Vec<_> = entries
        .filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            metadata.is_dir().then_some((metadata.modified().ok()?, entry.path()))
        })
        .collect();
    folders.sort_by(|a, b| b.cmp(a));
    for (_, folder) in folders.iter().skip(n_kept) {
        for file in fs::read_dir(folder).into_iter().flatten().flatten() {
            if Instant::now() > end {
                return;
            }
            let _ = fs::remove_file(file.path());
        }
        let _ = fs::remove_dir(folder);
    }
}

/// Others see the whole file or none.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let unfinished = path.with_extension(format!("{}.new", std::process::id()));
    private::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, path)).inspect_err(|_| {
        let _ = fs::remove_file(&unfinished);
    })
}

/// A part: its length, its bytes.
fn put(bytes: &mut Vec<u8>, part: &[u8]) {
    bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
    bytes.extend_from_slice(part);
}

fn take<'b>(rest: &mut &'b [u8]) -> Option<&'b [u8]> {
    let (length, behind) = rest.split_first_chunk::<8>()?;
    let (part, behind) = behind.split_at_checked(u64::from_le_bytes(*length) as usize)?;
    *rest = behind;
    Some(part)
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

fn bytes_of(words: impl Iterator<Item = u32>) -> Vec<u8> {
    words.flat_map(u32::to_le_bytes).collect()
}

fn folder() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER
        .get_or_init(|| {
            let caches = private::user_caches()?;
            Some(caches.join("wherefore").join(format!("{}-{}", env!("CARGO_PKG_VERSION"), build_stamp())))
        })
        .as_deref()
}

/// Length and time of the library that this code is in: a new build does not find what an older one made.
fn build_stamp() -> String {
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: `dladdr` fills the structure if it knows the address, which is one of our own.
    let file = unsafe {
        if libc::dladdr(build_stamp as *const libc::c_void, info.as_mut_ptr()) == 0 {
            return String::new();
        }
        std::ffi::CStr::from_ptr(info.assume_init().dli_fname)
    };
    let metadata = fs::metadata(file.to_string_lossy().as_ref());
    let time = metadata.as_ref().ok().and_then(|m| m.modified().ok());
    let time = time.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    format!("{:x}-{:x}", metadata.map_or(0, |m| m.len()), time.map_or(0, |time| time.as_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_builds_go_the_newest_stay() {
        let all = tempfile::tempdir().unwrap();
        for build in ["1", "2", "3", "4", "5"] {
            fs::create_dir(all.path().join(build)).unwrap();
            fs::write(all.path().join(build).join("code"), build).unwrap();
            std::thread::sleep(Duration::from_millis(5));
        }
        let left = || {
            let mut names: Vec<_> = fs::read_dir(all.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        // No time at all: everything stays.
        remove_old(all.path(), 2, Instant::now() - Duration::from_secs(1));
        assert_eq!(left().len(), 5);
        make_folder(&all.path().join("6"));
        assert_eq!(left(), ["4", "5", "6"]);
        assert_eq!(fs::read_to_string(all.path().join("5/code")).unwrap(), "5");
        // Only who makes the folder removes.
        fs::create_dir(all.path().join("7")).unwrap();
        make_folder(&all.path().join("6"));
        assert_eq!(left(), ["4", "5", "6", "7"]);
    }
}
