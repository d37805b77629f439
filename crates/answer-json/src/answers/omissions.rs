use debugger::{OmissionShown, OmissionsAnswer};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, SourceLineJson, ValueJson, each, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct OmissionsJson {
    #[schemars(extend("const" = "omissions"))]
    #[ts(type = "\"omissions\"")]
    pub kind: &'static str,
    pub about: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<ValueJson>,
    /// Best first.
    pub results: Vec<OmissionJson>,
    pub n_more: usize,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct OmissionJson {
    pub reason: &'static str,
    pub branch: PointJson,
    pub text: String,
    pub operation: SourceLineJson,
    pub filled_in: String,
    pub chain: Vec<SourceLineJson>,
    pub certainty: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<String>,
    pub n_also: usize,
    pub n_more_times: usize,
}

impl From<&OmissionsAnswer> for OmissionsJson {
    fn from(answer: &OmissionsAnswer) -> OmissionsJson {
        OmissionsJson {
            kind: "omissions",
            about: answer.about.clone(),
            object: some(&answer.object),
            results: each(&answer.results),
            n_more: answer.n_more,
        }
    }
}

impl From<&OmissionShown> for OmissionJson {
    fn from(result: &OmissionShown) -> OmissionJson {
        OmissionJson {
            reason: result.reason.name(),
            branch: (&result.branch).into(),
            text: result.text.clone(),
            operation: (&result.operation).into(),
            filled_in: result.filled_in.clone(),
            chain: each(&result.chain),
            certainty: result.certainty.name(),
            others: result.others.clone(),
            n_also: result.n_also,
            n_more_times: result.n_more_times,
        }
    }
}
