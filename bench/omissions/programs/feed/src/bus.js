'use strict';
function createBus() {
  const handlers = new Map();
  return {
    subscribe(topic, handler) {
      if (!handlers.has(topic)) handlers.set(topic, []);
      handlers.get(topic).push(handler);
      return () => {
        const list = handlers.get(topic);
        const at = list.indexOf(handler);
        if (at >= 0) list.splice(at, 1);
      };
    },
    publish(topic, message) {
      for (const handler of handlers.get(topic) ?? []) handler(message);
    },
  };
}
module.exports = { createBus };
