//! What V8 counts for coverage: ranges of the instrumented text. Node writes them into files for `NODE_V8_COVERAGE`, when it is asked to
//! and at the end, and a program can ask for them by a session of the inspector; both are shown the ranges of the original, and none of ours.
//!
//! Only the branches and ends of our own text are in the way, as each of them is a range to V8. They lie inside insertions, and so
//! are empty in the original. Where V8 has the rest of a block behind a statement, our text is behind the last statement too: such a
//! rest is blank in the original, where V8 would not have told of it.

use std::ffi::{CStr, c_char, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Once, OnceLock};

use instrument::Renamed;
use serde::{Deserialize, Serialize};

use crate::code;
use crate::detour::{Moved, NotMoved, as_function};
use crate::guard::{self, Failing};
use crate::offsets::OriginalOffsets;
use crate::settings;
use crate::v8::{Local, address_of};
use source_map::url::plain_path;

/// From now on; code in `own_folder` is ours. Node writes also when no JavaScript can be called any more.
pub fn watch(own_folder: &str) {
    OWN_FOLDER.get_or_init(|| own_folder.to_owned());
    let Ok(write) = WRITE.get_or_init(find) else { return };
    // SAFETY: ours have the signatures of theirs. Nothing is written yet.
    LEAD.call_once(|| unsafe {
        match write {
            Write::Text(texts) => texts.moved.lead_to(write_text as *const c_void),
            Write::Parts(_, moved) => moved.lead_to(write_parts as *const c_void),
        };
    });
}

/// Whether this Node has all that is needed. To be asked once, before anything is changed.
pub fn try_out() -> Result<(), NotMoved> {
    WRITE.get_or_init(find).as_ref().map(drop).map_err(Clone::clone)
}

/// The list of scripts that V8 answered, as it would be for the original. `None` where it is not as we know it.
pub fn original_list(scripts: &str, own_folder: &str) -> Option<String> {
    let mut scripts: Vec<Script> = serde_json::from_str(scripts).ok()?;
    put_scripts_right(&mut scripts, own_folder);
    serde_json::to_string(&scripts).ok()
}

static WRITE: OnceLock<Result<Write, NotMoved>> = OnceLock::new();
static OWN_FOLDER: OnceLock<String> = OnceLock::new();
static LEAD: Once = Once::new();

/// What Node writes such a file with.
enum Write {
    Text(Texts),
    Parts(WriteParts, Moved),
}

/// `uv_buf_t`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Buffer {
    bytes: *const u8,
    length: usize,
}

/// Node 20.
struct Texts {
    write: WriteText,
    write_bytes: unsafe extern "C" fn(path: *const c_char, bytes: Buffer) -> i32,
    length: unsafe extern "C" fn(text: Local, isolate: *mut c_void) -> i32,
    copy: unsafe extern "C" fn(text: Local, isolate: *mut c_void, to: *mut u8, room: i32, *mut i32, flags: i32) -> i32,
    moved: Moved,
}

type WriteText = unsafe extern "C" fn(isolate: *mut c_void, path: *const c_char, text: Local) -> i32;
type WriteParts = unsafe extern "C" fn(path: *const c_char, parts: *const Buffer, n: usize) -> i32;

fn find() -> Result<Write, NotMoved> {
    let found = |name: &CStr| address_of(name).ok_or_else(|| NotMoved::Missing(name.to_string_lossy().into_owned()));
    // SAFETY: the mangled names carry the signatures, and all such functions return a number.
    unsafe {
        let in_parts = c"_ZN4node13WriteFileSyncEPKcP8uv_buf_tm";
        if address_of(in_parts).is_some() {
            let moved = Moved::named(in_parts)?;
            return Ok(Write::Parts(as_function(moved.original), moved));
        }
        let moved = Moved::named(c"_ZN4node13WriteFileSyncEPN2v87IsolateEPKcNS0_5LocalINS0_6StringEEE")?;
        Ok(Write::Text(Texts {
            write: as_function(moved.original),
            write_bytes: as_function(found(c"_ZN4node13WriteFileSyncEPKc8uv_buf_t")?),
            length: as_function(found(c"_ZNK2v86String10Utf8LengthEPNS_7IsolateE")?),
            copy: as_function(found(c"_ZNK2v86String9WriteUtf8EPNS_7IsolateEPciPii")?),
            moved,
        }))
    }
}

/// Nothing leads here before it is set.
fn watching() -> Option<(&'static Write, &'static str)> {
    Some((WRITE.get()?.as_ref().ok()?, OWN_FOLDER.get()?))
}

/// What libuv gives for a call that it does not know.
const NOT_SUPPORTED: i32 = -libc::ENOTSUP;

