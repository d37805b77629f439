//! Stands for a task runner in strict mode: a static program, into which nobody loads a library, and which passes on no variable but `PATH` and
//! `NODE_OPTIONS`, or with `--clear` only `PATH`.

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let clears = words[0] == "--clear";
    words.drain(..usize::from(clears));
    let mut command = std::process::Command::new(&words[0]);
    command.args(&words[1..]).env_clear();
    let names = if clears { &["PATH"][..] } else { &["PATH", "NODE_OPTIONS"] };
    for name in names {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    let status = command.status().expect("the command starts");
    std::process::exit(status.code().unwrap_or(1));
}
