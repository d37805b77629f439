// Node 20, in the thread of module hooks: what the hooks of the program made of a module goes from here to the thread that runs it. We
// are no hook ourselves: the hooks of the program would see our file being resolved and loaded.
'use strict';
const { MessagePort } = require('worker_threads');
const hiding = load('load/hide.cjs');
const { MODULE } = load('contract.generated.cjs').KIND;

const { apply } = Reflect;
const { decode } = TextDecoder.prototype;

function install(context) {
  const { native } = context;
  hiding.install(context);
  hiding.intercept(MessagePort.prototype, 'postMessage', {
    before(...args) {
      const message = args[0];
      const module = message?.status === 'success' ? message.body : undefined;
      if (module?.format !== 'module' || module.source == null || typeof module.responseURL !== 'string') return undefined;
      const source = typeof module.source === 'string' ? module.source : apply(decode, new TextDecoder(), [module.source]);
      // TypeScript that no tool saw to was instrumented when its types were taken away.
      const code = native.hasPassed(source) ? undefined : native.instrument(source, module.responseURL, MODULE);
      if (code === undefined) return undefined;
      args[0] = { ...message, body: { ...module, source: code } };
      return args;
    },
  });
}

module.exports = { install };
