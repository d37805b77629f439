//! Expressions that a person types.

use expect_test::{Expect, expect};
use javascript::JavaScript;
use trace_model::{Language, VariableRef};

use crate::words::expression_in;

fn check(text: &str, expected: Expect) {
    let name = |variable: &VariableRef| match variable {
        VariableRef::Known(variable) => format!("known {}", variable.0),
        VariableRef::Global(name) => name.clone(),
    };
    let answer = match JavaScript.parse_expression(text) {
        Ok((expressions, root)) => expression_in(&expressions, root, &name),
        Err(error) => format!("at {}: {}", error.at, error.message),
    };
    expected.assert_eq(&answer);
}

#[test]
fn what_can_be_evaluated() {
    check("a.b[0]['c'][d + 1]?.e", expect!["(((((a.b).0).c).[(d + 1)])?.e)"]);
    check(
        "a + b * 2 === -c && !d || typeof e === 'x'",
        expect![[r#"((((a + (b * 2)) === (- c)) && (! d)) || ((typeof e) === "x"))"#]],
    );
    check("x ?? (y in z) ? a instanceof B : undefined", expect!["((x ?? (y in z)) ? (a instanceof B) : undefined)"]);
    check("`a${b.length}c`", expect![[r#"template(["a", "c"]; (b.length))"#]]);
    check("[this.x, null, 1n, true]", expect!["[(this.x), null, 1n, true]"]);
}

#[test]
fn objects_by_number() {
    check("#17", expect!["#17"]);
    check("#17.price > #3['#4'] + `#5${#6}`", expect![[r##"((#17.price) > ((#3.#4) + template(["#5", ""]; #6)))"##]]);
}

#[test]
fn what_would_run_something() {
    check("f(1)", expect!["at 0: nothing is run to evaluate an expression, so a call is not possible"]);
    check("a?.b()", expect!["at 0: nothing is run to evaluate an expression, so a call is not possible"]);
    check("1 + (x = 2)", expect!["at 5: nothing is run to evaluate an expression, so an assignment is not possible"]);
    check("x++", expect!["at 0: nothing is run to evaluate an expression, so an assignment is not possible"]);
    check("new A", expect!["at 0: nothing is run to evaluate an expression, so new is not possible"]);
    check("() => 1", expect!["at 0: nothing is run to evaluate an expression, so a function is not possible"]);
    check("delete a.b", expect!["at 0: nothing is run to evaluate an expression, so delete is not possible"]);
    check("await x", expect!["at 0: nothing is run to evaluate an expression, so await is not possible"]);
    check("f`x`", expect!["at 0: nothing is run to evaluate an expression, so a tagged template is not possible"]);
}

#[test]
fn what_is_no_expression() {
    check("", expect!["at 0: there is no expression"]);
    check("a +", expect!["at 3: Unexpected token"]);
    check("a b", expect!["at 2: Unexpected token"]);
    check("a.", expect!["at 2: Unexpected token"]);
    check("'x", expect!["at 0: Unterminated string"]);
}
