//! What to ask after an answer: exact calls of tools, each with its reason. They are read off the answer, and are few.

use rmcp::model::JsonObject;
use serde::Serialize;
use serde_json::{Value, json};

#[derive(Clone, Debug, Serialize)]
pub struct Suggestion {
    pub tool: &'static str,
    pub arguments: JsonObject,
    pub why: String,
}

/// The call that goes on behind a cursor.
pub fn continued(tool: &'static str, given: &JsonObject, run: Option<u32>, cursor: &str) -> Suggestion {
    let mut arguments = given.clone();
    arguments.insert("cursor".into(), json!(cursor));
    arguments.extend(run.map(|run| ("run".to_owned(), json!(run))));
    Suggestion { tool, arguments, why: "shows what was left out here".into() }
}

/// The same call, with a budget in which its answer fits.
pub fn with_more_room(tool: &'static str, given: &JsonObject, tokens: usize) -> Suggestion {
    let mut arguments = given.clone();
    arguments.insert("budget".into(), json!(tokens));
    Suggestion { tool, arguments, why: "asks again with a larger budget".into() }
}

/// What leads on from an answer about a run.
pub fn suggestions(tool: &str, given: &JsonObject, run: u32, answer: &Value) -> Vec<Suggestion> {
    let next = Next { run };
    if answer.get("kind") == Some(&json!("none")) {
        return next.after_none(tool, given);
    }
    let at = point_of(answer);
    match tool {
        "why" => next.after_why(answer),
        "last_change" => next.after_change(given, answer),
        "last_condition" => at.map_or_else(Vec::new, |at| next.after_condition(&at, answer)),
        "history" => last(answer, "changes").and_then(point_of).map_or_else(Vec::new, |at| {
            vec![
                next.at("last_condition", &at, "why the newest change was made"),
                next.at("state", &at, "what the variables held then"),
            ]
        }),
        "find" => next.after_find(answer),
        "log" => next.after_log(given, answer),
        "calls" => first(answer, "calls").and_then(point_of).map_or_else(Vec::new, |at| next.after_calls(&at)),
        "step" => match at {
            Some(at) => vec![
                next.at("state", &at, "what the variables hold there"),
                next.at("step", &at, "goes on to the next statement"),
            ],
            None => vec![next.turned(given)],
        },
        "state" => at.map_or_else(Vec::new, |at| next.after_state(&at, answer)),
        "eval" => given.get("expression").map_or_else(Vec::new, |expression| {
            vec![next.asked_there("last_change", given, expression, "where it came from, if it is a place")]
        }),
        "omissions" | "why_not" => next.after_omissions(answer),
        "crash_path" => vec![
            next.call("why", json!({}), "what of all this led to the failure".into()),
            next.call("last_condition", json!({ "at": "crash" }), "the last decision before the crash".into()),
        ],
        _ => Vec::new(),
    }
}

/// After a recording.
pub fn after_run(run: u32, n_failures: usize) -> Vec<Suggestion> {
    let next = Next { run };
    let calls = next.call("calls", json!({}), "what the program did".into());
    match n_failures {
        0 => vec![calls],
        1 => vec![next.call("why", json!({}), "explains the failure".into()), calls],
        n => vec![
            next.call("why", json!({}), "explains the first failure".into()),
            next.call("why", json!({ "failure": 2 }), format!("explains the second of {n}")),
        ],
    }
}

/// Why a run failed.
pub fn why_of(run: u32) -> Suggestion {
    Next { run }.call("why", json!({}), "explains the newest run that failed".into())
}

/// Of a dialogue: the verdicts that can be given.
pub fn after_judge(run: u32, state: &Value) -> Vec<Suggestion> {
    let next = Next { run };
    match state.get("kind").and_then(Value::as_str) {
        Some("ask") => vec![
            next.call("judge", json!({ "verdict": "valid" }), "the call did what it should".into()),
            next.call(
                "judge",
                json!({ "verdict": "invalid" }),
                "it returned, changed or printed something wrong".into(),
            ),
            next.call("judge", json!({ "verdict": "unknown" }), "it cannot be said".into()),
        ],
        Some("found") => {
            let at = state.pointer("/question/call/point").and_then(named);
            at.map(|at| next.at("state", &at, "what the wrong call was given")).into_iter().collect()
        }
        _ => vec![next.call("why", json!({}), "explains the failure in another way".into())],
    }
}

