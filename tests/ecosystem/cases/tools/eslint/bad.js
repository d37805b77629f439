var unused = 1;
function f(x) {
  if (x == null) return undefinedName;
  if (x) { if (x > 1) { if (x > 2) return 1; } }
  switch (x) { case 1: y(); }
  debugger;
}
