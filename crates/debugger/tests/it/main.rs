//! The façade, asked about real programs. One program, so that it is linked once.

mod kept_runs;
mod key_order;
mod large_objects;
mod live;
mod moving;
mod opening;
mod pages;
mod recording;
mod sessions;