unsafe extern "C" fn write_text(isolate: *mut c_void, path: *const c_char, text: Local) -> i32 {
    let Some((Write::Text(texts), own_folder)) = watching() else { return NOT_SUPPORTED };
    // SAFETY: Node gives what it would have written; so below. The buffer has room for the length that was asked for before.
    unsafe {
        let changed = || {
            is_coverage(CStr::from_ptr(path)).then_some(())?;
            let length = (texts.length)(text, isolate);
            let mut bytes = vec![0; usize::try_from(length).ok()?];
            (texts.copy)(text, isolate, bytes.as_mut_ptr(), length, std::ptr::null_mut(), 0);
            put_right(&bytes, own_folder)
        };
        match guard::enter(guard::COVERAGE_TEXT, Failing::TriesAgain, changed, || None) {
            Some(right) => (texts.write_bytes)(path, Buffer { bytes: right.as_ptr(), length: right.len() }),
            None => (texts.write)(isolate, path, text),
        }
    }
}

unsafe extern "C" fn write_parts(path: *const c_char, parts: *const Buffer, n: usize) -> i32 {
    let Some((Write::Parts(write, _), own_folder)) = watching() else { return NOT_SUPPORTED };
    // SAFETY: as above.
    unsafe {
        let changed = || {
            is_coverage(CStr::from_ptr(path)).then_some(())?;
            let given = std::slice::from_raw_parts(parts, n).iter();
            let whole = given.flat_map(|part| std::slice::from_raw_parts(part.bytes, part.length)).copied();
            put_right(&whole.collect::<Vec<u8>>(), own_folder)
        };
        match guard::enter(guard::COVERAGE_PARTS, Failing::TriesAgain, changed, || None) {
            Some(right) => write(path, &Buffer { bytes: right.as_ptr(), length: right.len() }, 1),
            None => write(path, parts, n),
        }
    }
}

