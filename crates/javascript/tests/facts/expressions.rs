//! What the value of each site is, and where it goes.

use expect_test::{Expect, expect};

use crate::words::facts;

/// Sites in the order of their events, function by function; with what they write and where the value comes from.
fn check(source: &str, expected: Expect) {
    let facts = facts(source);
    let mut sites: Vec<u32> = (0..facts.table.sites.len() as u32).collect();
    sites.sort_by_key(|&site| {
        let local = trace_model::LocalSite(site);
        (facts.table.site(local).function, facts.facts.site(local).order)
    });
    let mut answer = String::new();
    for site in sites.into_iter().map(trace_model::LocalSite) {
        let of = facts.facts.site(site);
        let target = of.target.map(|target| format!("{} = ", facts.expression(target))).unwrap_or_default();
        let value = of.value.map(|value| facts.expression(value)).unwrap_or_default();
        if of.order > 0 && (of.value.is_some() || of.target.is_some()) {
            answer.push_str(&format!("{}: {target}{value}\n", facts.site(site)));
        }
    }
    expected.assert_eq(&answer);
}

#[test]
fn writes() {
    check(
        "let x = a + 1; x += b; x++; --x; o.p = x; o[k] *= 2; o.n--; delete o.q; var y; let z",
        expect![[r#"
        Var `x = a + 1`: x = (global a + 1)
        Var `x += b`: x = (x + global b)
        VarIncrement `x++`: x = (x + 1)
        Var `--x`: x = (x - 1)
        Put `o.p = x`: (global o.p) = x
        PutComputed `o[k] *= 2`: (global o.[global k]) = ((global o.[global k]) * 2)
        PutDecrement `o.n--`: (global o.n) = ((global o.n) - 1)
        Delete `delete o.q`: (global o.q) = (delete (global o.q))
        Var `z`: z = undefined
    "#]],
    );
}

#[test]
fn calls_are_marked_before_their_parts_and_have_results_behind() {
    check(
        "x = f(g(1), ...h); o.m(n)[k](y); new A(b()); tag`${c} d`; o.on('e', cb)",
        expect![[r#"
        Call `f(g(1), ...h)`: global f(global g(1), ...global h)
        Call `g(1)`: global g(1)
        Result `g(1)`: global g(1)
        Var `x = f(g(1), ...h)`: global x = global f(global g(1), ...global h)
        Call `o.m(n)[k](y)`: ((global o.m)(global n).[global k])(global y)
        Call `o.m(n)`: (global o.m)(global n)
        Call `new A(b())`: new global A(global b())
        Call `b()`: global b()
        Result `b()`: global b()
        Call `tag`$`: global tag(other(), global c)
        Call `o.on('e', cb)`: (global o.on)("e", global cb)
        Argument `cb`: global cb
    "#]],
    );
}

#[test]
fn patterns() {
    check(
        "const {a, b: [c = d(), ...e], ...r} = f(); [o.p, g] = h; for (const [k, v] of m) ; for (i in j) ;",
        expect![[r#"
            Call `f()`: global f()
            Call `d()`: global d()
            Default `d()`: global d()
            Var `a`: a = (global f().a)
            Var `c`: c = ((element 0 of (global f().b)) default global d())
            Var `e`: e = (element 1… of (global f().b))
            Var `r`: r = (rest of global f())
            PutComputed `o.p`: (global o.p) = (element 0 of global h)
            Var `k`: k = (element 0 of (element of global m))
            Var `v`: v = (element 1 of (element of global m))
        "#]],
    );
}

#[test]
fn parameters() {
    check(
        "function f(a, {b}, [c] = d, ...e) { return arguments.length + this.x }",
        expect![[r#"
            Var `function f(a,`: f = function 1
            Default `d`: global d
            This `function f(a,`: this
            Param `a`: a = parameter 0
            Param `b`: b = (parameter 1.b)
            Param `c`: c = (element 0 of (parameter 2 default global d))
            Param `e`: e = ...parameter 3
            Arguments `function f(a,`: arguments
            Return `return arguments.length + this.x`: ((arguments.length) + (this.x))
        "#]],
    );
}

#[test]
fn logic() {
    check(
        "x = a && b || c; v = a ?? b; y = a ? b : c; z ||= w; if (!a) b",
        expect![[r#"
            Branch `a`: global a
            Branch `a && b`: (global a && global b)
            Var `x = a && b || c`: global x = ((global a && global b) || global c)
            Nullish `a`: global a
            Var `v = a ?? b`: global v = (global a ?? global b)
            Branch `a`: global a
            Var `y = a ? b : c`: global y = (global a ? global b : global c)
            Branch `z`: global z
            Var `z ||= w`: global z = global w
            Branch `!a`: (! global a)
        "#]],
    );
}

#[test]
fn suspension() {
    check(
        "async function f() { const x = await g(); const {y} = await h(); for await (const z of w) ; }",
        expect![[r#"
        Var `async function f()`: f = function 1
        Call `g()`: global g()
        Suspend `await g()`: global g()
        Resume `await g()`: (await global g())
        Var `x = await g()`: x = (await global g())
        Call `h()`: global h()
        Suspend `await h()`: global h()
        Var `y`: y = ((await global h()).y)
        Var `z`: z = (element of global w)
    "#]],
    );
    check(
        "function* f() { const x = yield a; yield* b }",
        expect![[r#"
        Var `function* f()`: f = function 1
        Suspend `yield a`: global a
        Resume `yield a`: (yield global a)
        Var `x = yield a`: x = (yield global a)
        Resume `yield* b`: (yield global b)
    "#]],
    );
}

#[test]
fn births() {
    check(
        "x = {a: 1, ['b']: c, ...d, m() {}, get g() { return 1 }}; y = [1, , ...z]; w = class A extends B { f = 1 }",
        expect![[r#"
            Literal ``: {a: 1, b: global c, m: function 1, ...global d}
            Var `x =`: global x = {a: 1, b: global c, m: function 1, ...global d}
            Literal `[1, , ...z]`: [1, , ...global z]
            Var `y = [1, , ...z]`: global y = [1, , ...global z]
            Var `w = class A extends B`: global w = other(global B)
            Return `return 1`: 1
            Field `f = 1`: (this.f) = 1
        "#]],
    );
    check(
        "f(() => 1, function () {}); function g() {} class C {}",
        expect![[r#"
        Var `function g()`: g = function 3
        Call `f(() => 1, function ()`: global f(function 1, function 2)
        FunctionBirth `() => 1`: function 1
        FunctionBirth `function ()`: function 2
        Var `class C`: C = other()
        Return `1`: 1
    "#]],
    );
}

#[test]
fn templates_and_chains() {
    check(
        "x = `a${b}c`; y = a?.b?.[c]; z = o.f?.(1); if ('k' in o && !(o instanceof P)) typeof q",
        expect![[r#"
        Var `x = `a$`: global x = template(["a", "c"]; global b)
        Nullish `a`: global a
        Nullish `a?.b`: (global a?.b)
        Var `y = a?.b?.[c]`: global y = ((global a?.b)?.[global c])
        Call `o.f?.(1)`: (global o.f)?.(1)
        Nullish `o.f`: (global o.f)
        Var `z = o.f?.(1)`: global z = (global o.f)?.(1)
        Branch `'k' in o`: ("k" in global o)
        Branch `'k' in o && !(o instanceof P)`: (("k" in global o) && (! (global o instanceof global P)))
    "#]],
    );
}

#[test]
fn loops_whose_variables_are_kept() {
    check(
        "for (let i = 0, n = 3; i < n; i++) fs.push(() => i)",
        expect![[r#"
        Var `i = 0`: i = 0
        Var `n = 3`: n = 3
        Loop `i < n`: (i < n)
        Call `fs.push(() => i)`: (global fs.push)(function 1)
        FunctionBirth `() => i`: function 1
        Carry `i`: i = i
        Carry `n`: n = n
        VarIncrement `i++`: i = (i + 1)
        Return `i`: i
    "#]],
    );
    check(
        "for (let [i] = x; ; ) fs.push(() => i)",
        expect![[r#"
        Var `i`: i = (element 0 of global x)
        Call `fs.push(() => i)`: (global fs.push)(function 1)
        FunctionBirth `() => i`: function 1
        Carry `i`: i = i
        Return `i`: i
    "#]],
    );
}

/// Expressions whose value an event carries, in the order of the source.
fn check_values(source: &str, expected: Expect) {
    let facts = facts(source);
    let mut values: Vec<_> =
        facts.facts.expressions.iter().filter(|expression| expression.value_site.is_some()).collect();
    values.sort_by_key(|expression| (expression.span.start, expression.span.end));
    let mut answer = String::new();
    for expression in values {
        let site = expression.value_site.map(|site| facts.site(site)).unwrap_or_default();
        answer.push_str(&format!("`{}` by {site}\n", facts.text(expression.span)));
    }
    expected.assert_eq(&answer);
}

#[test]
fn values_that_events_carry() {
    check_values(
        "x = a.b; y = f(g(1)).c; if (a < b) z = x++ + 1; if (h(2)) i = [await_, ...j]; k(l = m)",
        expect![[r#"
        `x = a.b` by Var `x = a.b`
        `a.b` by Var `x = a.b`
        `y = f(g(1)).c` by Var `y = f(g(1)).c`
        `f(g(1))` by Result `f(g(1))`
        `f(g(1)).c` by Var `y = f(g(1)).c`
        `g(1)` by Result `g(1)`
        `a < b` by Branch `a < b`
        `z = x++ + 1` by Var `z = x++ + 1`
        `x++` by VarIncrement `x++`
        `x++ + 1` by Var `z = x++ + 1`
        `h(2)` by Branch `h(2)`
        `i = [await_, ...j]` by Var `i = [await_, ...j]`
        `[await_, ...j]` by Literal `[await_, ...j]`
        `l = m` by Var `l = m`
        `m` by Var `l = m`
    "#]],
    );
    check_values(
        "function f(p) { switch (p.q) { case 1: throw r.s } return p ? t() : u.v }",
        expect![[r#"
        `function f(p)` by Var `function f(p)`
        `p` by Param `p`
        `p.q` by Discriminant `p.q`
        `r.s` by Throw `throw r.s`
        `p ? t() : u.v` by Return `return p ? t() : u.v`
        `t()` by Result `t()`
    "#]],
    );
}
