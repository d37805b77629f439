//! Runs that are shared: without what is secret, and still able to answer. Needs the addon (`cargo xtask build`).

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{run, with_args};

fn eval(folder: &Path, expression: &str) -> String {
    let (_, stdout, stderr) = run(folder, &["eval", expression, "--at", "end"]);
    format!("{stdout}{stderr}").trim_end().to_owned()
}

/// A project with a run of a program that holds secrets.
fn recorded() -> tempfile::TempDir {
    let project = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/secrets.js");
    fs::copy(program, project.path().join("app.js")).unwrap();
    let args = ["record", "--", "node", "app.js", "argPlanted13", "--api-key", "optPlanted14"];
    let mut command = with_args(project.path(), &args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"password=stdinPlanted12\n").unwrap();
    child.wait().unwrap();
    // What was asked is shared too.
    run(project.path(), &["why"]);
    run(project.path(), &["last-change", "config.password", "--at", "end"]);
    project
}

/// All bytes of a file, and what those that are compressed unpack into.
fn contents(file: &Path) -> Vec<u8> {
    let packed = fs::read(file).unwrap();
    let mut all = packed.clone();
    for at in 0..packed.len() {
        if packed[at..].starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) {
            let mut unpacked = Vec::new();
            let decoder = zstd::stream::Decoder::new(&packed[at..]).unwrap().single_frame();
            decoder.take(1 << 26).read_to_end(&mut unpacked).unwrap();
            all.extend(unpacked);
        }
    }
    all
}

fn holds(bytes: &[u8], text: &str) -> bool {
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let find = |sought: &[u8]| bytes.windows(sought.len()).any(|window| window == sought);
    find(text.as_bytes()) || find(&wide)
}

const PLANTED: &[&str] = &[
    "hunter2",
    "pgPlanted99",
    "4111111111111111",
    // Longer than it would be: four digits may be part of a process number, or of a time.
    "973182640",
    "PLANTEDabcdef",
    "bobPlanted",
    "nested-Planted",
    "tok-Planted",
    "tok Planted",
    "tok%20Planted",
    "esc\\u0061ped",
    "escapedPlanted",
    "-Planted-π",
    "aHVudGVyMi",
    "h1bnRlcjI",
    "odW50ZXIy",
    "cookiePlanted77",
    "argPlanted13",
    "optPlanted14",
    "stdinPlanted12",
    "envPlanted55",
    "mapPlanted66",
    "rtPlanted88",
    "commentPlanted9",
    "privPlanted10",
    "fieldPlanted11",
    "eyJzdWIi",
    "PLANTED",
];

