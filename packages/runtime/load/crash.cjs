// An exception that nobody catches: it is recorded, and what Node prints of it shows the original text.
'use strict';
const { replace } = load('load/hide.cjs');
const { mended } = load('load/messages.cjs');
const tests = load('load/tests.cjs');

function install({ native, recorder, isMainThread }) {
  const { apply } = Reflect;
  const { listenerCount, hasUncaughtExceptionCaptureCallback } = process;
  if (isMainThread) native.watchUncaught();
  replace(process, '_fatalException', (plain) => ({
    method(error, fromPromise) {
      const isFatal = apply(listenerCount, process, ['uncaughtException']) === 0 && !hasUncaughtExceptionCaptureCallback();
      // Listeners of `exit` still run, so this comes before them where the end is certain.
      mended(error);
      if (isFatal) recorder.uncaught(error, fromPromise === true);
      const handled = apply(plain, this, arguments);
      if (!handled && !isFatal) recorder.uncaught(error, fromPromise === true);
      if (!handled) tests.uncaught(error);
      if (!handled && isMainThread) native.holdStderr();
      return handled;
    },
  }));
}

module.exports = { install };
