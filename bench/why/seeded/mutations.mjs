// The ways to break a file: each gives splices of its text, `{ kind, start, end, text }`. They are what people get wrong or forget.
import * as acorn from 'acorn';

export function parsed(source) {
  const options = { ecmaVersion: 'latest', allowHashBang: true, allowReturnOutsideFunction: true };
  try {
    return acorn.parse(source, { ...options, sourceType: 'script' });
  } catch {
    return acorn.parse(source, { ...options, sourceType: 'module' });
  }
}

export function parses(source) {
  try {
    return Boolean(parsed(source));
  } catch {
    return false;
  }
}

export function spliced(source, { start, end, text }) {
  return source.slice(0, start) + text + source.slice(end);
}

// All that could be done to a file. `random` chooses where a kind has many possibilities at one place.
export function mutations(source, random) {
  const found = [];
  const file = { source, random, names: propertyNames(parsed(source)), strings: strings(parsed(source)) };
  visit(parsed(source), [], (node, parents) => {
    for (const [kind, splices] of Object.entries(KINDS)) {
      for (const splice of splices(node, parents, file) ?? []) {
        if (source.slice(splice.start, splice.end) !== splice.text) found.push({ kind, ...splice });
      }
    }
  });
  return found;
}

const KINDS = { operator, constant, negated, condition, statement, returned, argument, property, otherwise, leaving, bound, fallback, waiting, variable, guard, field };

const OPERATORS = {
  '<': ['<=', '>'], '<=': ['<'], '>': ['>=', '<'], '>=': ['>'], '===': ['!=='], '!==': ['==='], '==': ['!='], '!=': ['=='],
  '+': ['-'], '-': ['+'], '*': ['/', '+'], '/': ['*'], '%': ['*'], '&&': ['||'], '||': ['&&'], '??': ['&&'], '&': ['|'], '|': ['&'], '^': ['&'],
  '<<': ['>>'], '>>': ['<<'], '>>>': ['>>'], '+=': ['-=', '='], '-=': ['+='], '*=': ['='], '|=': ['&=', '='], '&=': ['|='], '++': ['--'], '--': ['++'],
};

function operator(node, parents, { source, random }) {
  const others = OPERATORS[node.operator];
  if (others === undefined) return [];
  const text = others[Math.floor(random() * others.length)];
  if (node.type === 'UpdateExpression') {
    const start = node.prefix ? node.start : node.end - 2;
    return [{ start, end: start + 2, text }];
  }
  if (!['BinaryExpression', 'LogicalExpression', 'AssignmentExpression'].includes(node.type)) return [];
  const start = source.indexOf(node.operator, afterParentheses(source, node.left.end));
  return start < 0 || start >= node.right.start ? [] : [{ start, end: start + node.operator.length, text }];
}

function constant(node, parents, { source, random, strings }) {
  const parent = parents.at(-1);
  if (node.type !== 'Literal' || !ordinaryLiteral(node, parent)) return [];
  if (typeof node.value === 'boolean') return [changed(node, String(!node.value))];
  if (typeof node.value === 'number') return Number.isSafeInteger(node.value) ? [changed(node, String(random() < 0.6 || node.value === 0 ? node.value + 1 : node.value - 1))] : [];
  if (node.regex) return /[gi]/.test(node.regex.flags) ? [changed(node, source.slice(node.start, node.end).replace(/[gi](?=[a-z]*$)/, ''))] : [];
  if (typeof node.value !== 'string') return [];
  const other = random() < 0.5 ? any(random, strings.filter((text) => text !== node.value)) : undefined;
  return [changed(node, JSON.stringify(other ?? (node.value.length > 1 ? node.value.slice(0, -1) : `${node.value}_`)))];
}

function ordinaryLiteral(node, parent) {
  if (/^(Import|Export)/.test(parent.type) || parent.directive !== undefined) return false;
  if (parent.type === 'CallExpression' && parent.callee.name === 'require') return false;
  return !(parent.type === 'Property' && parent.key === node) && parent.type !== 'PropertyDefinition' && parent.type !== 'MethodDefinition';
}

function negated(node, parents, { source }) {
  if (node.type !== 'IfStatement' && node.type !== 'ConditionalExpression') return [];
  const { test } = node;
  if (test.type === 'UnaryExpression' && test.operator === '!') return [changed(test, source.slice(test.argument.start, test.argument.end))];
  return [changed(test, `!(${source.slice(test.start, test.end)})`)];
}

