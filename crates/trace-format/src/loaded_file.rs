//! `<pid>.loaded`: which files a process loaded, to whom they belong, and why it was decided so. Also those that are not recorded.

use trace_model::Origin;

use crate::lines::{escaped_field, unescaped};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadedFile {
    pub origin: Origin,
    /// In a few words.
    pub why: String,
    pub path: String,
}

impl LoadedFile {
    pub const ENDING: &'static str = "loaded";

    /// One line: origin, reason and path, with tabs between them.
    pub fn to_line(&self) -> String {
        let fields = [&self.origin.to_text(), &self.why, &self.path].map(|field| escaped_field(field));
        format!("{}\n", fields.join("\t"))
    }

    /// The whole lines of such a file; what is damaged is passed over.
    pub fn read(text: &str) -> Vec<LoadedFile> {
        let of_line = |line: &str| {
            let mut fields = line.splitn(3, '\t').map(unescaped);
            Some(LoadedFile { origin: Origin::parse(&fields.next()?)?, why: fields.next()?, path: fields.next()? })
        };
        let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
        whole.lines().filter_map(of_line).collect()
    }
}

/// The folders of packages that sources of the project name, one a line.
pub const EXPECTED_FILE: &str = "expected.txt";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_up_to_a_cut() {
        let loaded = |origin, path: &str| LoadedFile { origin, why: "asked for by a tool".into(), path: path.into() };
        let all = [
            loaded(Origin::Own, "/p/a.js"),
            loaded(Origin::Library("@a/b".into()), "/p/with\nline"),
            loaded(Origin::Tool("jest".into()), "/p/x.js"),
        ];
        let text: String = all.iter().map(LoadedFile::to_line).collect();
        assert_eq!(LoadedFile::read(&text), all);
        assert_eq!(LoadedFile::read(&text[..text.len() - 1]), all[..2]);
        assert_eq!(LoadedFile::read("nonsense\n"), []);
    }
}
