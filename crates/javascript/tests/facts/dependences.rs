//! What each statement, and each site, depends on.

use expect_test::{Expect, expect};

use crate::words::facts;

/// Statements with what they depend on; sites only where they depend on something else than their statement.
fn check(source: &str, expected: Expect) {
    let facts = facts(source);
    let mut answer = String::new();
    for statement in &facts.facts.statements {
        let on = &statement.depends_on;
        answer.push_str(&format!("{}: {}\n", facts.text(statement.span), facts.dependences(on)));
        for &site in &statement.sites {
            let own = &facts.facts.site(site).depends_on;
            if own != on {
                answer.push_str(&format!("    {}: {}\n", facts.site(site), facts.dependences(own)));
            }
        }
    }
    expected.assert_eq(&answer);
}

#[test]
fn if_and_else() {
    check(
        "if (a) b(); else c(); d()",
        expect![[r#"
        if (a) b(); else c();: always
        b();: `a`
        c();: not `a`
        d(): always
    "#]],
    );
}

#[test]
fn an_early_return_decides_on_the_rest() {
    check(
        "function f(x) { if (x) return; y(); if (z) throw 1; w() }",
        expect![[r#"
        function f(x): always
        if (x) return;: always
        return;: `x`
        y();: not `x`
        if (z) throw 1;: not `x`
        throw 1;: `z`
        w(): not `z`
    "#]],
    );
}

#[test]
fn short_circuits() {
    check(
        "x = a && b() || c(); y = a ? b() : c(); z = a ?? b(); a ||= d(); o.p ??= e()",
        expect![[r#"
            x = a && b() || c();: always
                Call `b()`: `a`
                Result `b()`: `a`
                Call `c()`: not `a && b()`
                Result `c()`: not `a && b()`
            y = a ? b() : c();: always
                Call `b()`: `a`
                Result `b()`: `a`
                Call `c()`: not `a`
                Result `c()`: not `a`
            z = a ?? b();: always
                Call `b()`: not `a`
                Result `b()`: not `a`
            a ||= d();: always
                Call `d()`: not `a`
                Result `d()`: not `a`
                Var `a ||= d()`: not `a`
            o.p ??= e(): always
                Call `e()`: not `o.p`
                Result `e()`: not `o.p`
                Put `o.p ??= e()`: not `o.p`
        "#]],
    );
}

#[test]
fn optional_chains() {
    check(
        "var a; x = a?.b[f()].c; a?.b(g()); h?.(i()); a?.[j()]?.(k())",
        expect![[r#"
        var a;: always
        x = a?.b[f()].c;: always
            Call `f()`: `a`
            Result `f()`: `a`
        a?.b(g());: always
            Call `g()`: `a`
            Result `g()`: `a`
        h?.(i());: always
            Call `i()`: `h`
            Result `i()`: `h`
        a?.[j()]?.(k()): always
            Call `j()`: `a`
            Nullish `a?.[j()]`: `a`
            Call `k()`: `a?.[j()]`
            Result `k()`: `a?.[j()]`
    "#]],
    );
}

#[test]
fn loops() {
    check(
        "while (a) { b(); if (c) continue; d() } e()",
        expect![[r#"
        while (a): always
            Loop `a`: `a`
        b();: `a`
        if (c) continue;: `a`
        continue;: `c`
        d(): not `c`
        e(): always
    "#]],
    );
    check(
        "do { b() } while (c); d()",
        expect![[r#"
        do: always
            Loop `c`: `c`
        b(): `c`
        d(): always
    "#]],
    );
    check(
        "for (let i = 0; i < n; i++) { if (i) break; a() } b()",
        expect![[r#"
        for (let i = 0; i < n; i++): always
            Loop `i < n`: not `i`
            VarIncrement `i++`: not `i`
        if (i) break;: `i < n`
        break;: `i`
        a(): not `i`
        b(): always
    "#]],
    );
}

#[test]
fn loops_over_elements() {
    check(
        "for (const x of xs) { if (x) break; a() } for (k in o) b(); c()",
        expect![[r#"
        for (const x of xs): always
            Var `x`: not `x`
        if (x) break;: Var `x`
        break;: `x`
        a(): not `x`
        for (k in o) b();: always
        b();: always
        c(): always
    "#]],
    );
    check(
        "function f() { for (const [x = y()] of xs) if (x) return 1; return 2 }",
        expect![[r#"
        function f(): always
        for (const [x = y()] of xs) if (x) return 1;: always
            Call `y()`: not `x`
            Default `y()`: not `x`
            Var `x`: not `x`
        if (x) return 1;: Var `x`
        return 1;: `x`
        return 2: not `x`
    "#]],
    );
}

#[test]
fn endless_loops_end_by_their_breaks() {
    check(
        "for (;;) { a(); if (b) break; c() } d()",
        expect![[r#"
        for (;;): always
            Loop `for`: not `b`
        a();: not `b`
        if (b) break;: not `b`
        break;: `b`
        c(): not `b`
        d(): `b`
    "#]],
    );
    check(
        "while (true) { if (a) { b(); break } } c()",
        expect![[r#"
        while (true): always
            Loop `true`: not `a`
        if (a): not `a`
        b();: `a`
        break: `a`
        c(): `a`
    "#]],
    );
    check(
        "while (1) { a(); if (b) c() }",
        expect![[r#"
        while (1): always
        a();: always
        if (b) c(): always
        c(): `b`
    "#]],
    );
}

#[test]
fn labels() {
    check(
        "out: for (const a of x) { for (const b of y) { if (c) continue out; if (d) break out; e() } f() } g()",
        expect![[r#"
            for (const a of x): always
                Var `a`: Var `a` or `c` or not `d`
            for (const b of y): Var `a`
                Var `b`: Var `a` or not `d`
            if (c) continue out;: Var `b`
            continue out;: `c`
            if (d) break out;: not `c`
            break out;: `d`
            e(): not `d`
            f(): Var `a` or not `d`
            g(): always
        "#]],
    );
    check(
        "l: { if (a) break l; b() } c()",
        expect![[r#"
        if (a) break l;: always
        break l;: `a`
        b(): not `a`
        c(): always
    "#]],
    );
}

#[test]
fn switches() {
    check(
        "switch (a) { case 1: b(); case f(): c(); break; case 3: if (d) break; default: e() } g()",
        expect![[r#"
        switch (a): always
            Call `f()`: Discriminant `a`
            Result `f()`: Discriminant `a`
            Case `case 1: b();`: Discriminant `a`
            Case `case f(): c(); break;`: Discriminant `a`
            Case `case 3: if (d) break;`: Discriminant `a`
            Case `default: e()`: Discriminant `a` or not `d`
        b();: Discriminant `a`
        c();: Discriminant `a`
        break;: Discriminant `a`
        if (d) break;: Discriminant `a`
        break;: `d`
        e(): Discriminant `a` or not `d`
        g(): always
    "#]],
    );
    check(
        "function f() { switch (a) { case 1: return 1; case 2: b() } c() }",
        expect![[r#"
        function f(): always
        switch (a): always
            Case `case 1: return 1;`: Discriminant `a`
            Case `case 2: b()`: Discriminant `a`
        return 1;: Discriminant `a`
        b(): Discriminant `a`
        c(): Discriminant `a`
    "#]],
    );
}

#[test]
fn exceptions() {
    check(
        "try { a(); if (b) throw c; d() } catch (e) { f(); if (g) h() } i()",
        expect![[r#"
        try: always
        a();: always
        if (b) throw c;: always
        throw c;: `b`
        d(): not `b`
        f();: Catch `catch (e)`
        if (g) h(): Catch `catch (e)`
        h(): `g`
        i(): always
    "#]],
    );
    check(
        "function f() { try { return a() } catch { b() } c() }",
        expect![[r#"
        function f(): always
        try: always
        return a(): always
        b(): Catch `catch`
        c(): Catch `catch`
    "#]],
    );
    check(
        "function f() { try { a() } catch (e) { return 1 } b() }",
        expect![[r#"
        function f(): always
        try: always
        a(): always
        return 1: Catch `catch (e)`
        b(): always
    "#]],
    );
}

#[test]
fn finally_runs_whatever_happened() {
    check(
        "function f() { try { if (a) return 1; b() } finally { c(); if (d) e() } g() }",
        expect![[r#"
        function f(): always
        try: always
        if (a) return 1;: always
        return 1;: `a`
        b(): not `a`
        c();: always
        if (d) e(): always
        e(): `d`
        g(): not `a`
    "#]],
    );
    check(
        "for (const x of xs) { try { if (a) continue; b() } finally { c() } d() } e()",
        expect![[r#"
        for (const x of xs): always
            Var `x`: Var `x`
        try: Var `x`
        if (a) continue;: Var `x`
        continue;: `a`
        b(): not `a`
        c(): Var `x`
        d(): not `a`
        e(): always
    "#]],
    );
    check(
        "function f() { try { try { if (a) return } finally { b() } c() } finally { d() } e() }",
        expect![[r#"
        function f(): always
        try: always
        try: always
        if (a) return: always
        return: `a`
        b(): always
        c(): not `a`
        d(): always
        e(): not `a`
    "#]],
    );
}

#[test]
fn defaults_depend_on_what_is_around() {
    check(
        "function f(a = g()) { if (a) { const {b = h()} = a } }",
        expect![[r#"
            function f(a = g()): always
            g(): always
            if (a): always
            const: `a`
        "#]],
    );
}

#[test]
fn a_condition_that_is_a_call_is_told_by_its_result() {
    check(
        "if (f(x)) a(); while (g()) b(); h() && c()",
        expect![[r#"
        if (f(x)) a();: always
        a();: `f(x)`
        while (g()) b();: always
            Call `g()`: `g()`
            Loop `g()`: `g()`
        b();: `g()`
        h() && c(): always
            Call `c()`: `h()`
            Result `c()`: `h()`
    "#]],
    );
}

#[test]
fn functions_have_their_own() {
    check(
        "if (a) { const f = x => x ? b() : c(); class D { e = a && 1; static { if (a) g() } } }",
        expect![[r#"
        if (a): always
        const f = x => x ? b() : c();: `a`
        x ? b() : c(): always
            Call `b()`: `x`
            Result `b()`: `x`
            Call `c()`: not `x`
            Result `c()`: not `x`
        class D: `a`
        e = a && 1;: always
        if (a) g(): always
        g(): `a`
    "#]],
    );
}

#[test]
fn nothing_is_known_of_branches_that_the_engine_prints() {
    check(
        "if (a) (b ? c : d)(e())",
        expect![[r#"
        if (a) (b ? c : d)(e()): always
        (b ? c : d)(e()): `a`
    "#]],
    );
}
