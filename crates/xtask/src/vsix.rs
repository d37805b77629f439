//! The extension of VS Code as a file that it installs: a zip with what `editors/vscode` holds, and two lists of that.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::paths;

/// Packs `editors/vscode`, and gives where the file is.
pub fn pack() -> Result<PathBuf> {
    let folder = paths::root().join("editors/vscode");
    let about = fs::read_to_string(folder.join("package.json"))?;
    let field = |name: &str| field(&about, name).with_context(|| format!("editors/vscode/package.json has no {name}"));
    let (name, version, publisher) = (field("name")?, field("version")?, field("publisher")?);
    let (title, description) = (field("displayName")?, field("description")?);
    let manifest = MANIFEST
        .replace("NAME", &name)
        .replace("VERSION", &version)
        .replace("PUBLISHER", &publisher)
        .replace("TITLE", &title)
        .replace("DESCRIPTION", &description);
    let mut archive = Archive::default();
    archive.add("extension.vsixmanifest", manifest.as_bytes());
    archive.add("[Content_Types].xml", TYPES.as_bytes());
    for file in files(&folder)? {
        let path = file.strip_prefix(&folder)?.to_str().context("files have plain names")?;
        archive.add(&format!("extension/{path}"), &fs::read(&file)?);
    }
    archive.add("extension/LICENSE.txt", &fs::read(paths::root().join("LICENSE-MIT"))?);
    let packed = paths::root().join("target/dist").join(format!("{name}-{version}.vsix"));
    fs::create_dir_all(packed.parent().context("it is in a folder")?)?;
    fs::write(&packed, archive.finish()).with_context(|| format!("{} cannot be written", packed.display()))?;
    Ok(packed)
}

/// A text of the top level of a JSON file of ours, where each has a line of its own.
fn field(json: &str, name: &str) -> Option<String> {
    let start = format!("  \"{name}\": \"");
    let line = json.lines().find_map(|line| line.strip_prefix(&start))?;
    line.trim_end_matches(',').strip_suffix('"').map(str::to_owned)
}

/// All files, in an order that is always the same.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => found.extend(files(&path)?),
            false => found.push(path),
        }
    }
    found.sort();
    Ok(found)
}

const MANIFEST: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="NAME" Version="VERSION" Publisher="PUBLISHER" />
    <DisplayName>TITLE</DisplayName>
    <Description xml:space="preserve">DESCRIPTION</Description>
    <Categories>Debuggers,Testing</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="^1.93.0" />
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
"#;

const TYPES: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json" />
  <Default Extension=".js" ContentType="application/javascript" />
  <Default Extension=".md" ContentType="text/markdown" />
  <Default Extension=".txt" ContentType="text/plain" />
  <Default Extension=".vsixmanifest" ContentType="text/xml" />
</Types>
"#;

/// A zip file. Its parts are a few kilobytes each, and stand in it as they are.
#[derive(Default)]
struct Archive {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    n_files: u16,
}

impl Archive {
    fn add(&mut self, name: &str, content: &[u8]) {
        let offset = self.bytes.len() as u32;
        let mut common = Vec::new();
        // Version 2.0, names in UTF-8, not compressed, 1 January 1980: the same files give the same bytes.
        for field in [20u16, 1 << 11, 0, 0, 0x21] {
            common.extend(field.to_le_bytes());
        }
        let length = content.len() as u32;
        for field in [crc32fast::hash(content), length, length] {
            common.extend(field.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend(0u16.to_le_bytes());
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&common);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(content);
        self.directory.extend(b"PK\x01\x02\x14\x00");
        self.directory.extend(&common);
        // No comment, disk 0, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.n_files += 1;
    }

    fn finish(mut self) -> Vec<u8> {
        let start = self.bytes.len() as u32;
        self.bytes.extend(&self.directory);
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend(self.n_files.to_le_bytes());
        self.bytes.extend(self.n_files.to_le_bytes());
        self.bytes.extend((self.directory.len() as u32).to_le_bytes());
        self.bytes.extend(start.to_le_bytes());
        self.bytes.extend(0u16.to_le_bytes());
        self.bytes
    }
}
