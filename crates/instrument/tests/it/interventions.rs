//! One thing that is different, and the rest of the text as it is.

use expect_test::{Expect, expect};
use instrument::{NotInstrumented, SourceKind, Text, instrument_fully, intervened};
use trace_model::{Intervention, InterventionChange, LocalSite, Span};

fn changed(source: &str, part: &str, change: InterventionChange) -> Result<String, String> {
    let start = source.find(part).expect("the part is there") as u32;
    let span = Span { start, end: start + part.len() as u32 };
    let table = instrument_fully(Text::new(source, SourceKind::CommonJs)).expect("it parses").sites;
    let intervention = Intervention { path: "/a.js".into(), site: LocalSite(0), span, hit: Some(1), change };
    intervened(source, SourceKind::CommonJs, table, &intervention).map_err(|why| match why {
        NotInstrumented::SyntaxError(why) | NotInstrumented::Unfaithful(why) => why,
    })
}

#[track_caller]
fn check(source: &str, part: &str, change: InterventionChange, expected: Expect) {
    // The mark of a function whose text is another one says so to whoever asks for its text.
    let text = changed(source, part, change).unwrap_or_else(|why| why);
    expected.assert_eq(&text);
}

#[test]
fn decisions() {
    use InterventionChange::{Force, Turn};
    check("if (a > b) c(); else d()", "a > b", Turn, expect!["if ($w_exp(a > b)) c(); else d()"]);
    check("x = f(a) ? 1 : 2", "f(a)", Force(true), expect!["x = $w_exp(f(a)) ? 1 : 2;"]);
    check("while (a, b) c()", "a, b", Turn, expect!["while ($w_exp((a, b))) c()"]);
    check("if (o?.m()) c()", "o?.m()", Turn, expect!["if ($w_exp(o?.m())) c()"]);
}

#[test]
fn values() {
    let null = || InterventionChange::Value("null".into());
    check("let x = f(1)", "f(1)", null(), expect!["let x = $w_exp(f(1),()=>(null));"]);
    check("o.p = q", "q", null(), expect!["o.p = $w_exp(q,()=>(null));"]);
}

#[test]
fn statements() {
    let skip = || InterventionChange::Skip;
    check("if (a) b(); else c()", "b();", skip(), expect!["if (a) {if($w_exp(true)){b();}} else c()"]);
    check("let x = f()", "let x = f()", skip(), expect!["let x = $w_exp(true)?(f()):undefined;"]);
    check("function f() {}", "function f() {}", skip(), expect!["nothing stands there that can be changed"]);
}

#[test]
fn only_one_expression_can_be_a_value() {
    for text in ["1) + (2", "", "1, 2); f(", "1), (2", "1 // 2", "await x", "a\nb", "if (a) b"] {
        let refused = changed("let x = f(1)", "f(1)", InterventionChange::Value(text.into()));
        assert_eq!(refused, Err(format!("`{text}` is not an expression that can stand there")));
    }
    for text in ["{}", "[]", "a, b", "() => 1", "'//'.length", "x => ({ y: x })"] {
        let taken = changed("let x = f(1)", "f(1)", InterventionChange::Value(text.into()));
        assert!(taken.is_ok(), "{text}");
    }
}