// Half of a condition is missing, or all of it.
function condition(node, parents, { source, random }) {
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') return [changed(node.test, random() < 0.7 ? 'true' : 'false')];
  const parent = parents.at(-1);
  if (node.type !== 'LogicalExpression' || !(parent.test === node || parent.type === 'LogicalExpression')) return [];
  const half = random() < 0.5 ? node.left : node.right;
  return [changed(node, `(${source.slice(half.start, half.end)})`)];
}

function statement(node) {
  if (node.type !== 'ExpressionStatement' || node.directive !== undefined) return [];
  return isExport(node.expression) || !['AssignmentExpression', 'CallExpression', 'UpdateExpression', 'AwaitExpression'].includes(node.expression.type) ? [] : [changed(node, ';')];
}

function isExport({ type, left, callee }) {
  if (type === 'CallExpression') return callee.type === 'FunctionExpression' || callee.type === 'ArrowFunctionExpression' || callee.object?.type === 'FunctionExpression';
  return type === 'AssignmentExpression' && /^(module|exports|root|window|global|globalThis)$/.test(left.name ?? left.object?.name ?? left.object?.object?.name ?? '');
}

function returned(node, parents, { source, random }) {
  if (node.type !== 'ReturnStatement' || !node.argument || /Function|Class/.test(node.argument.type)) return [];
  const called = /^(Call|Assignment|Await)Expression$/.test(node.argument.type) && random() < 0.5;
  return [changed(node, called ? `${source.slice(node.argument.start, node.argument.end)};` : 'return;')];
}

function argument(node, parents, { source, random }) {
  if (!['CallExpression', 'NewExpression'].includes(node.type) || node.arguments.length === 0 || node.callee.name === 'require') return [];
  const given = node.arguments;
  const text = (argument) => source.slice(argument.start, argument.end);
  const splices = [];
  if (given.length > 1 && given.every((argument) => !/Function|Spread/.test(argument.type))) {
    const at = Math.floor(random() * (given.length - 1));
    splices.push({ start: given[at].start, end: given[at + 1].end, text: `${text(given[at + 1])}, ${text(given[at])}` });
  }
  splices.push(given.length > 1 ? { start: given.at(-2).end, end: given.at(-1).end, text: '' } : changed(given[0], ''));
  const at = given[Math.floor(random() * given.length)];
  const other = at.type === 'Identifier' ? otherVariable(at, parents, random) : undefined;
  if (other !== undefined) splices.push(changed(at, other));
  return [any(random, splices)];
}

function property(node, parents, { random, names }) {
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return [];
  const { name, start } = node.property;
  if (node.object.name === 'module' || node.object.name === 'exports' || name === 'prototype' || name === 'exports') return [];
  const called = parents.at(-1).type === 'CallExpression' && parents.at(-1).callee === node;
  const near = names.filter((other) => other.name !== name && other.called === called && Math.abs(other.start - start) < 800);
  const other = any(random, near);
  return other === undefined ? [] : [changed(node.property, other.name)];
}

function otherwise(node) {
  return node.type === 'IfStatement' && node.alternate ? [{ start: node.consequent.end, end: node.alternate.end, text: '' }] : [];
}

function leaving(node) {
  return node.type === 'BreakStatement' || node.type === 'ContinueStatement' ? [changed(node, ';')] : [];
}

function bound(node, parents, { source, random }) {
  if (node.type === 'BinaryExpression' && /^[+-]$/.test(node.operator) && node.right.value === 1) return [changed(node, `(${source.slice(node.left.start, node.left.end)})`)];
  if (node.type === 'ForStatement') return forBounds(node, source, random);
  const cut = node.type === 'CallExpression' && /^(slice|substring|substr|splice|charAt|charCodeAt)$/.test(node.callee.property?.name ?? '');
  const last = cut ? node.arguments.at(-1) : undefined;
  if (last === undefined || last.type === 'SpreadElement') return [];
  return [changed(last, `${grouped(source, last)} ${random() < 0.5 ? '+' : '-'} 1`)];
}

function forBounds({ init, test }, source, random) {
  const splices = [];
  const first = init?.declarations?.[0]?.init ?? (init?.type === 'AssignmentExpression' ? init.right : undefined);
  if (first !== undefined) splices.push(changed(first, first.value === 0 ? '1' : `${grouped(source, first)} + 1`));
  if (test?.type === 'BinaryExpression') splices.push(changed(test.right, `${grouped(source, test.right)} - 1`));
  return splices.length === 0 ? [] : [any(random, splices)];
}

