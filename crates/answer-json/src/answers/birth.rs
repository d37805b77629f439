use debugger::{BirthAnswer, BirthKind};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{PointJson, ValueJson, some};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct BirthJson {
    pub kind: BirthKindJson,
    pub place: String,
    pub value: ValueJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<PointJson>,
}

#[derive(Serialize, JsonSchema, TS)]
#[serde(rename_all = "kebab-case")]
pub enum BirthKindJson {
    Made,
    /// A built-in, code that is not recorded or a class without a constructor made it.
    FirstSeen,
    NoObject,
    NotCaptured,
}

impl From<&BirthAnswer> for BirthJson {
    fn from(answer: &BirthAnswer) -> BirthJson {
        BirthJson {
            kind: answer.kind.into(),
            place: answer.place.clone(),
            value: (&answer.value).into(),
            point: some(&answer.point),
        }
    }
}

impl From<BirthKind> for BirthKindJson {
    fn from(kind: BirthKind) -> BirthKindJson {
        match kind {
            BirthKind::Made => BirthKindJson::Made,
            BirthKind::FirstSeen => BirthKindJson::FirstSeen,
            BirthKind::NoObject => BirthKindJson::NoObject,
            BirthKind::NotCaptured => BirthKindJson::NotCaptured,
        }
    }
}
