// A value as a tag and up to two words.
// The value encoded last.
var tag = TAG.NONE;
var low = 0;
var high = 0;
var float = new Float64Array(1);
var halves = new Int32Array(float.buffer);
// Stores a double into the words at once. As an own property V8 knows which function it is, and compiles the store in place.
// It throws behind the end, so who calls it has looked for room just before.
var doubles = new DataView(words.buffer, words.byteOffset, words.byteLength);
doubles.put = doubles.setFloat64;

// An object or function counts as used directly: its contents are taken if they were not yet.
function encode(x) {
  switch (typeof x) {
    case 'number':
      encodeNumber(x);
      break;
    case 'string':
      encodeString(x);
      break;
    case 'object':
      if (x === null) tag = TAG.NULL;
      else {
        low = use(x);
        tag = TAG.OBJECT;
      }
      break;
    case 'function':
      low = use(x);
      tag = TAG.OBJECT;
      break;
    default:
      encodeRare(x);
  }
}

function encodeNumber(x) {
  if ((x | 0) === x && (x !== 0 || 1 / x > 0)) {
    tag = TAG.INTEGER;
    low = x;
  } else {
    float[0] = x;
    tag = TAG.DOUBLE;
    low = halves[0];
    high = halves[1];
  }
}

const HUGE = 1n << 4096n;

function encodeRare(x) {
  switch (typeof x) {
    case 'undefined':
      tag = TAG.UNDEFINED;
      break;
    case 'boolean':
      tag = x ? TAG.TRUE : TAG.FALSE;
      break;
    case 'symbol':
      low = symbolNumber(x);
      tag = TAG.SYMBOL;
      break;
    case 'bigint':
      if (x > HUGE || x < -HUGE) tag = TAG.NOT_CAPTURED;
      else {
        low = stringNumber(`${x}`);
        tag = TAG.BIGINT;
      }
      break;
    default:
      tag = TAG.NOT_CAPTURED;
  }
}

var isObject = (x) => (typeof x === 'object' && x !== null) || typeof x === 'function';
