// Templates: {{name}}, {{#list}}…{{/list}}, {{^flag}}…{{/flag}}, filters after a bar.
const assert = require('node:assert');

const FILTERS = {
  upper: (value) => String(value).toUpperCase(),
  money: (value) => value.toFixed(2),
  or: (value, otherwise) => (value === undefined ? otherwise : value),
};

function split(template) {
  const parts = [];
  let at = 0;
  for (;;) {
    const open = template.indexOf('{{', at);
    if (open < 0) break;
    const close = template.indexOf('}}', open);
    if (open > at) parts.push({ kind: 'text', text: template.slice(at, open) });
    parts.push(tag(template.slice(open + 2, close).trim()));
    at = close + 2;
  }
  if (at < template.length) parts.push({ kind: 'text', text: template.slice(at) });
  return parts;
}

function tag(text) {
  if (text[0] === '#') return { kind: 'each', name: text.slice(1) };
  if (text[0] === '^') return { kind: 'unless', name: text.slice(1) };
  if (text[0] === '/') return { kind: 'end', name: text.slice(1) };
  const [name, ...filters] = text.split('|');
  return { kind: 'value', name, filters: filters.map((filter) => filter.split(':')) };
}

function nest(parts) {
  const root = { children: [] };
  const open = [root];
  for (const part of parts) {
    const inside = open[open.length - 1];
    if (part.kind === 'end') {
      open.pop();
      continue;
    }
    inside.children.push(part);
    if (part.kind === 'each' || part.kind === 'unless') {
      part.children = [];
      open.push(part);
    }
  }
  return root.children;
}

function lookUp(scopes, name) {
  for (let i = scopes.length - 1; i >= 0; i--) {
    if (name in scopes[i]) return scopes[i][name];
  }
  return undefined;
}

function print(nodes, scopes) {
  let out = '';
  for (const node of nodes) {
    if (node.kind === 'text') out += node.text;
    else if (node.kind === 'value') out += filtered(lookUp(scopes, node.name), node.filters);
    else if (node.kind === 'unless') {
      if (!lookUp(scopes, node.name)) out += print(node.children, scopes);
    } else {
      for (const item of lookUp(scopes, node.name)) out += print(node.children, [...scopes, item]);
    }
  }
  return out;
}

function filtered(value, filters) {
  return filters.reduce((result, [name, ...args]) => FILTERS[name](result, ...args), value);
}

function render(template, data) {
  return print(nest(split(template)), [data]);
}

// checks
const data = { shop: 'Corner', paid: false, items: [{ name: 'tea', price: 3.5 }, { name: 'jam', price: 4, note: 'new' }] };
const text = render('{{shop|upper}}:{{#items}} {{name}} {{price|money}} ({{note|or:-}}){{/items}}{{^paid}} unpaid{{/paid}}.', data);
assert.strictEqual(text, 'CORNER: tea 3.50 (-) jam 4.00 (new) unpaid.');
