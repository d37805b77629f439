// The published JSON schemas of the protocol, and whether a message is as they say.
//
// No registry has them as files. A crate that is made from them has each in the comment above its type, as it was published.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';

const here = path.dirname(fileURLToPath(import.meta.url));

export class Schema {
  constructor(revision) {
    const $defs = definitions(revision);
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    ajv.addSchema({ $id: revision, $defs });
    this.check = (name, value) => {
      const check = ajv.getSchema(`${revision}#/$defs/${name}`);
      return check(value) ? [] : check.errors.map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
    };
    // `tools/call` is CallToolRequest.
    this.names = new Map();
    for (const [name, { properties }] of Object.entries($defs)) {
      if (properties?.method?.const !== undefined) this.names.set(properties.method.const, name);
    }
    this.has = (name) => name in $defs;
  }

  // What is wrong with a message; `asked` is the method of the request that it answers.
  problems(message, asked) {
    const problems = this.check('JsonrpcMessage', message);
    const { method, result } = message;
    if (method !== undefined) {
      const name = this.names.get(method);
      return name === undefined ? [...problems, `${method} is no method`] : [...problems, ...this.check(name, message)];
    }
    if (result === undefined) return problems;
    const name = this.names.get(asked)?.replace(/Request$/, 'Result');
    // Some are answered with nothing in particular.
    return [...problems, ...this.check(name !== undefined && this.has(name) ? name : 'EmptyResult', result)];
  }
}

// What is said on one connection, and what is wrong with it.
export class Transcript {
  constructor(schema) {
    this.schema = schema;
    this.problems = [];
    this.count = 0;
    this.asked = { client: new Map(), server: new Map() };
  }

  hear(from, message) {
    this.count++;
    const to = from === 'client' ? 'server' : 'client';
    const isAnswer = message.method === undefined;
    if (!isAnswer && message.id !== undefined) this.asked[from].set(message.id, message.method);
    const problems = this.schema.problems(message, isAnswer ? this.asked[to].get(message.id) : undefined);
    this.problems.push(...problems.map((problem) => `${from}: ${problem} in ${JSON.stringify(message).slice(0, 500)}`));
  }
}

function definitions(revision) {
  const text = fs.readFileSync(path.join(crate(), 'src/generated_schema', revision.replaceAll('-', '_'), 'mcp_schema.rs'), 'utf8');
  const found = {};
  const documented = /^ *\/\/\/ ```json\n((?: *\/\/\/.*\n)+?) *\/\/\/ ```\n(?: *\/\/\/.*\n| *#\[.*\n)*? *pub \w+ (\w+)/gm;
  for (const [, comment, name] of text.matchAll(documented)) found[name] = JSON.parse(comment.replace(/^ *\/\/\/ ?/gm, ''));
  // Names are written as Rust writes them.
  const names = new Map(Object.keys(found).map((name) => [name.toLowerCase(), name]));
  names.set('error', 'RpcError');
  return JSON.parse(JSON.stringify(found), (key, value) => {
    if (key !== '$ref' || typeof value !== 'string') return value;
    const name = names.get(value.slice(value.lastIndexOf('/') + 1).toLowerCase());
    if (name === undefined) throw new Error(`${revision} has no ${value}`);
    return `#/$defs/${name}`;
  });
}

let known;

// Where cargo keeps it; it is fetched where it is missing.
function crate() {
  const read = () => execFileSync('cargo', ['metadata', '--format-version', '1', '--locked', '--manifest-path', path.join(here, 'schema/Cargo.toml')], {
    encoding: 'utf8', maxBuffer: 1 << 28,
  });
  known ??= path.dirname(JSON.parse(read()).packages.find(({ name }) => name === 'rust-mcp-schema').manifest_path);
  return known;
}
