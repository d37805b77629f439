'use strict';

function value(text) {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+$/.test(text) ? parseInt(text, 8) : text;
}

exports.parse = function parse(source) {
  const settings = {};
  for (const line of source.split('\n')) {
    const [key, text] = line.split('=');
    if (text !== undefined) settings[key.trim()] = value(text.trim());
  }
  return settings;
};
