// A wish to stop at a point while the program runs: at one hit of one site. In the text of that site a call of HELPER.STOP stands for
// its number (crates/node-addon/src/stop.rs). What it gives is a *beginning*, which the helper of the site then gets as its first
// argument and takes for the number: so it is known of each event where that what led to it began, through recursion and `await`.
//
// V8's own debugger does the rest, through a session of this thread: it calls back at a `debugger` statement while the program
// stands still there, and the program goes on when the callback is done.
//
// - To evaluate, an expression is given to the frame of the program. V8 refuses whatever has an effect. A site that records a
//   write does so behind it, so there it is evaluated at the beginning; elsewhere right before the event.
// - To halt, stepping out of it leads into the frame of the program, before anything of the site was done: the text has a
//   second call there. In that callback the inspector is opened, and waits for the person's debugger.
'use strict';
const { pathToFileURL } = require('url');
const { HELPER } = load('contract.generated.cjs');
const { SafeMap, startsWith } = load('load/primordials.cjs');
const { lend } = load('load/stop-stand-ins.cjs');
const { shown } = load('load/stop-values.cjs');

const { apply } = Reflect;
const { keys } = Object;
const LONGEST_EVALUATION = 10_000;
// Each takes some milliseconds, and deep recursion has any number of beginnings before the first event.
const MOST_EVALUATIONS = 16;

// The helpers, as the instrumented code is to have them.
function wrap(context, wish) {
  const { helpers } = context.recorder;
  const stop = createStop(context, wish[0], wish[1], wish[2]);
  const wrapped = { [HELPER.STOP]: stop.begin };
  for (const name of keys(helpers)) {
    wrapped[name] = typeof helpers[name] === 'function' ? stop.aware(helpers[name]) : helpers[name];
  }
  return wrapped;
}

module.exports = { wrap };

class Beginning {
  #place;

  constructor(place, ordinal) {
    this.#place = place;
    this.ordinal = ordinal;
    // What to report if this beginning turns out to be the right one.
    this.outcome = undefined;
  }

  static is(value) {
    return typeof value === 'object' && value !== null && #place in value;
  }

  get place() {
    return this.#place;
  }
}

// `hit` counts events of the site in this thread, `start` (0: none) its beginnings; without an expression the program halts.
function createStop({ native, recorder, folder }, hit, start, expression) {
  // Loaded now, as the program may change what it is made of.
  const inspector = require('inspector');
  const { cursor } = recorder;
  // As the inspector names our files.
  const ownUrl = `${pathToFileURL(folder).href}/`;
  const isEvaluation = expression !== undefined;
  const places = new SafeMap();
  // By the number that V8 gave them.
  const ownScripts = new SafeMap();
  let nBeginnings = 0;
  let nHits = 0;
  let nEvaluations = 0;
  let isDone = false;
  let session;

  function begin(slot) {
    const beginning = new Beginning(placeOf(slot), ++nBeginnings);
    if (!isDone && isWantedAt(beginning)) {
      connect(isEvaluation ? (frames) => evaluate(frames, beginning) : stepOutAndHalt);
      // Here and not in a function of its own: behind this one is the program.
      debugger;
      if (isEvaluation) disconnect();
    }
    return () => {
      if (session !== undefined) disconnect();
      return beginning;
    };
  }

  // A helper that knows what to do with a beginning.
  function aware(helper) {
    return function (first) {
      if (!Beginning.is(first)) return apply(helper, undefined, arguments);
      if (!isDone && isEvaluation && !first.place.isWrite && nHits + 1 === hit) {
        connect((frames) => evaluate(frames, first));
        debugger;
        disconnect();
      }
      arguments[0] = first.place.number;
      const before = cursor();
      const result = apply(helper, undefined, arguments);
      // Some keys may be none that is recorded.
      if (cursor() !== before && ++nHits === hit && !isDone) arrive(first);
      return result;
    };
  }

  return { begin, aware };

  function placeOf(slot) {
    if (!places.has(slot)) {
      const place = native.stopPlace(slot);
      places.set(slot, { number: place[0], isWrite: place[1], nests: place[2] });
    }
    return places.get(slot);
  }

  function isWantedAt({ ordinal, place }) {
    const isIt = start === 0 ? nHits + 1 === hit : ordinal === start;
    if (!isIt) return false;
    // If other code comes between, only the event tells which beginning is the right one, and then it is too late to halt.
    return isEvaluation ? place.isWrite && ++nEvaluations <= MOST_EVALUATIONS : (start !== 0 || !place.nests) && native.claimStop();
  }

  function arrive({ ordinal, outcome }) {
    isDone = true;
    if (outcome !== undefined) apply(native.reportStop, undefined, outcome);
    else native.reportStop('elsewhere', `${ordinal}`);
  }

  function connect(paused) {
    session = new inspector.Session();
    session.connect();
    session.on('Debugger.scriptParsed', ({ params }) => {
      if (startsWith(params.url, ownUrl)) ownScripts.set(params.scriptId, true);
    });
    session.on('Debugger.paused', (message) => paused(message.params.callFrames));
    session.post('Debugger.enable');
  }

  function disconnect() {
    session.post('Debugger.disable');
    session.disconnect();
    session = undefined;
  }

  function isOwn(frame) {
    return ownScripts.has(frame.location.scriptId);
  }

  function evaluate(frames, beginning) {
    let i = 0;
    while (isOwn(frames[i])) i++;
    const request = {
      callFrameId: frames[i].callFrameId,
      expression,
      throwOnSideEffect: true,
      silent: true,
      timeout: LONGEST_EVALUATION,
    };
    let answer;
    lend(() => session.post('Debugger.evaluateOnCallFrame', request, (error, reply) => { answer = { error, reply }; }));
    beginning.outcome = answer.error ? ['failed', answer.error.message] : outcomeOf(answer.reply);
  }

  function outcomeOf({ result, exceptionDetails }) {
    if (exceptionDetails === undefined) {
      return ['value', result.subtype === 'null' ? 'null' : result.type, shown(session, result)];
    }
    const thrown = exceptionDetails.exception;
    if (thrown === undefined) return ['failed', exceptionDetails.text];
    const isRefusal = thrown.className === 'EvalError' && startsWith(thrown.description, REFUSAL);
    return isRefusal ? ['refused'] : ['threw', shown(session, thrown)];
  }

  function stepOutAndHalt(frames) {
    if (isDone) return;
    if (isOwn(frames[0])) session.post('Debugger.stepOut');
    else halt(frames[0]);
  }

  function halt(frame) {
    isDone = true;
    try {
      if (inspector.url() === undefined) inspector.open(0, '127.0.0.1');
    } catch (error) {
      native.reportStop('failed', error.message);
      return;
    }
    native.reportStop('halted', inspector.url(), `${frame.location.lineNumber + 1}`, frame.functionName);
    // Node still believes that it waits to be resumed from the `debugger` statement, and would take the first resume of the
    // person's debugger for that.
    session.post('Debugger.resume');
    inspector.waitForDebugger();
  }
}

const REFUSAL = 'EvalError: Possible side-effect in debug-evaluate';
