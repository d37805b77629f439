//! Cargo wants a file.