/// After a search for what would have kept a program from failing.
pub fn after_experiments(run: u32, answer: &Value) -> Vec<Suggestion> {
    let next = Next { run };
    match first(answer, "proven").and_then(point_of) {
        Some(at) => vec![
            next.at("last_condition", &at, "why control came to the first of these places"),
            next.at("state", &at, "what the variables held there"),
        ],
        None => vec![next.call("judge", json!({}), "asks which call is wrong".into())],
    }
}

/// After one thing was made different.
pub fn after_try(run: u32, answer: &Value) -> Vec<Suggestion> {
    let next = Next { run };
    match point_of(answer) {
        Some(at) => vec![next.at("state", &at, "what the variables held there")],
        None => vec![next.call("why", json!({}), "explains the failure".into())],
    }
}

struct Next {
    /// The run that was asked about. Each call names it, as the latest run may be another one by then.
    run: u32,
}

impl Next {
    fn at(&self, tool: &'static str, point: &str, why: &str) -> Suggestion {
        self.call(tool, json!({ "at": point }), why.into())
    }

    fn call(&self, tool: &'static str, arguments: Value, why: String) -> Suggestion {
        let mut arguments = match arguments {
            Value::Object(arguments) => arguments,
            _ => JsonObject::new(),
        };
        arguments.insert("run".into(), json!(self.run));
        Suggestion { tool, arguments, why }
    }

    /// About a place, from where the question was asked.
    fn asked_there(&self, tool: &'static str, given: &JsonObject, place: &Value, why: &str) -> Suggestion {
        let mut arguments = given.clone();
        arguments.retain(|name, _| ["at", "when", "thread"].contains(&name.as_str()));
        arguments.insert("place".into(), place.clone());
        self.call(tool, Value::Object(arguments), why.into())
    }

    /// The same in the other direction, where nothing is in this one.
    fn turned(&self, given: &JsonObject) -> Suggestion {
        let is_back = given.get("back").and_then(Value::as_bool).unwrap_or(false);
        let mut arguments = given.clone();
        arguments.insert("back".into(), json!(!is_back));
        self.call("step", Value::Object(arguments), "nothing is in this direction; in the other".into())
    }

    /// The last time of a page is as good as any to go on from.
    fn after_log(&self, given: &JsonObject, answer: &Value) -> Vec<Suggestion> {
        let hit = last(answer, "hits").and_then(|hit| hit.get("hit")?.as_u64());
        let line = answer.get("file").and_then(Value::as_str).zip(answer.get("line").and_then(Value::as_u64));
        let (Some(hit), Some((file, line))) = (hit, line) else { return Vec::new() };
        let at = format!("{file}:{line}#{hit}");
        let mut found = vec![self.at("state", &at, "all variables at that time")];
        if let Some(place) = given.get("expressions").and_then(Value::as_str).filter(|text| !text.contains(',')) {
            found.push(self.call(
                "last_change",
                json!({ "place": place, "at": at }),
                "where that value came from, if it is a place".into(),
            ));
        }
        found
    }

    fn after_change(&self, given: &JsonObject, answer: &Value) -> Vec<Suggestion> {
        let mut found = Vec::new();
        if let Some(at) = point_of(answer) {
            found.push(self.at("last_condition", &at, "why control came to that write"));
            found.push(self.at("state", &at, "what the variables held then"));
        }
        let place = answer.get("place");
        found.extend(place.map(|place| self.asked_there("history", given, place, "all changes of the place")));
        found
    }

    fn after_condition(&self, at: &str, answer: &Value) -> Vec<Suggestion> {
        let reads = answer.get("reads").and_then(Value::as_array).into_iter().flatten().take(2);
        let reads = reads.filter_map(|read| read.get("text")?.as_str()).map(|place| self.origin_of(place, at));
        reads.chain([self.at("last_condition", at, "why control came to that condition")]).collect()
    }

