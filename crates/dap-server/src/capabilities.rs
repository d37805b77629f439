//! What this adapter can do, as clients are told.

use serde_json::{Value, json};

pub const EVERYTHING_THROWN: &str = "all";
pub const FAILURE: &str = "uncaught";

pub fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsDataBreakpoints": true,
        "supportsStepBack": true,
        "supportsGotoTargetsRequest": true,
        "supportsRestartRequest": true,
        "supportsTerminateRequest": true,
        "supportTerminateDebuggee": true,
        "supportsCancelRequest": true,
        "supportsEvaluateForHovers": true,
        "supportsCompletionsRequest": true,
        "supportsLoadedSourcesRequest": true,
        "supportsExceptionInfoRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "exceptionBreakpointFilters": [
            {"filter": EVERYTHING_THROWN, "label": "Whatever is thrown", "default": false,
             "description": "Also what is caught"},
            {"filter": FAILURE, "label": "What failed", "default": true,
             "description": "What ended the program, or failed a test"},
        ],
    })
}
