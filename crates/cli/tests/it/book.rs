//! The book in docs/: its transcripts are run, and its pages and links are there. `TRYCMD=overwrite cargo test -p cli --test book`
//! rewrites the transcripts; a person reads the diff. Needs the addon (`cargo xtask build`).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn book() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("../../docs/*.md").case("../../docs/questions/*.md");
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = fs::read_to_string(book().join("SUMMARY.md")).unwrap();
    let listed: BTreeSet<PathBuf> = links(&summary).map(PathBuf::from).collect();
    let pages = pages();
    let pages: BTreeSet<PathBuf> = pages.iter().map(|page| page.strip_prefix(book()).unwrap().to_owned()).collect();
    assert_eq!(listed, pages);
}

#[test]
fn every_link_leads_somewhere() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let folder = page.parent().unwrap();
        let included = text.match_indices("{{#include ").map(|(at, start)| {
            let rest = &text[at + start.len()..];
            rest.split("}}").next().unwrap()
        });
        for link in links(&text).chain(included).filter(|link| !link.contains("://") && !link.starts_with('#')) {
            let file = link.split('#').next().unwrap();
            assert!(folder.join(file).exists(), "{}: {link}", page.display());
        }
    }
}

/// What is in round brackets behind square ones.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("](").filter_map(|(at, start)| text[at + start.len()..].split(')').next())
}

/// All but the summary.
fn pages() -> Vec<PathBuf> {
    let in_folder = |folder: &Path| {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|file| file.extension().is_some_and(|ending| ending == "md")).collect::<Vec<_>>()
    };
    let mut pages = in_folder(&book());
    pages.extend(in_folder(&book().join("questions")));
    pages.retain(|page| !page.ends_with("SUMMARY.md"));
    pages
}
