use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use trace_model::SiteKind;

use super::number::{optional_whole, whole};
use super::{FileName, FunctionHex};

super::object::only_objects!(Function, Site, Label);

/// A function of the program.
#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(rename = "Function")]
pub struct Function {
    pub file: FileName,
    pub function: FunctionHex,
    /// Where it begins, as people count.
    #[serde(deserialize_with = "whole")]
    #[schemars(range(min = 0, max = 4294967295u32))]
    pub line: u32,
    #[serde(deserialize_with = "whole")]
    #[schemars(range(min = 0, max = 4294967295u32))]
    pub column: u32,
}

/// A place in a function.
#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schemars(rename = "Site")]
pub struct Site {
    pub file: FileName,
    pub function: FunctionHex,
    /// Where the function begins: a bare position is known by its distance from there.
    #[serde(default, deserialize_with = "whole")]
    #[schemars(range(min = 0, max = 4294967295u32))]
    pub function_line: u32,
    #[serde(default, deserialize_with = "whole")]
    #[schemars(range(min = 0, max = 4294967295u32))]
    pub function_column: u32,
    /// Absent for a bare position, as a stack has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Which of the sites of this kind in the function, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "optional_whole")]
    #[schemars(range(min = 0, max = 4294967295u32))]
    pub nth: Option<u32>,
    #[serde(deserialize_with = "whole")]
    #[schemars(range(min = 0, max = 4294967295u32))]
    pub line: u32,
    #[serde(deserialize_with = "whole")]
    #[schemars(range(min = 0, max = 4294967295u32))]
    pub column: u32,
}

/// What a call led to: a function of the program, or `"foreign"`. Absent if nobody could tell.
#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
#[serde(untagged)]
pub enum Callee {
    Program(Function),
    Foreign(Foreign),
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Foreign {
    Foreign,
}

/// One step of a path.
#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
#[serde(remote = "Self", tag = "label", rename_all = "lowercase", deny_unknown_fields)]
#[schemars(rename = "Label")]
pub enum Label {
    /// The object of interest was born.
    Start {
        site: Site,
    },
    /// A condition was decided.
    Branch {
        site: Site,
        taken: bool,
    },
    Call {
        site: Site,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        callee: Option<Callee>,
    },
    Enter {
        function: Function,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        caller: Option<Function>,
    },
    Exit {
        function: Function,
        /// Known where the call itself is not on the path.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        caller: Option<Function>,
    },
    /// Control is back behind a call.
    Return {
        site: Site,
    },
    /// A property of the object of interest was written or removed.
    Write {
        site: Site,
    },
    /// The event loop began something new.
    Task {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        registered_at: Option<Site>,
    },
    Crash {
        site: Site,
    },
}

/// What kind of site it is, by its name in the trace model.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Kind(pub SiteKind);

impl TryFrom<String> for Kind {
    type Error = String;

    fn try_from(name: String) -> Result<Kind, String> {
        let known = SiteKind::ALL.iter().find(|kind| kind.name() == name);
        known.map(|kind| Kind(*kind)).ok_or_else(|| "unknown kind of site".to_owned())
    }
}

impl From<Kind> for String {
    fn from(kind: Kind) -> String {
        kind.0.name().to_owned()
    }
}

impl JsonSchema for Kind {
    fn schema_name() -> Cow<'static, str> {
        "Kind".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = SiteKind::ALL.iter().map(|kind| kind.name()).collect();
        json_schema!({ "type": "string", "enum": names })
    }
}
