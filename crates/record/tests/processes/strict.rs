//! Stands for a task runner in strict mode: a static program, into which nobody loads a library, and which passes on no variable but these two.

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut command = std::process::Command::new(&words[0]);
    command.args(&words[1..]).env_clear();
    for name in ["PATH", "NODE_OPTIONS"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    let status = command.status().expect("the command starts");
    std::process::exit(status.code().unwrap_or(1));
}
