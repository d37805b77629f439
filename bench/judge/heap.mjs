// The objects of a question as real objects, with the prototypes of a program's classes.

/** `moment` is entry or exit: which contents the objects get. */
export function parse(objects, moment, program) {
  const made = new Map();

  function object(number) {
    if (made.has(number)) return made.get(number);
    const described = objects[number];
    if (!described) throw new Error(`object ${number} is not in the question`);
    const contents = described[moment];
    if (!contents) throw new Error(`object ${number} has no contents at ${moment}`);
    if (described.complete === false) throw new Error(`object ${number} (${described.class}) is not complete`);
    const one = empty(described.class);
    made.set(number, one);
    for (const [key, held] of Object.entries(contents)) one[key] = value(held);
    return one;
  }

  function empty(name) {
    if (name === 'Array') return [];
    if (name === 'Object') return {};
    const known = program[name] ?? (/Error$/.test(name) ? globalThis[name] : undefined);
    if (!known) throw new Error(`the class ${name} is not in the program`);
    return Object.create(known.prototype);
  }

  function value({ type, text, object: number }) {
    switch (type) {
      case 'undefined': return undefined;
      case 'null': return null;
      case 'boolean': return text === 'true';
      case 'number': return Number(text);
      case 'string': return uncut(JSON.parse(text));
      case 'object': return object(number);
      default: throw new Error(`a value of type ${type}: ${text}`);
    }
  }

  return { made, object, value };
}

function uncut(text) {
  if (text.length > 200 && text.endsWith('…')) throw new Error('a string was cut');
  return text;
}
