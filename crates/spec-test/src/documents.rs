//! The files under `specs/`.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::markdown::sections;
use crate::spec::{Spec, spec};

/// A file of specifications.
pub struct Document {
    pub path: PathBuf,
    /// `last-change/variables`.
    pub name: String,
    pub specs: Vec<Spec>,
}

/// The folder with the specifications of this repository.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs")
}

/// All documents in a folder of features, by name. What is not in the folder of a feature is about the specifications.
pub fn documents(folder: &Path) -> Result<Vec<Document>, String> {
    let mut documents = Vec::new();
    for feature in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
        for path in entries(&feature)?.into_iter().filter(|path| path.extension().is_some_and(|end| end == "md")) {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let specs = parse(&text).map_err(|problem| format!("{}: {problem}", path.display()))?;
            let name = path.strip_prefix(folder).unwrap_or(&path).with_extension("").display().to_string();
            documents.push(Document { path, name, specs });
        }
    }
    Ok(documents)
}

/// The tests of a document. Their headings differ: a test is known by its heading.
pub fn parse(text: &str) -> Result<Vec<Spec>, String> {
    let mut specs = Vec::new();
    let mut headings = HashSet::new();
    for section in sections(text)? {
        if let Some(spec) = spec(&section)? {
            if !headings.insert(section.heading.clone()) {
                return Err(format!("there are two tests {:?}", section.heading));
            }
            specs.push(spec);
        }
    }
    Ok(specs)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let read = || -> io::Result<Vec<PathBuf>> { fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect() };
    let mut paths = read().map_err(|error| format!("{}: {error}", folder.display()))?;
    paths.sort();
    Ok(paths)
}
