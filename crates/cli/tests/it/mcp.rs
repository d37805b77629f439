//! `wherefore mcp` as a client starts it. Its tools are tried in tests/mcp.

use std::process::{Command, Stdio};

/// A token that is set for servers over HTTP is of no concern to one on stdin and stdout.
#[test]
fn a_token_in_the_environment_needs_no_port() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_wherefore"));
    command.args(["mcp"]).current_dir(&folder).env("WHEREFORE_MCP_TOKEN", "of-the-server").stdin(Stdio::null());
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}