function fallback(node, parents, { source }) {
  if (node.type === 'AssignmentPattern') return [{ start: node.left.end, end: node.right.end, text: '' }];
  if (node.type !== 'LogicalExpression' || node.operator === '&&') return [];
  const parent = parents.at(-1);
  const asValue = ['VariableDeclarator', 'AssignmentExpression', 'ReturnStatement', 'CallExpression', 'MemberExpression', 'Property', 'NewExpression'].includes(parent.type);
  return asValue ? [changed(node, parent.type === 'MemberExpression' ? `(${source.slice(node.left.start, node.left.end)})` : source.slice(node.left.start, node.left.end))] : [];
}

function waiting(node, parents, { source }) {
  return node.type === 'AwaitExpression' ? [changed(node, source.slice(node.argument.start, node.argument.end))] : [];
}

function variable(node, parents, { random }) {
  const parent = parents.at(-1);
  if (node.type !== 'Identifier' || !isRead(node, parent)) return [];
  const other = otherVariable(node, parents, random);
  return other === undefined ? [] : [changed(node, other)];
}

function isRead(node, parent) {
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed;
  if (parent.type === 'CallExpression') return parent.callee !== node;
  if (parent.type === 'AssignmentExpression') return parent.right === node;
  if (parent.type === 'VariableDeclarator') return parent.init === node;
  return ['BinaryExpression', 'LogicalExpression', 'UnaryExpression', 'ReturnStatement', 'IfStatement', 'ConditionalExpression', 'ArrayExpression', 'TemplateLiteral', 'SwitchStatement'].includes(parent.type);
}

// A case that was not thought of: a condition with what it leads to.
function guard(node, parents, { source }) {
  const short = node.type === 'IfStatement' && !node.alternate && source.slice(node.start, node.end).split('\n').length <= 6;
  return short ? [changed(node, ';')] : [];
}

function field(node, parents, { source, random }) {
  if (node.type !== 'ObjectExpression' || node.properties.length < 2 || node.properties.some(({ value }) => /Function/.test(value?.type ?? ''))) return [];
  const at = Math.floor(random() * (node.properties.length - 1));
  return [{ start: node.properties[at].start, end: node.properties[at + 1].start, text: '' }];
}

// Another parameter or variable of the same function that is there by then, a parameter for a parameter.
function otherVariable(node, parents, random) {
  const owner = parents.findLast(({ type }) => /Function/.test(type));
  if (owner === undefined) return undefined;
  const own = variablesOf(owner);
  const role = own.find(({ name, start }) => name === node.name && start < node.start)?.role;
  if (role === undefined) return undefined;
  const others = own.filter(({ name, start }) => name !== node.name && start < node.start);
  const alike = others.filter((other) => other.role === role);
  return any(random, alike.length > 0 ? alike : others)?.name;
}

const variables = new WeakMap();
function variablesOf(owner) {
  if (!variables.has(owner)) variables.set(owner, [...owner.params.flatMap((param) => patternNames(param, 'parameter')), ...declared(owner.body)]);
  return variables.get(owner);
}

function declared(body) {
  const names = [];
  visit(body, [], (node, parents) => {
    if (parents.some(({ type }) => /Function|Class/.test(type))) return;
    if (node.type === 'VariableDeclarator') names.push(...patternNames(node.id, 'variable'));
  });
  return names;
}

function patternNames(pattern, role) {
  if (pattern.type === 'Identifier') return [{ name: pattern.name, start: pattern.start, role }];
  if (pattern.type === 'AssignmentPattern') return patternNames(pattern.left, role);
  return [];
}

function propertyNames(tree) {
  const names = [];
  visit(tree, [], (node, parents) => {
    const parent = parents.at(-1);
    if (node.type === 'MemberExpression' && !node.computed && node.property.type === 'Identifier' && !/^(prototype|exports)$/.test(node.property.name)) names.push({ name: node.property.name, start: node.property.start, called: parent.type === 'CallExpression' && parent.callee === node });
  });
  return names;
}

function strings(tree) {
  const found = [];
  visit(tree, [], (node, parents) => {
    if (node.type === 'Literal' && typeof node.value === 'string' && node.value.length < 20 && ordinaryLiteral(node, parents.at(-1))) found.push(node.value);
  });
  return found;
}

function visit(node, parents, each) {
  each(node, parents);
  const inner = [...parents, node];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child !== null && typeof child?.type === 'string') visit(child, inner, each);
    }
  }
}

function changed({ start, end }, text) {
  return { start, end, text };
}

function grouped(source, node) {
  const text = source.slice(node.start, node.end);
  return /^(Literal|Identifier|MemberExpression|CallExpression)$/.test(node.type) ? text : `(${text})`;
}

// Behind the operand there may be the parentheses that it stands in.
function afterParentheses(source, at) {
  let end = at;
  while (/[\s)]/.test(source[end])) end++;
  return end;
}

function any(random, list) {
  return list[Math.floor(random() * list.length)];
}
