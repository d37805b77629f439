use debugger::{SearchAnswer, SearchHit};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::asked::SearchKindJson;
use crate::parts::{PointJson, each, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct SearchJson {
    #[schemars(extend("const" = "search"))]
    #[ts(type = "\"search\"")]
    pub kind: &'static str,
    pub hits: Vec<SearchHitJson>,
    /// There are more of some kind.
    pub more: bool,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct SearchHitJson {
    pub kind: SearchKindJson,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Of a function its first call, of a write the write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<PointJson>,
}

impl From<&SearchAnswer> for SearchJson {
    fn from(answer: &SearchAnswer) -> SearchJson {
        SearchJson { kind: "search", hits: each(&answer.hits), more: answer.is_cut }
    }
}

impl From<&SearchHit> for SearchHitJson {
    fn from(hit: &SearchHit) -> SearchHitJson {
        SearchHitJson {
            kind: hit.kind.into(),
            text: hit.text.clone(),
            file: hit.file.clone(),
            line: hit.line,
            point: some(&hit.point),
        }
    }
}
