//! What tools answer about a run that is kept in the repository. Conversations, in each revision of the protocol, are in tests/mcp.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::answer::Refusal;
use crate::server::Work;
use crate::{Options, Shared, budget, tools};

#[test]
fn the_failure_is_explained_and_asked_about() {
    check(
        &[("why", json!({ "budget": 600 })), ("last_change", json!({ "place": "percent", "at": "offers.js:7#2" }))],
        expect![[r#"
            > why {"budget":600}
            why; end: birth; summary: because total became 41.4 (shop.js:16), because line.price became 3.6 (offers.js:7), because percent became 10 (offers.js:6), because the object was created with 10 (shop.js:14)
            chain:
            - failure; P1 shop.js:17 │ if (total !== 43) throw new Error(`the receipt says ${total.toFixed(2)}`);; value: #36
              because:
                @162 shop.js:17; total !== 43 was true (total = 41.4)
            failure:
              uncaught; P1 shop.js:17 │ if (total !== 43) throw new Error(`the receipt says ${total.toFixed(2)}`);; difference: thrown; message: Error: the receipt says 41.40; value: #36
            note: shop.js is no longer there; the lines shown are those of the run
            note: cart.js is no longer there; the lines shown are those of the run
            note: offers.js is no longer there; the lines shown are those of the run
            details are left out; a larger budget shows them
            next: why {"budget":600,"cursor":"after-1","run":1} (shows what was left out here)
            next: last_condition {"at":"P8","run":1} (why control came to the end of the first way back)
            next: state {"at":"P8","run":1} (what the variables held there)
            next: judge {"run":1} (if this does not show the defect: asks which call is wrong)

            > last_change {"at":"offers.js:7#2","place":"percent"}
            written; P7 offers.js:6 in applyOffers │ if (offer) percent = offer.percent;; new: 10; old: 0; place: percent
            note: offers.js is no longer there; the lines shown are those of the run
            next: last_condition {"at":"P7","run":1} (why control came to that write)
            next: state {"at":"P7","run":1} (what the variables held then)
            next: history {"at":"offers.js:7#2","place":"percent","run":1} (all changes of the place)

        "#]],
    );
}

#[test]
fn what_cannot_be_meant_is_refused() {
    check(
        &[
            ("why", json!({ "failuer": 1 })),
            ("why", json!({ "run": "latest" })),
            ("state", json!({ "at": "cart.jss:3" })),
            ("why", json!({ "budget": 5 })),
            ("record", json!({ "command": ["node", "shop.js"] })),
            ("experiment", json!({ "seconds": u64::MAX })),
        ],
        expect![[r#"
            > why {"failuer":1} refused
            why has no argument failuer; did you mean failure?; it has against, all, at, budget, cursor, failure, place, run, thread, when
            > why {"run":"latest"} refused
            the arguments of why are not as they should be: invalid type: string "latest", expected u32
            > state {"at":"cart.jss:3"} refused
            no code of cart.jss was loaded; did you mean cart.js?
            > why {"budget":5} refused
            a budget is between 200 and 100000 tokens, and not 5
            > record {"command":["node","shop.js"]} refused
            this server may only read recordings: whoever started it can allow more with --allow-run
            > experiment {"seconds":18446744073709551615} refused
            runs is at most 10000, and seconds at most 86400
        "#]],
    );
}

#[test]
fn what_is_not_there_is_an_answer() {
    check(
        &[("eval", json!({ "expression": "total", "at": "cart.js:14#9" }))],
        expect![[r#"
            > eval {"at":"cart.js:14#9","expression":"total"}
            none; cart.js:14 was executed 2 times, so there is no hit 9
            next: why {"run":1} (explains the failure)
            next: calls {"run":1} (what the program did)

        "#]],
    );
}

#[test]
fn every_tool_has_schemas() {
    let listed: Vec<String> = tools::tools(true)
        .iter()
        .map(|tool| {
            let properties = |schema: &serde_json::Map<String, Value>| {
                let names = schema["properties"].as_object().into_iter().flatten();
                names.map(|(name, _)| name.clone()).collect::<Vec<_>>().join(" ")
            };
            let output = (tools::find(&tool.name).expect("it is listed").output)();
            assert_eq!(output["properties"]["answer"]["anyOf"].as_array().map(Vec::len), Some(2), "{}", tool.name);
            format!("{}: {}\n", tool.name, properties(&tool.input_schema))
        })
        .collect();
    expect![[r#"
        record: budget command exclude folder include include_packages include_tools timeout
        runs: budget cursor
        why: against all at budget cursor failure place run thread when
        last_change: at budget cursor place run thread when
        birth: at budget cursor place run thread when
        last_condition: at budget cursor run thread when
        history: at budget cursor place run thread when
        state: at budget cursor depth frame run thread when
        eval: at budget cursor expression run thread when
        log: at budget cursor expressions run thread when
        find: after at before budget cursor event file function line name output place run thread value when
        search: at budget cursor run text thread when within
        calls: at budget cursor depth file function of_point run thread when
        step: at back budget cursor event file function line place run stride thread when
        omissions: at budget cursor place run thread when
        why_not: at budget cursor file line run thread when
        crash_path: at budget cursor place run thread when
        judge: at budget event fresh run undo verdict wrong
        experiment: allow_effects budget failure run runs seconds thread
        try: allow_effects at budget run skip thread turn value when
    "#]]
    .assert_eq(&listed.concat());
}

/// A model reads the list at the beginning of each conversation. What is counted here is more than any tokenizer makes of it.
#[test]
fn the_list_of_tools_is_short() {
    let listed = json!({ "tools": tools::tools(true) }).to_string();
    let n_tokens = budget::tokens(&listed);
    assert!(n_tokens <= 6_000, "{n_tokens} tokens");
}

/// A client asks a person before it calls what changes something.
#[test]
fn tools_say_whether_they_change_something() {
    let changing: Vec<String> = tools::tools(true)
        .iter()
        .filter(|tool| tool.annotations.as_ref().and_then(|hints| hints.read_only_hint) != Some(true))
        .map(|tool| tool.name.to_string())
        .collect();
    assert_eq!(changing, ["record", "judge", "experiment", "try"]);
}

/// Calls tools one after the other; what each says as text.
fn check(calls: &[(&str, Value)], expected: Expect) {
    let project = project();
    let options = Options { workspace: project.path().into(), may_run: false, opened: Box::new(|_| {}) };
    let shared = Shared::new(options).unwrap();
    let mut said = String::new();
    for (tool, arguments) in calls {
        let given = arguments.as_object().unwrap().clone();
        let (refused, text) = match tools::find(tool).unwrap().call(&shared, given, &Work::unheard()) {
            Ok(answered) => ("", answered.text),
            Err(Refusal(sentence)) => (" refused", sentence),
        };
        said.push_str(&format!("> {tool} {arguments}{refused}\n{text}\n"));
    }
    expected.assert_eq(&said);
}

/// A project with a run that the debugger keeps for its own tests.
fn project() -> tempfile::TempDir {
    let project = tempfile::tempdir().unwrap();
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../debugger/tests/runs/shop");
    copy_folder(&kept, &project.path().join(".wherefore/runs/1"));
    project
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in entries(from) {
        let copy = to.join(entry.file_name().unwrap());
        match entry.is_dir() {
            true => copy_folder(&entry, &copy),
            false => assert!(fs::copy(&entry, &copy).is_ok()),
        }
    }
}
