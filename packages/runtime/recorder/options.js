// The part of Wherefore that writes events inside the debuggee: createRecorder(options).
//
// The files of this folder are one function when the program runs: make-runtime.js joins them, in the order that it says, and puts
// numbers in the place of the names of the contract (`TAG.INTEGER`). So they share variables, and V8 can inline across them.
//
// The events are 32-bit words in a ring of chunks (crates/trace-format/README.md draws them). Three rules hold everywhere:
//
// - An event's header is stored last, and the cursor moves after it: a killed process leaves a whole event or none. So
//   whatever an event refers to (a string, a symbol, a look at an object) is written completely before the event's own
//   first word.
// - No user code runs: no getter, no proxy trap, no patched built-in. All built-ins are captured here, at creation, and
//   called through captured functions; arrays are filled before use, so that a store never meets a setter on a prototype.
// - Nothing is kept alive but a bounded set of strings, dropped with every chunk.
//
// An object's number is its stamp: a V8 private symbol, which no program can see and which frozen objects take as well.
// A positive stamp means that the contents were taken; a negative one that the object was only met inside another one, or, below
// RESTRICTED, that they were taken and the object may refuse a write without a word (it is frozen, has an accessor, …).
// Proxies take no stamp, which is how they are recognised; they have a WeakMap.
//
// Options:
//   words              Int32Array over all chunks
//   state              Float64Array or Int32Array of 2: [first free word, limit] of the chunk being written. A check of the
//                      room is `cursor > limit`; the limit lies SLACK (64K words) before the end of the chunk.
//   advance(cursor)    ends the chunk at cursor, waits for a free one and puts its start and limit into `state`
//   idSymbol           a V8 private symbol, or undefined: then stamps are kept in a WeakMap
//   addsByField        whether a stamp that an object does not have yet is added as a field of a class; see stampers.js
//   siteNames(site)    keys of an ObjectLiteral site, key of a Put    arity(site)   number of elements of an ArrayLiteral site
//   isAssignment(site) whether a site records an assignment to a property, behind it; not there if nobody knows the sites
//   isProxy(o)         needed only without idSymbol, and to record only some properties
//   isFiltered         whether some sites emit nothing: then every helper looks for room itself
//   needed             [elements, name, …]: only properties of these names are recorded, and elements if so; not there: all are
//   opaque             array of objects whose contents are not taken (process, …)
//   otherKinds         [isMap, isSet, isDate, isRegExp, isNativeError, isPromise, isArrayBufferView, isAnyArrayBuffer,
//                      isBoxedPrimitive, isWeakMap, isWeakSet], for objects of other realms
//   mendMessage(e)     puts the message of an error right where V8 prints instrumented text in it; not there if there is none
//   entriesOf(o)       what a WeakMap (keys and values in turn) or WeakSet holds; not there if nobody can tell
//   watchesDefinitions whether builtins.js tells of every array and prototype that may have got an accessor as an element
//   x(e, s)            instruments the text of a direct eval
// What the helpers use on every event is `var`: of a `let` or `const` V8 would check each time that it is initialised.
var { words, state, advance, idSymbol, siteNames, arity, isAssignment } = options;
const isProxy = options.isProxy ?? (() => false);
const { addsByField, entriesOf, mendMessage } = options;
const evalText = options.x ?? ((e, s) => s);
