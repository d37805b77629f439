//! What people see: `cmd/*.md` are transcripts. `TRYCMD=overwrite cargo test -p cli` rewrites them; a person reads the diff.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cmd/*.md");
}
