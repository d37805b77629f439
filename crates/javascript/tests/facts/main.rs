//! What `javascript::JavaScript` tells of a text belongs to the sites that the instrumenter made of it: every site is found, and
//! depends on the branches that a person would name.

mod dependences;
mod expressions;
mod real_files;
mod typed;
mod words;
