//! A program that crashes, as an agent would see it: the one of Figure 5 of the paper. It records what its policy names.
//!
//! `f` calls `g`, which calls `h` (which calls `i`), `j` and `k` (which calls `l` and `m`). The object is born in `j`, and `m` crashes.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// Functions by name; their keys and positions follow from it.
pub struct Program {
    /// Makes all its functions others than those of another program.
    pub salt: u64,
    /// Functions that this release changed, and so renamed.
    pub changed: &'static [char],
}

impl Program {
    pub fn function(&self, name: char) -> Value {
        json!({ "file": "app/main.js", "function": self.key(name), "line": name as u32, "column": 1 })
    }

    pub fn key(&self, name: char) -> String {
        let changed = u64::from(self.changed.contains(&name));
        format!("{:016x}", self.salt * 0x1_0000 + changed * 0x100 + name as u64)
    }

    /// What is reported after a run under a policy.
    pub fn run(&self, policy: &Value) -> (Vec<Value>, Vec<Value>) {
        let recorded: BTreeSet<String> = policy["files"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|file| file["functions"].as_array().expect("functions").clone())
            .map(|key| key.as_str().expect("a key").to_owned())
            .collect();
        let mut run = Run { program: self, recorded, labels: Vec::new(), birth: None };
        run.call(None, 'f', 0);
        let crash = self.site('m', "Call", 0);
        run.labels.push(json!({ "label": "crash", "site": crash }));
        let mut labels = run.labels;
        // Only what follows the birth is the path; where that was not recorded, all that is known.
        if let Some(birth) = run.birth {
            labels = labels.split_off(birth);
        }
        let stack = ['m', 'k', 'g', 'f'].map(|name| self.site(name, "Call", 9)).to_vec();
        (labels, stack)
    }

    fn site(&self, name: char, kind: &str, nth: u32) -> Value {
        json!({
            "file": "app/main.js", "function": self.key(name), "function_line": name as u32, "function_column": 1,
            "kind": kind, "nth": nth, "line": name as u32 + nth, "column": 3,
        })
    }
}

struct Run<'p> {
    program: &'p Program,
    recorded: BTreeSet<String>,
    labels: Vec<Value>,
    birth: Option<usize>,
}

impl Run<'_> {
    /// Gives whether it returned.
    fn call(&mut self, caller: Option<char>, callee: char, nth: u32) -> bool {
        let is_recorded = |run: &Run, name: char| run.recorded.contains(&run.program.key(name));
        let calls =
            caller.filter(|caller| is_recorded(self, *caller)).map(|caller| self.program.site(caller, "Call", nth));
        if let Some(site) = &calls {
            self.labels.push(json!({ "label": "call", "site": site, "callee": self.program.function(callee) }));
        }
        // The caller is told where it says nothing itself.
        let silent = caller.filter(|caller| !is_recorded(self, *caller)).map(|caller| self.program.function(caller));
        if is_recorded(self, callee) {
            self.labels.push(json!({ "label": "enter", "function": self.program.function(callee), "caller": silent }));
        }
        let callees: &[char] = match callee {
            'f' => &['g'],
            'g' => &['h', 'j', 'k'],
            'h' => &['i'],
            'k' => &['l', 'm'],
            _ => &[],
        };
        if callee == 'j' && is_recorded(self, 'j') {
            self.birth = Some(self.labels.len());
            self.labels.push(json!({ "label": "start", "site": self.program.site('j', "ObjectLiteral", 0) }));
        }
        let has_returned =
            callee != 'm' && callees.iter().zip(0..).all(|(next, nth)| self.call(Some(callee), *next, nth));
        if has_returned {
            if is_recorded(self, callee) {
                self.labels
                    .push(json!({ "label": "exit", "function": self.program.function(callee), "caller": silent }));
            }
            if let Some(site) = calls {
                self.labels.push(json!({ "label": "return", "site": site }));
            }
        }
        has_returned
    }
}

/// A report with everything in its place.
pub fn report(number: u64, cohort: u16, policy: &Value, labels: &[Value], stack: &[Value]) -> Value {
    json!({
        "version": 1, "id": report_id(number), "release": "1.0.0", "cohort": cohort, "policy": policy["id"], "node": "20.20.2",
        "exception": "TypeError", "stack": stack, "labels": labels, "cut": false,
        "spent": { "events": 10, "seconds": 10.0, "recorder_seconds": 0.01 },
    })
}

pub fn report_id(number: u64) -> String {
    format!("{:08x}-0000-4000-8000-{:012x}", number >> 32, number & 0xffff_ffff)
}
