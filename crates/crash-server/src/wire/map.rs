use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::number::{whole, within};

super::object::only_objects!(SourceMap);

/// A source map, version 3. It may have more than this.
#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
#[serde(remote = "Self", rename_all = "camelCase")]
#[schemars(rename = "SourceMap")]
pub struct SourceMap {
    #[serde(deserialize_with = "three")]
    #[schemars(range(min = 3, max = 3))]
    pub version: u32,
    /// Segments of one, four or five numbers, each in digits of base 64 of which the last is one of A to f.
    #[schemars(regex(
        pattern = r"^(?:(?:[g-z0-9+/]*[A-Za-f](?:(?:[g-z0-9+/]*[A-Za-f]){3}(?:[g-z0-9+/]*[A-Za-f])?)?)?[,;])*(?:[g-z0-9+/]*[A-Za-f](?:(?:[g-z0-9+/]*[A-Za-f]){3}(?:[g-z0-9+/]*[A-Za-f])?)?)?$"
    ))]
    pub mappings: String,
    pub sources: Vec<Option<String>>,
    #[serde(default)]
    pub names: Option<Vec<String>>,
    #[serde(default)]
    pub source_root: Option<String>,
    #[serde(default)]
    pub sources_content: Option<Vec<Option<String>>>,
}

fn three<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    within(whole(from)?, 3, 3)
}
