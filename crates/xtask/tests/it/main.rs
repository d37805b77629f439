//! Rules about the whole repository.

mod contract;
mod dependencies;
mod facade;
mod layers;
mod licences;
mod lints;
mod no_javascript;
mod private;
mod removing;
mod versions;
