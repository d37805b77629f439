//! Texts of bounded length, of certain characters only.

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use regex::Regex;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

macro_rules! texts {
    ($($(#[doc = $doc:literal])* $name:ident: $pattern:literal, $length:expr;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<$name, String> {
                static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new($pattern).expect("a pattern of ours"));
                let n_letters = text.chars().count();
                if !$length.contains(&n_letters) || !PATTERN.is_match(&text) {
                    // The text itself may be what must not be told.
                    return Err(format!("it must match {} and have {} to {} letters", $pattern, $length.start(), $length.end()));
                }
                Ok($name(text))
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> String {
                text.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "string",
                    "pattern": $pattern,
                    "minLength": $length.start(),
                    "maxLength": $length.end(),
                    "description": concat!($($doc),*).trim(),
                })
            }
        }
    )*};
}

texts! {
    /// A UUID of version 4, drawn for each report; by it a report that is sent again is known.
    ReportId: "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$", (36..=36);
    /// A release of the program, as its operator names it.
    Release: "^[0-9A-Za-z][0-9A-Za-z._+-]*$", (1..=100);
    /// Given out with a policy.
    PolicyId: "^[0-9a-f]{8}-[0-9a-f]{16}$", (25..=25);
    /// The version of Node.js.
    NodeVersion: "^[0-9A-Za-z.+-]+$", (1..=40);
    /// The name of a type, never a message; empty if what was thrown was no error.
    ExceptionName: r"^[^\x00-\x20\x7f]*$", (0..=100);
    /// A name that a file has wherever the program is installed.
    FileName: r"^[^\x00-\x1f\x7f]+$", (1..=400);
    /// What names a function in every release: 16 hexadecimal digits.
    FunctionHex: "^[0-9a-f]{16}$", (16..=16);
    /// What the exception said. Agents send it only where their operator asked for it.
    Message: r"^[^\x00]*$", (0..=1000);
    /// A bug, as the server names it.
    BugId: "^[0-9a-f]{12}$", (12..=12);
    /// A place in the list of bugs, as the page before it gave it.
    BugCursor: "^[0-9]{1,15}-[0-9a-f]{12}$", (14..=28);
    /// A part of what a bug is found by: exception, file, message, release or id.
    Search: r"^[^\x00]*$", (0..=200);
}
