//! Bytes ↔ model. `README.md` draws the bytes; each module holds one of the structures, its writer beside its reader.
//!
//! Nothing here trusts what it reads: a torn, truncated or corrupted input gives an error that says what is wrong, or the
//! part in front of the damage, and never a panic.

mod code_file;
mod error;
mod origins;
mod policy;
mod ring;
mod run_file;
mod settings;
mod sites;
mod text;
mod trace_file;
mod varint;
mod words;

pub use code_file::{CodeHash, CodeKind, CodeRecord, read_code_records};
pub use error::FormatError;
pub use origins::{Mapping, OriginSource, Original, Origins, SourceIndex, read_origins, write_origins};
pub use policy::{PolicyError, parse_policy, policy_text};
pub use ring::{ChunkStatus, Ring, RingInfo, RingLayout};
pub use run_file::{Outcome, RunFile};
pub use settings::RunSettings;
pub use sites::{read_site_table, write_site_table};
pub use text::{string_from_utf16, utf16_from_string};
pub use trace_file::{PREAMBLE, SegmentEntry, TraceInfo, TraceWriter, index_segments, read_segment, read_trace_info};
pub use words::{Counts, DecodeError, Shapes, SiteShape, decode, encode, skip, skip_all};

/// The version of everything in a run folder. A reader reads this and all older versions.
///
/// - 1: the first.
pub const VERSION: u32 = 1;
