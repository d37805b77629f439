// Where V8 reports names that are not there, and others that it reports at the start of their statement.
const show = (error) => console.log(error.message, error.stack.split('\n')[1].replace(/\(.*[\\/]/, '('));
const o = {};
function f() {
  undefinedName.foo.bar();
}
try { f(); } catch (error) { show(error); }
try { undefinedName.foo(); } catch (error) { show(error); }
try { undefinedName(); } catch (error) { show(error); }
try { undefinedName.foo.bar.baz; } catch (error) { show(error); }
try { o.a.b(); } catch (error) { show(error); }
try { o.a.b.c(); } catch (error) { show(error); }
try { o.a(undefinedName.x()); } catch (error) { show(error); }
try { new undefinedName.X(); } catch (error) { show(error); }
try { later.x.y(); let later; } catch (error) { show(error); }
switch (1) { case 1: try { undefinedName.a.b(); } catch (error) { show(error); } }
console.log(eval('1; o.toString.call("x")'), eval('do { o.toString(); } while (false)'));
lost: o.toString();
undefinedName.foo.bar();
