//! Each part of the language, by the calls that it leads to.

use expect_test::expect;

use crate::program::calls;

#[test]
fn functions_closures_and_values() {
    calls(
        "function a() { return b; }
         function b() {}
         const c = () => b();
         a()(); c();
         const pick = true ? a : c; pick();
         (function inner() { inner(); })();",
        expect![[r#"
            c → b
            inner → inner
            top → a
            top → b
            top → c
            top → inner
        "#]],
    );
}

#[test]
fn methods_get_their_own_receiver() {
    calls(
        "const one = { m() { this.n(); }, n() { only1(); } };
         const two = { m() { this.n(); }, n() { only2(); } };
         function only1() {} function only2() {}
         for (const o of [one, two]) o.m();",
        expect![[r#"
            m → n
            n → only1
            n → only2
            top → m
        "#]],
    );
}

#[test]
fn classes_inherit_and_override() {
    calls(
        "class Base { constructor() { this.init(); } init() {} common() {} static make() { return new this(); } }
         class Sub extends Base { init() { super.init(); } get size() { return helper(); } set size(v) { checked(v()); } }
         function helper() {} function checked() {} function value() {}
         const s = new Sub();
         s.common(); s.size; s.size = value; Sub.make();",
        expect![[r#"
            Base → init
            init → init
            make → Base
            size → checked
            size → helper
            size → value
            top → Base
            top → common
            top → make
            top → size
        "#]],
    );
}

#[test]
fn fields_private_members_and_static_blocks() {
    calls(
        "class A { #p = make(); f = () => this.#q(); #q() {} static s = made(); static { done(); } }
         function make() {} function made() {} function done() {}
         new A().f();",
        expect![[r#"
            <instance_members_initializer> → make
            <static_initializer> → done
            <static_initializer> → made
            f → `#q() {}`
            top → <instance_members_initializer>
            top → <static_initializer>
            top → f
        "#]],
    );
}

#[test]
fn prototypes_of_functions() {
    calls(
        "const util = require('util');
         function Animal() {} Animal.prototype.speak = function speak() { this.sound(); };
         Animal.prototype.sound = function sound() {};
         function Dog() { Animal.call(this); }
         Dog.prototype = Object.create(Animal.prototype);
         Dog.prototype.sound = function bark() {};
         function Cat() {} util.inherits(Cat, Animal);
         Cat.prototype.sound = function meow() {};
         new Dog().speak(); new Cat().speak();",
        expect![[r#"
            Dog → Animal
            speak → bark
            speak → meow
            top → Cat
            top → Dog
            top → speak
        "#]],
    );
}

#[test]
fn call_apply_and_bind() {
    calls(
        "function f(g) { g(); this.h(); }
         function g1() {} function g2() {} function g3() {}
         const o = { h() {} };
         f.call(o, g1); f.apply(o, [g2]); const b = f.bind(o, g3); b();
         function all() { f.apply(o, arguments); } all(g1);",
        expect![[r#"
            all → f
            f → g1
            f → g2
            f → g3
            f → h
            top → all
            top → f
        "#]],
    );
}

#[test]
fn callbacks_of_built_ins() {
    calls(
        "const list = [() => one(), () => two()];
         function one() {} function two() {} function less(a, b) {} function replaced() {} function revived() {} function from(x) {}
         list.forEach(f => f()); list.map(function mapped(f) { return f; }).pop()();
         list.sort(less); 'a'.replace(/a/, replaced); JSON.parse('{}', revived); Array.from(list, from);
         list.reduce(function folded(sum, f) { f(); return sum; }, 0);",
        expect![[r#"
            `() => one()` → one
            `() => two()` → two
            `f => f()` → `() => one()`
            `f => f()` → `() => two()`
            folded → `() => one()`
            folded → `() => two()`
            top → `() => one()`
            top → `() => two()`
            top → `f => f()`
            top → folded
            top → from
            top → less
            top → mapped
            top → replaced
            top → revived
        "#]],
    );
}

#[test]
fn promises_and_async_functions() {
    calls(
        "async function get() { return used; }
         function used() {} function caught() {}
         async function main() { (await get())(); }
         main().then(function after() { throw caught; }).catch(e => e());
         new Promise(function executor(resolve) { resolve(used); }).then(f => f());
         Promise.all([get()]).then(([f]) => f());",
        expect![[r#"
            `([f]) => f()` → used
            `e => e()` → caught
            `f => f()` → used
            main → get
            main → used
            top → `([f]) => f()` (later)
            top → `e => e()` (later)
            top → `f => f()` (later)
            top → after (later)
            top → executor
            top → get
            top → main
        "#]],
    );
}

#[test]
fn generators_and_iterators() {
    calls(
        "function* gen() { const got = yield a; got(); }
         function a() {} function b() {} function c() {}
         for (const f of gen()) f();
         gen().next(b);
         const own = { [Symbol.iterator]() { return { next() { return { value: c, done: false }; } }; } };
         for (const f of own) f();
         const [first] = own; first();",
        expect![[r#"
            gen → b
            top → `[Symbol.iterator]() { return { next() { …`
            top → a
            top → c
            top → gen
            top → next
        "#]],
    );
}

#[test]
fn events_by_name() {
    calls(
        "const EventEmitter = require('events');
         class E extends EventEmitter { go() { this.emit('go', arg); } }
         function arg() {} function onGo(f) { f(); } function onOther() {}
         const e = new E(); e.on('go', onGo); e.on('other', onOther); e.go();",
        expect![[r#"
            go → onGo
            onGo → arg
            top → go
            top → onGo (later)
            top → onOther (later)
        "#]],
    );
}

#[test]
fn timers_happen_later() {
    calls(
        "setTimeout(function tick(f) { f(); }, 1, done); function done() {} process.nextTick(done);",
        expect![[r#"
        tick → done
        top → done (later)
        top → tick (later)
    "#]],
    );
}

#[test]
fn maps_and_sets() {
    calls(
        "const m = new Map([['k', inMap]]); m.set(key, set); const s = new Set([inSet]);
         function inMap() {} function set() {} function inSet() {} function key() {}
         m.get('k')(); for (const [k, v] of m) { k(); } s.forEach(f => f()); for (const f of s.values()) f();
         m.forEach(function each(v, k) { v(); });",
        expect![[r#"
            `f => f()` → inSet
            each → inMap
            each → set
            top → `f => f()`
            top → each
            top → inMap
            top → inSet
            top → key
            top → set
        "#]],
    );
}

#[test]
fn patterns_defaults_rest_and_spread() {
    calls(
        "function f({ a, b: [c] = [d0], ...rest }, x = dx, ...more) { a(); c(); rest.r(); x(); more[0](); }
         function a0() {} function c0() {} function d0() {} function dx() {} function r0() {} function m0() {} function m1() {}
         f({ a: a0, b: [c0], r: r0 }, undefined, m0);
         f(...[{ a: a0 }, m1]);
         const copy = { ...{ s: r0 } }; copy.s();
         let t; ({ t } = { t: d0 }); t();",
        expect![[r#"
            f → a0
            f → c0
            f → d0
            f → dx
            f → f
            f → m0
            f → m1
            f → r0
            top → d0
            top → f
            top → r0
        "#]],
    );
}

#[test]
fn tags_optional_chains_and_new_target() {
    calls(
        "function tag(strings, f) { f(); } function used() {} function N() { new.target.made(); }
         N.made = function made() {};
         tag`x${used}`; const o = { m() {} }; o?.m?.(); new N();",
        expect![[r#"
            N → made
            tag → used
            top → N
            top → m
            top → tag
        "#]],
    );
}

#[test]
fn mixins_copy_properties() {
    calls(
        "const source = { m() {} }; const a = {}, b = {}, c = {};
         Object.assign(a, source); a.m();
         for (const k in source) b[k] = source[k]; b.m();
         Object.keys(source).forEach(function copy(k) { c[k] = source[k]; }); c.m();",
        expect![[r#"
            top → copy
            top → m
        "#]],
    );
}

#[test]
fn assigning_all_properties_calls_setters() {
    calls(
        "class Base { set inherited(f) { f(); } }
         class Target extends Base { set own(f) { f(); } set other(f) { f(); } }
         const read = { get own() { return given; } }; function given() {}
         Object.assign(new Target(), read);
         Object.assign(new Target(), { inherited: given });
         const later = {}; Object.assign(later, { late: given });
         Object.defineProperty(later, 'late', { set: function late(f) { f(); } });",
        expect![[r#"
            inherited → given
            late → given
            own → given
            top → inherited
            top → late
            top → own
        "#]],
    );
}

#[test]
fn accessors_that_are_defined() {
    calls(
        "const o = {}; Object.defineProperty(o, 'x', { get() { return f; } }); function f() {}
         o.x(); Object.defineProperties(o, { y: { value: f } }); o.y();",
        expect![[r#"
            top → f
            top → get
        "#]],
    );
}

#[test]
fn accessors_that_are_defined_in_every_way() {
    calls(
        "const { defineProperty } = Object; const o = {}; o.a; o.b; o.c = 1; o.d; o.e;
         defineProperty(o, 'a', { get: function getA() {} });
         Object.defineProperties(o, { b: { get: function getB() {} }, c: { set: function setC(v) {} } });
         o.__defineGetter__('d', function getD() {});
         Reflect.defineProperty(o, 'e', { get: function getE() {} });
         const p = Object.create(null, { x: { get: function getX() {} } }); p.x;",
        expect![[r#"
            top → getA
            top → getB
            top → getD
            top → getE
            top → getX
            top → setC
        "#]],
    );
}

/// The object is spread, and the descriptors are used, before anything is known of what they hold.
#[test]
fn accessors_that_an_object_gets_later() {
    calls(
        "const o = {}, all = {}; const copy = { ...o }; Object.defineProperties(o, all);
         function later(x) { Object.defineProperty(x, 'a', { get: function getA() {} }); }
         function described(d) { d.b = { get: function getB() {} }; }
         later(o); described(all); o.b;",
        expect![[r#"
            top → described
            top → getA
            top → getB
            top → later
        "#]],
    );
}

/// Whatever takes all properties of an object asks its getters.
#[test]
fn getters_of_an_object_that_is_read_as_a_whole() {
    calls(
        "const o = { get rest() { return 1; } }, p = { get target() { return 1; } };
         const q = { get values() { return 1; } }, r = { get entries() { return 1; } };
         const { a, ...others } = o; let kept; ({ b: kept, ...kept } = p);
         Object.values(q); Object.entries(r);",
        expect![[r#"
            top → entries
            top → rest
            top → target
            top → values
        "#]],
    );
}

#[test]
fn keys_that_are_not_known() {
    calls(
        "const table = { a() {}, b() {} }; const name = process.argv[2];
         table[name]();
         const dictionary = {}; dictionary[name] = function kept() {}; dictionary[name]();
         const list = []; list.push(function pushed() {}); list[0]();
         const K = 'a'; table[K]();",
        expect![[r#"
            top → a
            top → b
            top → kept
            top → pushed
        "#]],
    );
}

#[test]
fn exceptions_and_conversions() {
    calls(
        "function thrower() { throw { handler() {} }; }
         try { thrower(); } catch (e) { e.handler(); }
         const o = { toString() { return ''; } }; `${o}`; '' + o;",
        expect![[r#"
            top → handler
            top → thrower
            top → toString
        "#]],
    );
}
