use debugger::{Child, Page, ScopeShown};
use schemars::JsonSchema;
use serde::Serialize;
use ts_rs::TS;

use crate::parts::{ValueJson, each, next};

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ScopesJson {
    #[schemars(extend("const" = "scopes"))]
    #[ts(type = "\"scopes\"")]
    pub kind: &'static str,
    /// Innermost first.
    pub scopes: Vec<ScopeJson>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ScopeJson {
    /// `local`, `closure` or `file`.
    pub scope: &'static str,
    /// The function that declares its variables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// By which its variables are asked for.
    pub handle: String,
    pub variables: usize,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ChildrenJson {
    #[schemars(extend("const" = "children"))]
    #[ts(type = "\"children\"")]
    pub kind: &'static str,
    pub children: Vec<ChildJson>,
    /// How many there are on all pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(as = "Option<u32>", optional)]
    pub all: Option<u64>,
    /// Where the list goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

#[derive(Serialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ChildJson {
    pub name: String,
    /// What the source writes behind the object to come to it: `.price`, `[0]`, `.get("pen")`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access: Option<String>,
    pub value: ValueJson,
    /// By which what is inside is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
}

impl From<&[ScopeShown]> for ScopesJson {
    fn from(scopes: &[ScopeShown]) -> ScopesJson {
        ScopesJson { kind: "scopes", scopes: each(scopes) }
    }
}

impl From<&ScopeShown> for ScopeJson {
    fn from(scope: &ScopeShown) -> ScopeJson {
        ScopeJson {
            scope: scope.kind.name(),
            function: scope.function.clone(),
            handle: scope.handle.to_string(),
            variables: scope.n_variables,
        }
    }
}

impl From<&Page<Child>> for ChildrenJson {
    fn from(page: &Page<Child>) -> ChildrenJson {
        ChildrenJson { kind: "children", children: each(&page.items), all: page.n_all, next: next(page) }
    }
}

impl From<&Child> for ChildJson {
    fn from(child: &Child) -> ChildJson {
        ChildJson {
            name: child.name.clone(),
            access: child.access.clone(),
            value: (&child.value).into(),
            handle: child.handle.as_ref().map(ToString::to_string),
        }
    }
}