    fn after_find(&self, answer: &Value) -> Vec<Suggestion> {
        match first(answer, "results").and_then(point_of) {
            Some(at) => vec![
                self.at("state", &at, "what the variables held at the first of them"),
                self.at("last_condition", &at, "why control came there"),
            ],
            None => vec![self.call("calls", json!({}), "what the program did at all".into())],
        }
    }

    fn after_calls(&self, at: &str) -> Vec<Suggestion> {
        let into = json!({ "stride": "into", "at": at });
        vec![
            self.call("calls", json!({ "of_point": true, "at": at }), "what the first of them called".into()),
            self.call("step", into, "goes to its first statement, where it has its arguments".into()),
        ]
    }

    fn after_state(&self, at: &str, answer: &Value) -> Vec<Suggestion> {
        let variables = first(answer, "frames").and_then(|frame| frame.get("variables")?.as_array());
        let local = variables.into_iter().flatten().filter(|variable| variable.get("scope") == Some(&json!("local")));
        let names = local.filter_map(|variable| variable.get("name")?.as_str()).filter(|name| *name != "this");
        let origins = names.take(2).map(|name| self.origin_of(name, at));
        origins.chain([self.at("last_condition", at, "why control came here")]).collect()
    }

    fn after_omissions(&self, answer: &Value) -> Vec<Suggestion> {
        match first(answer, "results").and_then(|result| named(result.get("branch")?)) {
            Some(at) => vec![
                self.at("last_condition", &at, "why the branch that prevented it was reached"),
                self.at("state", &at, "what the variables held at that branch"),
            ],
            None => vec![self.call("why", json!({}), "explains the failure itself".into())],
        }
    }

    fn origin_of(&self, place: &str, at: &str) -> Suggestion {
        self.call("last_change", json!({ "place": place, "at": at }), format!("where {place} came from"))
    }

    /// The end of the chain is nearest to the cause.
    fn after_why(&self, answer: &Value) -> Vec<Suggestion> {
        let hops = answer.get("chain").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let parents: Vec<u64> = hops.iter().filter_map(|hop| hop.get("parent")?.as_u64()).collect();
        let deepest = hops.iter().enumerate().skip(1).find(|(index, _)| !parents.contains(&(*index as u64)));
        let mut found = Vec::new();
        if let Some(at) = deepest.and_then(|(_, hop)| named(hop.get("point")?)) {
            found.push(self.at("last_condition", &at, "why control came to the end of the first way back"));
            found.push(self.at("state", &at, "what the variables held there"));
        }
        found.push(self.call("judge", json!({}), "if this does not show the defect: asks which call is wrong".into()));
        found
    }

    fn after_none(&self, tool: &str, given: &JsonObject) -> Vec<Suggestion> {
        match tool {
            // There may be other failures than the one that was named.
            "why" if given.contains_key("failure") => vec![self.call("why", json!({}), "explains the failure".into())],
            "why" | "crash_path" => vec![
                self.call("calls", json!({}), "what the program did, where nothing failed".into()),
                Suggestion { tool: "runs", arguments: JsonObject::new(), why: "other runs may have failed".into() },
            ],
            _ => vec![
                self.call("why", json!({}), "explains the failure".into()),
                self.call("calls", json!({}), "what the program did".into()),
            ],
        }
    }
}

fn point_of(answer: &Value) -> Option<String> {
    named(answer.get("point")?)
}

/// The name under which a point can be asked about.
fn named(point: &Value) -> Option<String> {
    let event = point.get("event")?;
    Some(point.get("point").and_then(Value::as_str).map_or_else(|| format!("@{event}"), str::to_owned))
}

fn first<'a>(answer: &'a Value, list: &str) -> Option<&'a Value> {
    answer.get(list)?.as_array()?.first()
}

fn last<'a>(answer: &'a Value, list: &str) -> Option<&'a Value> {
    answer.get(list)?.as_array()?.last()
}
