//! The first word of an event: `site (28 bits) | tag (4)`, or for a record `arg (20) | record (8) | tag 15`.

use super::tag;

pub const TAG_BITS: u32 = 4;
pub const TAG_MASK: u32 = (1 << TAG_BITS) - 1;
pub const RECORD_MASK: u32 = 0xFF;
pub const ARGUMENT_SHIFT: u32 = 12;
/// In the argument of a look, beside the class: entries were left out.
pub const LOOK_CUT: u32 = 16;
/// The argument of a gap: the disk was full.
pub const GAP_DISK_FULL: u32 = 1;

pub const fn of_record(record: u32, argument: u32) -> u32 {
    argument << ARGUMENT_SHIFT | record << TAG_BITS | tag::RECORD
}

/// What JavaScript must know of it. The number of a site is in its text with room for the tag.
pub(super) const LAYOUT: &[(&str, u32)] =
    &[("SITE_SHIFT", TAG_BITS), ("ARGUMENT_SHIFT", ARGUMENT_SHIFT), ("LOOK_CUT", LOOK_CUT << ARGUMENT_SHIFT)];