#[test]
fn no_secret_is_anywhere_in_the_file() {
    let project = recorded();
    let folder = project.path();
    let (code, told, stderr) = run(folder, &["export"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{told}");
    let file = folder.join("run-1.wherefore");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let all = contents(&file);
    // The search finds what is there.
    assert!(holds(&all, "jane.mailed@example.com") && holds(&all, "function login"));
    for secret in PLANTED {
        assert!(!holds(&all, secret), "{secret}");
    }
    // The bytes of a buffer, as numbers: h, u, n, t.
    let spelled: Vec<u8> =
        [104u32, 117, 110, 116].iter().flat_map(|byte| [5, *byte]).flat_map(u32::to_le_bytes).collect();
    assert!(!all.windows(spelled.len()).any(|window| window == spelled));
    for rule in
        ["password (password)", "card number (cardNumber)", "password in an address", "api key (apiKey)", "jwt (jwt)"]
    {
        assert!(told.contains(rule), "{rule} is not in {told}");
    }
    let only_named = told.lines().find(|line| line.starts_with("only where it stands under its name"));
    assert!(only_named.is_some_and(|line| line.contains("password")), "{told}");
    // Nobody's file is written over.
    let (code, _, stderr) = run(folder, &["export"]);
    assert_eq!((code, stderr.contains("exists")), (Some(3), true), "{stderr}");
}

#[test]
fn a_run_that_was_shared_answers() {
    let project = recorded();
    let (_, _, stderr) = run(project.path(), &["export", "-o", "shared.wherefore"]);
    assert_eq!(stderr, "");
    let elsewhere = tempfile::tempdir().unwrap();
    let folder = elsewhere.path();
    let file = project.path().join("shared.wherefore");
    let (code, told, _) = run(folder, &["import", file.to_str().unwrap()]);
    assert_eq!((code, told.trim_end().ends_with("is run 1")), (Some(0), true), "{told}");

    let (code, why, stderr) = run(folder, &["why"]);
    assert!(why.starts_with("Error: bad login for ‹redacted› with ‹redacted›\napp.js:28"), "{why}");
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert_eq!(eval(folder, "config.password"), "‹redacted›");
    assert_eq!(eval(folder, "config.user"), "\"admin\"");
    assert_eq!(eval(folder, "auth.password"), "‹redacted›");
    assert_eq!(eval(folder, "config.cvv"), "‹redacted›");
    assert_eq!(eval(folder, "config.cardNumber"), "‹redacted›");
    assert_eq!(eval(folder, "creds.credentials.user"), "‹redacted›");
    assert_eq!(eval(folder, "config.db"), "\"postgres://me:‹redacted›@db.local/x\"");
    assert_eq!(eval(folder, "m.get('client_secret')"), "‹redacted›");
    assert_eq!(eval(folder, "'x' + env"), "\"x‹redacted›\"");
    assert_eq!(eval(folder, "typeof config.cvv + typeof passwd"), "\"numberstring\"");
    for unknown in [
        "config.password === 'hunter2-planted'",
        "config.password.length",
        "config.cvv > 5",
        "auth.password === wide.password",
    ] {
        assert!(eval(folder, unknown).contains("is not captured: "), "{unknown}: {}", eval(folder, unknown));
    }
    let (_, change, _) = run(folder, &["last-change", "config.password", "--at", "app.js:15"]);
    assert!(change.starts_with("config.password was there when the object was created\napp.js:1"), "{change}");
    assert!(change.contains("password: '•••••••••••••••'"), "{change}");
    let (_, output, _) = run(folder, &["find", "output"]);
    assert!(output.contains("the key is ‹redacted› and ‹redacted›"), "{output}");
    let (_, json, _) = run(folder, &["why", "--format", "json"]);
    assert!(json.contains("bad login for ‹redacted›") && !json.contains("u001a"), "{json}");
    for question in
        [&["state"][..], &["calls"], &["events"], &["history", "a.password2"], &["last-condition"], &["runs"]]
    {
        let (code, stdout, stderr) = run(folder, question);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{question:?}: {stdout}");
    }

    // A command that somebody else wrote down is not run.
    let (code, _, stderr) = run(folder, &["last-change", "config", "--at", "end", "--rerun"]);
    assert_eq!((code, stderr.contains("was imported")), (Some(2), true), "{stderr}");
    // It can be shared again.
    assert_eq!(run(folder, &["export"]).0, Some(0));
}

#[test]
fn what_is_taken_out_can_be_chosen() {
    let project = recorded();
    let folder = project.path();
    let (_, told, _) = run(
        folder,
        &["export", "-o", "a", "--emails", "--redact", "user", "--redact", r"/ORD-\d+/", "--format", "json"],
    );
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let rules: Vec<&str> =
        told["redacted"].as_array().unwrap().iter().map(|taken| taken["rule"].as_str().unwrap()).collect();
    assert!(rules.contains(&"user") && rules.contains(&"e-mail address") && rules.contains(&r"/ORD-\d+/"), "{rules:?}");
    let all = contents(&folder.join("a"));
    assert!(!holds(&all, "jane.mailed") && !holds(&all, "ORD-12345") && !holds(&all, "hunter2"));

    run(folder, &["export", "-o", "b", "--no-default-redactions", "--redact", "password"]);
    let all = contents(&folder.join("b"));
    assert!(!holds(&all, "hunter2") && holds(&all, "PLANTEDabcdef"));

    let (code, _, stderr) = run(folder, &["export", "-o", "c", "--redact", "/(/"]);
    assert_eq!((code, stderr.starts_with("wherefore: /(/ is not a pattern: ")), (Some(2), true), "{stderr}");
    assert!(!folder.join("c").exists());
}

#[test]
fn what_is_not_as_it_was_written_is_refused_and_leaves_nothing() {
    let project = recorded();
    run(project.path(), &["export", "-o", "whole"]);
    let whole = fs::read(project.path().join("whole")).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let folder = elsewhere.path();
    let refused = |bytes: &[u8], expected: &str| {
        fs::write(folder.join("x"), bytes).unwrap();
        let (code, _, stderr) = run(folder, &["import", "x"]);
        assert_eq!(code, Some(3), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
        let left = fs::read_dir(folder.join(".wherefore/runs")).map_or(0, Iterator::count);
        assert_eq!(left, 0, "{expected}");
    };
    refused(&whole[..whole.len() / 2], "x is damaged: it ends too early");
    refused(&whole[..whole.len() - 1], "x is damaged: it ends too early");
    refused(b"PK\x03\x04", "x is not a shared run file");
    let mut newer = whole.clone();
    newer[8] = 9;
    refused(&newer, "x has format 9; this build reads format 1");
    let mut changed = whole.clone();
    let at = whole.len() / 2;
    changed[at] ^= 1;
    refused(&changed, "x ");
    // Names that lead elsewhere, and sizes that no disk has.
    let crafted = |name: &[u8], length: u64, bytes: &[u8]| {
        let mut file = whole[..12].to_vec();
        file.extend((name.len() as u16).to_le_bytes());
        file.extend(name);
        file.extend(length.to_le_bytes());
        file.extend(bytes);
        file
    };
    refused(&crafted(b"../../../../run.txt", 1, b"x"), "it contains a file that is not part of a run");
    refused(&crafted(b"/tmp/run.txt", 1, b"x"), "it contains a file that is not part of a run");
    refused(&crafted(b"run.txt", u64::MAX, b"x"), "it ends too early");
    refused(&crafted(b"run.txt", 1 << 40, b"x"), "it ends too early");
    // A source that unpacks into more than any source has.
    let bomb = zstd::bulk::compress(&vec![0; 3 << 29], 1).unwrap();
    let mut file = whole[..12].to_vec();
    let entries: &[(&[u8], &[u8])] = &[
        (b"run.txt", b"format\t5\narg\tx\nfolder\t/\nstart\t1\npolicy\tall\nshared\t1\n"),
        (b"code/00000000000000000000000000000000.src", &bomb),
    ];
    for (name, bytes) in entries {
        file.extend((name.len() as u16).to_le_bytes());
        file.extend(*name);
        file.extend((bytes.len() as u64).to_le_bytes());
        file.extend(*bytes);
    }
    file.extend([0; 2]);
    let crc = crc32fast::hash(&file);
    file.extend(crc.to_le_bytes());
    refused(&file, "code/00000000000000000000000000000000.src cannot be read");
}

/// The files in an exported file, by name.
fn entries(whole: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut at = 12;
    loop {
        let length = usize::from(u16::from_le_bytes([whole[at], whole[at + 1]]));
        if length == 0 {
            return found;
        }
        let name = String::from_utf8(whole[at + 2..at + 2 + length].to_vec()).unwrap();
        at += 2 + length;
        let length = u64::from_le_bytes(whole[at..at + 8].try_into().unwrap()) as usize;
        found.push((name, whole[at + 8..at + 8 + length].to_vec()));
        at += 8 + length;
    }
}

/// An exported file as somebody else would make it.
fn packed(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut file = b"WFSHARE\0\x01\0\0\0".to_vec();
    for (name, bytes) in entries {
        file.extend((name.len() as u16).to_le_bytes());
        file.extend(name.as_bytes());
        file.extend((bytes.len() as u64).to_le_bytes());
        file.extend(bytes);
    }
    file.extend([0; 2]);
    let crc = crc32fast::hash(&file);
    file.extend(crc.to_le_bytes());
    file
}

#[test]
fn nothing_in_a_shared_run_is_believed() {
    let project = recorded();
    run(project.path(), &["export", "-o", "whole"]);
    let whole = entries(&fs::read(project.path().join("whole")).unwrap());
    let elsewhere = tempfile::tempdir().unwrap();
    let folder = elsewhere.path();
    let import = |entries: &[(String, Vec<u8>)]| {
        fs::write(folder.join("x"), packed(entries)).unwrap();
        run(folder, &["import", "x"])
    };
    assert_eq!(import(&whole).0, Some(0));
    let n_runs = || fs::read_dir(folder.join(".wherefore/runs")).map_or(0, Iterator::count);
    assert_eq!(n_runs(), 1);
    let with = |name: &str, text: &[u8]| {
        let mut entries: Vec<_> = whole.iter().filter(|(known, _)| known != name).cloned().collect();
        entries.push((name.into(), text.to_vec()));
        entries
    };
    let settings = |line: &str| format!("parent\t0\nchunk words\t1024\nchunks\t4\n{line}");
    let stop = "stop in\t/x\nstop at site\t1\nstop at hit\t1\nevaluate\tprocess.exit()\n";
    let n_zeros = [0u8; 40];
    for (name, text) in [
        ("points.txt", "=4294967295 1 40\n".to_owned()),
        ("points.txt", "0 1\n".to_owned()),
        ("questions.txt", "4000000000\t\t\tlast-change\tx\ta.js:1:1\t1\n".to_owned()),
        ("questions.txt", "1\t\t\thistory 18446744073709551615\tx\ta.js:1:1\t1\n".to_owned()),
        ("judge.txt", "0 @7 invalid f f.js:1\n".to_owned()),
        ("judge.txt", "rm -rf\n".to_owned()),
        ("tests.txt", "1\t2\n".to_owned()),
        ("settings.txt", "x\n".to_owned()),
        ("settings.txt", settings("policy\twhatever\n")),
        ("settings.txt", settings("include\t[\n")),
        ("settings.txt", settings(stop)),
    ] {
        let (code, _, stderr) = import(&with(name, text.as_bytes()));
        assert_eq!(
            (code, stderr.as_str()),
            (Some(3), format!("wherefore: x is damaged: {name} cannot be read\n").as_str())
        );
    }
    for (ending, expected) in [(".code", ""), (".times", "cannot be read"), (".trace", "")] {
        let name = &whole.iter().find(|(name, _)| name.ends_with(ending)).unwrap().0;
        let (code, _, stderr) = import(&with(name, &n_zeros));
        assert_eq!((code, stderr.contains(expected)), (Some(3), true), "{ending}: {stderr}");
    }
    // Code whose sites have numbers that nobody gave.
    let (name, code) = whole.iter().find(|(name, _)| name.ends_with(".code")).unwrap();
    let mut far = code.clone();
    far[..4].copy_from_slice(&4_000_000_000u32.to_le_bytes());
    let (code, _, stderr) = import(&with(name, &far));
    assert_eq!((code, stderr.contains("cannot be read")), (Some(3), true), "{stderr}");
    assert_eq!(n_runs(), 1);
}

#[test]
fn a_shared_run_opens_no_folder_that_it_names() {
    let project = recorded();
    run(project.path(), &["export", "-o", "whole"]);
    let mut whole = entries(&fs::read(project.path().join("whole")).unwrap());
    // A repository of somebody else that runs a command when git looks at its files, and a run beside it.
    let trap = tempfile::tempdir().unwrap();
    let (trap, trapped) = (trap.path(), trap.path().join("trapped"));
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
        assert!(Command::new("git").current_dir(trap).args(identity).args(args).output().unwrap().status.success());
    };
    git(&["init", "-q"]);
    fs::write(trap.join("app.js"), "1\n").unwrap();
    git(&["add", "app.js"]);
    git(&["commit", "-qm", "x"]);
    fs::write(trap.join(".gitattributes"), "* filter=x\n").unwrap();
    git(&["config", "filter.x.clean", &format!("touch {}; cat", trapped.display())]);
    fs::write(trap.join("app.js"), "2\n").unwrap();
    run(project.path(), &["runs"]);
    fs::create_dir_all(trap.join(".wherefore")).unwrap();
    Command::new("cp")
        .arg("-r")
        .arg(project.path().join(".wherefore/runs"))
        .arg(trap.join(".wherefore"))
        .output()
        .unwrap();
    let text = &mut whole.iter_mut().find(|(name, _)| name == "run.txt").unwrap().1;
    let lines = String::from_utf8(text.clone()).unwrap();
    let named = lines.lines().map(|line| match line.starts_with("folder\t") {
        true => format!("folder\t{}\n", trap.display()),
        false => format!("{line}\n"),
    });
    *text = named.collect::<String>().into_bytes();
    let elsewhere = tempfile::tempdir().unwrap();
    let folder = elsewhere.path();
    fs::write(folder.join("x"), packed(&whole)).unwrap();
    assert_eq!(run(folder, &["import", "x"]).0, Some(0));
    let (code, _, stderr) = run(folder, &["why"]);
    assert_eq!((code, trapped.exists()), (Some(0), false), "{stderr}");
    let (code, _, stderr) = run(folder, &["why", "--since", "HEAD"]);
    assert_eq!((code, stderr.contains("was imported"), trapped.exists()), (Some(2), true, false), "{stderr}");
    // The only run beside it is itself.
    let (_, _, stderr) = run(folder, &["why", "--against", "2"]);
    assert!(stderr.contains("there is no run 2; there is run 1"), "{stderr}");
}

#[test]
fn secrets_are_found_in_whatever_shape_they_stand() {
    let project = tempfile::tempdir().unwrap();
    let folder = project.path();
    let source = "const v = process.argv[2];
const seen = [];
const url = '?access_token=' + v + '&q=1';
seen.push(url);
const field = { name: 'password', value: process.argv[3] };
const later = {};
later.key = 'client_secret';
later.value = process.argv[4];
const command = ['--password', process.argv[5]];
const pair = Object.entries({ passphrase: process.argv[6] });
const message = 'no login with password ' + process.argv[7];
const kept = process.argv[8];
console.log(seen.length, field.name, command.length, pair.length, message.length, kept.length);
";
    fs::write(folder.join("app.js"), source).unwrap();
    let values = ["tokA1planted", "fieldB2planted", "laterC3planted", "optD4planted", "pairE5planted", "saidF6planted"];
    let kept = "Zk81mQ7xB2pL9s4T";
    let (code, _, stderr) = run(folder, &[&["record", "--", "node", "app.js"][..], &values, &[kept]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    let (code, told, stderr) = run(folder, &["export", "-o", "x", "--list-kept"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{told}");
    let all = contents(&folder.join("x"));
    for value in values {
        assert!(!holds(&all, value), "{value}: {told}");
    }
    assert!(holds(&all, "'?access_token=' + v + '&q=1'"), "{told}");
    assert!(told.contains(&format!("  {kept}  in ")), "{told}");
    // The command is looked at as well, each text once: it holds the value, and the value is a string of the program.
    assert!(told.contains(&format!("  {kept}  in 2 texts")), "{told}");
    // Without being asked for, nothing of it is printed.
    let (_, told, _) = run(folder, &["export", "-o", "y"]);
    assert!(!told.contains(kept), "{told}");
}
