//! What the processes of an experiment load first, and what they tell of themselves: see `packages/runtime/experiment.cjs`.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use trace_format::private;
use trace_model::{Intervention, InterventionChange};

use crate::stage::Stage;

/// One text of the program that is another one.
#[derive(Clone, Copy, Debug)]
pub struct TextChange<'a> {
    pub intervention: &'a Intervention,
    pub before: &'a str,
    pub after: &'a str,
}

/// Writes what a program on the stage is to load. `observes`: it notes what it does to the world outside.
pub fn write_preload(stage: &Stage, runtime: &Path, change: Option<TextChange>, observes: bool) -> io::Result<PathBuf> {
    let own = stage.own();
    let (preload, notes) = (own.join("preload.cjs"), own.join(NOTES));
    let _ = fs::remove_file(&notes);
    let quoted = |path: &Path| format!("{:?}", path.to_string_lossy());
    let changed = match change {
        None => "undefined".to_owned(),
        Some(TextChange { intervention, before, after }) => {
            private::write(&own.join("before"), before)?;
            private::write(&own.join("after"), after)?;
            let forced = match intervention.change {
                InterventionChange::Force(truth) => truth.to_string(),
                _ => "undefined".into(),
            };
            format!(
                "{{path:{},before:{},after:{},hit:{},forced:{forced}}}",
                quoted(&stage.path_of(Path::new(&intervention.path))),
                quoted(&own.join("before")),
                quoted(&own.join("after")),
                intervention.hit.unwrap_or(0),
            )
        }
    };
    let text = format!(
        "require({})({{preload:__filename,notes:{},observes:{observes},change:{changed}}});\n",
        quoted(&runtime.join("experiment.cjs")),
        quoted(&notes),
    );
    private::write(&preload, text)?;
    Ok(preload)
}

/// What the processes of a run told.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Notes {
    /// The change was made: control came there.
    pub is_applied: bool,
    /// What of ours did not work inside the program.
    pub failed: Option<String>,
    /// The file is not any more what it was.
    pub has_other_text: bool,
    /// What the program did to the world outside of these folders, each in a few words.
    pub effects: Vec<String>,
}

/// Reads the notes of the last run on a stage.
pub fn read_notes(stage: &Stage, root: &Path) -> Notes {
    let text = fs::read_to_string(stage.own().join(NOTES)).unwrap_or_default();
    let lines: Vec<Vec<String>> = text.lines().map(|line| line.split(' ').map(decoded).collect()).collect();
    let of = |kind: &'static str| lines.iter().filter(move |line| line.first().is_some_and(|first| first == kind));
    let field = |line: &[String], at: usize| line.get(at).cloned().unwrap_or_default();
    let mut effects: Vec<String> = Vec::new();
    let mut add = |effect: String| {
        if !effects.contains(&effect) {
            effects.push(effect);
        }
    };
    let inside = [fs::canonicalize(root).unwrap_or(root.into()), stage.path_of(root), stage.own(), "/dev".into()];
    let allowed: Vec<PathBuf> = inside.into_iter().chain(caches()).collect();
    for line in of("write") {
        let path = PathBuf::from(field(line, 1));
        if !allowed.iter().any(|folder| path.starts_with(folder)) {
            add(format!("it writes {}", path.display()));
        }
    }
    // A process is part of the run if it, or one that it started, is a Node that told of itself.
    let known: HashSet<String> = of("node").flat_map(|line| [field(line, 1), field(line, 2)]).collect();
    for line in of("child") {
        let pid = field(line, 1);
        if pid.parse::<u32>().is_ok() && pid != "0" && !known.contains(&pid) {
            add(format!("it starts {}", field(line, 2)));
        }
    }
    let ports: HashSet<String> = of("listen").map(|line| field(line, 1)).collect();
    for line in of("connect") {
        let (host, port) = (field(line, 1), field(line, 2));
        let is_socket = host.starts_with('/');
        let is_near = match is_socket {
            true => allowed.iter().any(|folder| Path::new(&host).starts_with(folder)),
            // One that it does not listen on itself is somebody else's.
            false => is_loopback(&host) && (ports.contains(&port) || port == "undefined"),
        };
        if !is_near {
            add(match is_socket {
                true => format!("it connects to {host}"),
                false => format!("it connects to {host}:{port}"),
            });
        }
    }
    let failed = of("failed").next().map(|line| field(line, 1));
    Notes {
        failed,
        is_applied: of("applied").next().is_some(),
        has_other_text: of("other-text").next().is_some(),
        effects,
    }
}

const NOTES: &str = "notes";

/// What tools keep there for themselves is no effect of the program.
fn caches() -> Vec<PathBuf> {
    let home = std::env::home_dir();
    let of_home = [".cache", ".npm", ".yarn"].into_iter().filter_map(|name| Some(home.as_ref()?.join(name)));
    let named = ["XDG_CACHE_HOME", "npm_config_cache"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    of_home.chain(named).collect()
}

fn is_loopback(host: &str) -> bool {
    matches!(host, "localhost" | "::1" | "0.0.0.0" | "::" | "") || host.starts_with("127.")
}

/// As `encodeURIComponent` wrote it.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let digits = (byte == b'%').then(|| [rest.next(), rest.next()]);
        match digits {
            Some([Some(high), Some(low)]) => {
                let digits = [high, low];
                let digits = std::str::from_utf8(&digits).unwrap_or_default();
                bytes.push(u8::from_str_radix(digits, 16).unwrap_or(b'?'));
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
