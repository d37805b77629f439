//! The scripts of package.json: said where a command names one that is not there. What a package manager prints is not looked at, as it may be in any language.

use std::fs;

use crate::RunSpec;

/// That the command is to run a script which is not there.
pub(super) fn missing(spec: &RunSpec) -> Option<String> {
    let (manager, wanted) = script(&spec.command)?;
    let Some(folder) = spec.folder.ancestors().find(|folder| folder.join("package.json").exists()) else {
        let around = spec.folder.display();
        return Some(format!("{manager} has no script `{wanted}` to run: there is no package.json in {around}"));
    };
    // Some package managers run what is installed, too.
    if folder.join("node_modules/.bin").join(wanted).exists() {
        return None;
    }
    let file = folder.join("package.json");
    let known = names(&fs::read_to_string(&file).ok()?);
    if known.iter().any(|name| name == wanted) {
        return None;
    }
    let known = if known.is_empty() { "it has no scripts".to_owned() } else { format!("it has {}", known.join(", ")) };
    Some(format!("{} has no script `{wanted}`; {known}", file.display()))
}

/// Who is to run a script, and which. Options may say in which package, so nothing is known where there are any.
fn script(command: &[String]) -> Option<(&str, &str)> {
    let words: Vec<&str> = command.iter().map(String::as_str).take_while(|word| *word != "--").collect();
    let (program, words) = words.split_first()?;
    let program = program.rsplit('/').next()?;
    match (program, words) {
        ("node", ["--run", wanted, ..]) => Some((program, wanted)),
        ("npm" | "pnpm" | "yarn", words) if words.iter().any(|word| word.starts_with('-') && !QUIET.contains(word)) => {
            None
        }
        ("npm" | "pnpm" | "yarn", words) => {
            let mut words = words.iter().filter(|word| !word.starts_with('-'));
            match *words.next()? {
                "test" | "t" | "tst" => Some((program, "test")),
                "run" | "run-script" => Some((program, words.next()?)),
                _ => None,
            }
        }
        _ => None,
    }
}

const QUIET: [&str; 2] = ["-s", "--silent"];

/// The keys of `scripts` in the text of a package.json.
fn names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut is_in_scripts = false;
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => {
                depth -= 1;
                is_in_scripts &= depth > 1;
            }
            '"' => {
                let mut is_escaped = false;
                let end = characters.find(|(_, c)| {
                    let is_end = *c == '"' && !is_escaped;
                    is_escaped = *c == '\\' && !is_escaped;
                    is_end
                });
                let Some((end, _)) = end else { break };
                let word = &text[at + 1..end];
                match text[end + 1..].trim_start().starts_with(':') {
                    true if depth == 1 => is_in_scripts = word == "scripts",
                    true if depth == 2 && is_in_scripts => names.push(word.to_owned()),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_scripts() {
        let text = r#"{ "name": "a", "config": { "scripts": "no", "x": 1 },
            "scripts": { "test": "echo \"a: {b}, c\"", "build:all" : "tsc, }" }, "files": ["lint"], "jest": { "lint": {} } }"#;
        assert_eq!(names(text), ["test", "build:all"]);
        assert!(names("{}").is_empty() && names("").is_empty() && names("{\"scripts").is_empty());
    }

    #[test]
    fn which_script_a_command_runs() {
        let wanted = |command: &str| {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            script(&words).map(|(_, wanted)| wanted.to_owned())
        };
        for command in ["npm test", "/usr/bin/npm -s t", "npm run test", "node --run test", "yarn run test -- --watch"]
        {
            assert_eq!(wanted(command).as_deref(), Some("test"), "{command}");
        }
        for command in
            ["npm --prefix sub test", "npm run -w a test", "npm ci", "node test", "pnpm -r test", "npm", "npm run"]
        {
            assert_eq!(wanted(command), None, "{command}");
        }
    }
}
