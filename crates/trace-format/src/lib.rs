//! Bytes ↔ model. `README.md` draws the bytes; each module holds one of the structures, its writer beside its reader.
//!
//! Nothing here trusts what it reads: a torn, truncated or corrupted input gives an error that says what is wrong, or the
//! part in front of the damage, and never a panic.

mod code_file;
mod error;
mod export_file;
mod file_filter;
mod index;
mod line_counts;
mod lines;
mod live;
mod loaded_file;
mod origins;
mod policy;
pub mod private;
mod relative;
mod ring;
mod run_file;
mod settings;
mod sites;
mod supported;
mod tests_file;
mod times;
mod trace_file;
mod varint;

pub use code_file::{CodeHash, CodeRecord, next_code_record, read_code_records};
pub use error::FormatError;
pub use event_encoding::{Counts, DecodeError, Shapes, SiteShape, encode, has_events};
pub use export_file::{ExportReader, ExportWriter, is_name_of_run};
pub use file_filter::{FileFilter, PatternError};
pub use index::{BlockDetails, DetailsView, IndexEntry, IndexWriter, OpenFrame, ScopeRecord, index_paths, read_index};
pub use line_counts::{FileLines, LineCounts, read_line_counts, write_line_counts};
pub use live::LiveReport;
pub use loaded_file::{EXPECTED_FILE, LoadedFile};
pub use origins::{Mapping, OriginSource, Original, Origins, SourceIndex, read_origins, write_origins};
pub use policy::{PolicyError, parse_policy, policy_text};
pub use relative::{
    AssumedFrame, ConcernedObjects, FrameOrigin, OpenCalls, RecordKinds, RelativeFrame, RelativeOutline, RelativeScope,
    ScopeAround, WayToFrame,
};
pub use ring::{ChunkStatus, Ring, RingInfo, RingLayout};
pub use run_file::{ProgramExit, RunFile};
pub use settings::{RunSettings, StopAction, StopWish};
pub use sites::{read_site_table, write_site_table};
pub use supported::NODE_VERSIONS;
pub use tests_file::{TestError, TestOutcome, TestRecord, TimeLimit, read_tests, tests_are_sound};
pub use times::{TimeMark, TimesWriter, WordPosition, read_times};
pub use trace_file::{
    Dropped, PREAMBLE, PackedChunk, Packer, PartOfChunk, PartReader, SEGMENT_WORDS, SegmentEntry, TRACE_FILE_HEADER,
    TraceInfo, TraceWriter, index_segments, index_segments_from, read_generation, read_outline, read_segment,
    read_segment_into, read_trace_info,
};
pub use trace_model::{CodeKind, string_from_utf16, utf16_from_string};

/// The version of everything in a run folder. What came before it was never released, and is not read.
pub const VERSION: u32 = 5;
