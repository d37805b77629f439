'use strict';
// Plugins give commands and hooks to an application.
function createRegistry(log) {
  const commands = new Map();
  const hooks = { start: [], stop: [] };
  const loaded = [];

  function command(name, run, help = '') {
    if (commands.has(name)) throw new Error(`command ${name} is there already`);
    commands.set(name, { run, help });
  }
  function hook(name, f) {
    if (!hooks[name]) throw new Error(`there is no hook ${name}`);
    hooks[name].push(f);
  }
  function load(plugins, settings) {
    const order = [...plugins].sort((a, b) => (a.order ?? 50) - (b.order ?? 50));
    try {
      for (const plugin of order) {
        if (settings.disabled?.includes(plugin.name)) continue;
        plugin.setup({ command, hook, settings: settings[plugin.name] ?? {} });
        loaded.push(plugin.name);
      }
    } catch (error) {
      log.warn(`plugins: ${error.message}`);
    }
  }
  return { commands, hooks, loaded, load };
}
module.exports = { createRegistry };
