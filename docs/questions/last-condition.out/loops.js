const list = [{ n: 1 }, { n: 0 }, { n: 2 }];
// first loop
for (const record of list) {
  record.bar = true;
  try {
    if (record.n === 2) check(record);
    reciprocal(record);
    record.bar = record.n < 0;
  } catch (exception) {
    // ignore
  }
}
let foo;
const cond = false;
// second loop
for (const record of list) {
  if (record.bar || cond) {
    record.bar = false;
    foo = null;
  } else {
    foo = record;
  }
  if (foo === null) throw new Error("assertion failed");
}
function check(record) {
  return record.n;
}
function reciprocal(record) {
  if (record.n === 0) throw new RangeError("no reciprocal");
  record.r = 1 / record.n;
}
