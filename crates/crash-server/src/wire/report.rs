use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};

use super::number::{whole, within};
use super::{ExceptionName, Function, Label, MAX_LABELS, Message, NodeVersion, PolicyId, Release, ReportId, Site};

super::object::only_objects!(Report, Spent);

/// One crash of the program of one user.
#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(rename = "Report")]
pub struct Report {
    pub version: Version,
    pub id: ReportId,
    pub release: Release,
    /// A number that the agent drew for its installation.
    #[serde(deserialize_with = "cohort")]
    #[schemars(range(min = 0, max = 999))]
    pub cohort: u16,
    /// The policy in force, if there was one.
    #[serde(default)]
    pub policy: Option<PolicyId>,
    pub node: NodeVersion,
    pub exception: ExceptionName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// Where the functions of the program stood, innermost first.
    #[serde(deserialize_with = "at_most::<256, _, _>")]
    #[schemars(length(max = 256))]
    pub stack: Vec<Site>,
    /// Oldest first, ending with the crash.
    #[serde(deserialize_with = "at_most::<MAX_LABELS, _, _>")]
    #[schemars(length(max = 4096))]
    pub labels: Vec<Label>,
    /// Older labels were dropped.
    pub cut: bool,
    /// Functions that can tell where the object of interest came from.
    #[serde(default, deserialize_with = "at_most::<256, _, _>")]
    #[schemars(length(max = 256))]
    pub wanted: Vec<Function>,
    /// Why there are no labels although something was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<Lost>,
    pub spent: Spent,
}

/// What became of the search for a path.
#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Lost {
    /// It took longer than the agent may take.
    Late,
    /// The process that searched ended.
    Failed,
}

/// What recording cost this user.
#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(rename = "Spent")]
pub struct Spent {
    #[serde(deserialize_with = "events")]
    #[schemars(range(min = 0, max = 9007199254740991i64))]
    pub events: u64,
    /// How long the program ran.
    #[serde(deserialize_with = "seconds")]
    #[schemars(range(min = 0, max = 1000000000))]
    pub seconds: f64,
    /// How much of it the recorder took.
    #[serde(deserialize_with = "seconds")]
    #[schemars(range(min = 0, max = 1000000000))]
    pub recorder_seconds: f64,
}

/// The answer to a report that was taken.
#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
pub struct Taken {
    pub status: Verdict,
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is stored for good.
    Accepted,
    /// A report with this id was stored before; this one was not.
    Known,
}

/// The only version that there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Version(u8);

impl Version {
    pub const ONE: Version = Version(1);
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Version, D::Error> {
        match whole::<u64, _>(from)? {
            1 => Ok(Version::ONE),
            other => Err(de::Error::custom(format!("version {other}; this server takes version 1"))),
        }
    }
}

impl JsonSchema for Version {
    fn schema_name() -> Cow<'static, str> {
        "Version".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "const": 1 })
    }
}

fn cohort<'de, D: Deserializer<'de>>(from: D) -> Result<u16, D::Error> {
    within(whole(from)?, 0, super::COHORTS - 1)
}

fn events<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    within(whole(from)?, 0, 9_007_199_254_740_991)
}

fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    within(f64::deserialize(from)?, 0.0, 1e9)
}

fn at_most<'de, const N: usize, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    let items = Vec::deserialize(from)?;
    match items.len() <= N {
        true => Ok(items),
        false => Err(de::Error::custom(format!("it has more than {N} items"))),
    }
}