fn is_coverage(path: &CStr) -> bool {
    let name = path.to_str().ok().and_then(|path| Path::new(path).file_name()?.to_str());
    name.is_some_and(|name| name.starts_with("coverage-") && name.ends_with(".json"))
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Script {
    script_id: String,
    url: String,
    functions: Vec<Function>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Function {
    function_name: String,
    ranges: Vec<Range>,
    is_block_coverage: bool,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Range {
    start_offset: usize,
    end_offset: usize,
    count: u64,
}

const OPENING: &str = "{\"result\":";
/// The name of what our runtime compiles without a file.
const OWN_NAME: &str = "wherefore:";

/// `None` where it is not as we know it.
fn put_right(bytes: &[u8], own_folder: &str) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let after = text.strip_prefix(OPENING)?;
    let mut stream = serde_json::Deserializer::from_str(after).into_iter::<Vec<Script>>();
    let mut scripts = stream.next()?.ok()?;
    let mut rest = after[stream.byte_offset()..].to_owned();
    for (url, offsets) in put_scripts_right(&mut scripts, own_folder) {
        rest = with_line_lengths(&rest, &url, &offsets);
    }
    Some(format!("{OPENING}{}{rest}", serde_json::to_string(&scripts).ok()?).into_bytes())
}

/// Those that are instrumented are returned.
fn put_scripts_right(scripts: &mut Vec<Script>, own_folder: &str) -> Vec<(String, OriginalOffsets)> {
    scripts.retain(|script| !is_own(&script.url, own_folder));
    let put_right = |script: &mut Script| {
        let offsets = code::original_offsets(&script.url)?;
        let renamed = code::renamed_by_offset(&script.url);
        script.functions.iter_mut().for_each(|function| put_name_right(function, &renamed));
        script.functions = original_functions(std::mem::take(&mut script.functions), &offsets);
        Some((script.url.clone(), offsets))
    };
    scripts.iter_mut().filter_map(put_right).collect()
}

/// V8 infers another name for a function without one than in the original.
fn put_name_right(function: &mut Function, renamed: &[(usize, Renamed)]) {
    let Some(whole) = function.ranges.first() else { return };
    let Ok(found) = renamed.binary_search_by_key(&whole.start_offset, |(start, _)| *start) else { return };
    let (_, names) = &renamed[found];
    if names.here == function.function_name {
        function.function_name.clone_from(&names.plain);
    }
}

fn is_own(url: &str, own_folder: &str) -> bool {
    let path = plain_path(url);
    let run = settings::get().and_then(|settings| settings.folder.as_ref());
    let is_preload = |run: &PathBuf| Path::new(&path).parent() == Some(run) && path.ends_with("/preload.cjs");
    path.starts_with(own_folder) || url.starts_with(OWN_NAME) || run.is_some_and(is_preload)
}

/// V8 tells of a function that was not called if the one around it was, or if blocks of it were.
fn original_functions(functions: Vec<Function>, offsets: &OriginalOffsets) -> Vec<Function> {
    let mut around: Vec<Range> = Vec::new();
    let mut made = Vec::with_capacity(functions.len());
    for mut function in functions {
        let n_before = function.ranges.len();
        function.ranges = original_ranges(&function.ranges, offsets);
        let Some(&own) = function.ranges.first() else { continue };
        while around.last().is_some_and(|parent| parent.end_offset <= own.start_offset) {
            around.pop();
        }
        let is_within_called = around.last().is_some_and(|parent| parent.count > 0);
        let had_blocks_of_ours = function.ranges.len() == 1 && n_before > 1;
        around.push(own);
        if own.count > 0 || is_within_called || !had_blocks_of_ours {
            made.push(function);
        }
    }
    made
}

/// The first range is that of the function itself; others lie in it, in the order of their starts. Nothing if the function is ours.
fn original_ranges(ranges: &[Range], offsets: &OriginalOffsets) -> Vec<Range> {
    let mut made: Vec<Range> = Vec::with_capacity(ranges.len());
    // Those that are not ended yet, and the last that was.
    let mut around: Vec<usize> = Vec::new();
    for (n, range) in ranges.iter().enumerate() {
        let (start, end) = (original_start(range.start_offset, offsets), offsets.of(range.end_offset));
        let has_own_text = end - start.min(end) != range.end_offset - range.start_offset;
        if start >= end || (n > 0 && has_own_text && offsets.is_blank(start, end)) {
            if n == 0 {
                return Vec::new();
            }
            continue;
        }
        let mut ended = None;
        while let Some(&last) = around.last()
            && made[last].end_offset <= start
        {
            ended = around.pop();
        }
        let found = Range { start_offset: start, end_offset: end, count: range.count };
        // V8 joins what is beside each other and was run as often, and does not tell of what was run as often as what it is in.
        if let Some(before) =
            ended.filter(|&before| made[before].end_offset == start && made[before].count == found.count)
        {
            made[before].end_offset = end;
            around.push(before);
        } else if around.last().is_none_or(|&parent| made[parent].count != found.count) {
            around.push(made.len());
            made.push(found);
        }
    }
    made
}

/// What follows an `await` or `yield` begins behind the semicolon, if that follows at once; with us something is closed before it.
fn original_start(start: usize, offsets: &OriginalOffsets) -> usize {
    let original = offsets.of(start);
    let is_before_semicolon = offsets.begins_insertion(start) && offsets.is_at(original, b';');
    original + usize::from(is_before_semicolon)
}

/// The lengths of the lines of a script with a source map are told beside it.
fn with_line_lengths(rest: &str, url: &str, offsets: &OriginalOffsets) -> String {
    let start = format!("{}:{{\"lineLengths\":[", serde_json::Value::from(url));
    let Some(at) = rest.find(&start).map(|at| at + start.len()) else { return rest.to_owned() };
    let Some(length) = rest[at..].find(']') else { return rest.to_owned() };
    let lengths: Vec<String> = offsets.line_lengths().iter().map(ToString::to_string).collect();
    format!("{}{}{}", &rest[..at], lengths.join(","), &rest[at + length..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start_offset: usize, end_offset: usize, count: u64) -> Range {
        Range { start_offset, end_offset, count }
    }

    #[test]
    fn ranges_of_our_own_text_are_left_out() {
        // `{a ? b : c }`, with 10 units of ours before the `a`, and 5 before the last brace.
        let offsets = OriginalOffsets::new("{a ? b : c }", [(1, 10), (11, 5)]);
        let ranges = [range(0, 27, 1), range(3, 8, 0), range(13, 16, 0), range(20, 26, 0)];
        assert_eq!(original_ranges(&ranges, &offsets), [range(0, 12, 1), range(3, 6, 0)]);
        assert!(original_ranges(&[range(3, 8, 0)], &offsets).is_empty());
    }

    #[test]
    fn a_semicolon_belongs_to_what_waits() {
        // `{await x; y}`
        let offsets = OriginalOffsets::new("{await x; y}", [(8, 2)]);
        assert_eq!(original_ranges(&[range(0, 14, 1), range(8, 13, 0)], &offsets), [range(0, 12, 1), range(9, 11, 0)]);
    }

    #[test]
    fn what_our_text_kept_apart_is_joined() {
        let offsets = OriginalOffsets::new("{abcd}", [(3, 4)]);
        let ranges = [range(0, 10, 2), range(1, 3, 0), range(7, 9, 0)];
        assert_eq!(original_ranges(&ranges, &offsets), [range(0, 6, 2), range(1, 5, 0)]);
    }
}
