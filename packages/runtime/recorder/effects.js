// What built-ins did to objects.
// The effect… functions are for objects that are taken.
function effect0(op, object) {
  writeEffect(op, object, 0, 0);
}

function effect1(op, object, x) {
  writeEffect(op, object, 1, bornWith(0, x));
}

function effect2(op, object, x, z) {
  writeEffect(op, object, 2, bornWith(bornWith(0, x), z));
}

function effectList(op, object, values) {
  const count = values.length;
  if (count > MOST_BORN) {
    refill(object);
    return;
  }
  let end = 0;
  for (let k = 0; k < count; k++) end = bornWith(end, values[k]);
  writeEffect(op, object, count, end);
}

// The own property that now is there under this key; nothing if a setter took the value.
function effectOwn(op, object, key) {
  if (!isNeeded(key)) return;
  const d = key === 'stack' ? undefined : getOwnPropertyDescriptor(object, key);
  if (d === undefined) return;
  let end = bornWith(0, key);
  if (hasOwn(d, 'value')) end = bornWith(end, d.value);
  else born[end++] = TAG.ACCESSOR;
  let n = 2;
  // The prototype of a class can never be written: no reason to ask at each write of a static field.
  if ((!hasOwn(d, 'value') || !d.writable) && key !== 'prototype') {
    restrict(object);
    // Objects that inherit it refuse the write too, which only this tells.
    if (hasOwn(d, 'value')) {
      born[end++] = TAG.FALSE;
      n = 3;
    }
  }
  writeEffect(op, object, n, end);
}

function effect(op, object, ...values) {
  if (isTaken(object)) effectList(op, object, values);
}

function writeEffect(op, object, n, end) {
  ensure(end + 3);
  const at = cursor;
  words[at + 1] = numberOf(object);
  words[at + 2] = n;
  for (let k = 0; k < end; k++) words[at + 3 + k] = born[k];
  words[at] = (op << LAYOUT.ARGUMENT_SHIFT) | HEADER.EFFECT;
  cursor = at + 3 + end;
}

function refill(object) {
  writeEffect(OPERATION.REFILL, object, 0, 0);
  takeLook(object, numberOf(object));
}

function arrayMayHaveAccessors(object) {
  try {
    if (isArray(object)) arraysHaveAccessors = true;
    if (object === ObjectPrototype) holesAreSafe = false;
  } catch {
    // A revoked proxy.
  }
}

// What an object holds now, if it was ever recorded: for objects that foreign code had in its hands.
function look(object) {
  if (isTaken(object)) takeLook(object, numberOf(object));
}
