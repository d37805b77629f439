//! The page is built before this crate, or not at all; when it is built anew, or for the first time, it is embedded anew.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
