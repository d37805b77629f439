//! Times, as they are stored and shown.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

/// `2026-11-17T19:30:00Z`.
pub fn shown(milliseconds: i64) -> String {
    let since = Duration::from_millis(milliseconds.max(0) as u64);
    humantime::format_rfc3339_seconds(UNIX_EPOCH + since).to_string()
}
