// An exception that nobody catches: it is recorded, and what Node prints of it shows the original text.
'use strict';
const { replace } = load('load/hide.cjs');

function install({ native, recorder, isMainThread }) {
  const { apply } = Reflect;
  replace(process, '_fatalException', (plain) => ({
    method(error, fromPromise) {
      recorder.uncaught(error, fromPromise === true);
      const handled = apply(plain, this, arguments);
      if (!handled && isMainThread) native.holdStderr();
      return handled;
    },
  }));
}

module.exports = { install };
