//! The façade, asked about real programs. One program, so that it is linked once.

mod key_order;
mod large_objects;
mod live;
mod moving;
mod old_runs;
mod opening;
mod pages;
mod recording;
mod sessions;
