// A project with the bundled example, and official clients of `wherefore mcp` in it. Whatever is said is compared with the schema of the
// revision in which it is said.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { encode } from 'gpt-tokenizer';
import { removeFolder } from '../shared/recorded.mjs';
import { Schema, Transcript } from './schema.mjs';

export const checkout = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

// Each with what makes an official client speak it. The newest has no greeting.
const REVISIONS = {
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  '2025-06-18': { supportedProtocolVersions: ['2025-06-18'] },
};
export const revisions = Object.keys(REVISIONS);
const schemas = new Map();

// A transport that tells what it carries.
const overheard = (Transport) => class extends Transport {
  hear = () => {};
  #answered;

  async send(message, options) {
    [message].flat().forEach((message) => this.hear('client', message));
    return super.send(message, options);
  }

  get onmessage() {
    return this.#answered && ((message, extra) => {
      this.hear('server', message);
      this.#answered(message, extra);
    });
  }

  set onmessage(answered) {
    this.#answered = answered;
  }
};
const OverheardStdio = overheard(StdioClientTransport);
const OverheardHttp = overheard(StreamableHTTPClientTransport);

export class Project {
  constructor(wherefore, revision) {
    this.wherefore = wherefore;
    this.revision = revision;
    if (!schemas.has(revision)) schemas.set(revision, new Schema(revision));
    this.transcripts = [];
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-mcp-'));
    for (const file of ['shop.js', 'cart.js', 'offers.js']) {
      fs.copyFileSync(path.join(checkout, 'examples/shop', file), path.join(this.folder, file));
    }
    fs.writeFileSync(path.join(this.folder, 'endless.js'), ENDLESS);
    fs.writeFileSync(path.join(this.folder, 'fine.js'), 'console.log("all is well")\n');
    this.clients = [];
    this.servers = [];
  }

  arguments(more = ['--allow-run']) {
    return ['mcp', '--workspace', this.folder, ...more];
  }

  async client(more) {
    const transport = new OverheardStdio({ command: this.wherefore, args: this.arguments(more), stderr: 'inherit' });
    return this.connected(transport);
  }

  // A server over HTTP: its address, and its token.
  async server() {
    const server = spawn(this.wherefore, this.arguments(['--allow-run', '--port', '0']), { stdio: ['ignore', 'pipe', 'ignore'] });
    this.servers.push(server);
    let printed = '';
    for await (const chunk of server.stdout) {
      printed += chunk;
      const [, url, token] = /^(\S+)\nAuthorization: Bearer (\S+)\n/.exec(printed) ?? [];
      if (token !== undefined) return { url, token };
    }
    throw new Error(`the server said: ${printed}`);
  }

  async webClient({ url, token }) {
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    return this.connected(new OverheardHttp(new URL(url), { requestInit }));
  }

  async connected(transport) {
    const transcript = new Transcript(schemas.get(this.revision));
    this.transcripts.push(transcript);
    transport.hear = (from, message) => transcript.hear(from, message);
    const client = new Client({ name: 'wherefore-tests', version: '1.0.0' }, REVISIONS[this.revision]);
    await client.connect(transport);
    this.clients.push(client);
    return client;
  }

  async close() {
    for (const client of this.clients) await client.close().catch(() => {});
    this.servers.forEach((server) => server.kill());
    removeFolder(this.folder);
  }
}

// It says its process, and goes on.
const ENDLESS = `require('fs').writeFileSync('endless.pid', String(process.pid));
setInterval(() => {}, 1000);
`;

// An answer, as a client gives it; a refusal is an error here.
export async function ask(client, name, args = {}, options = undefined) {
  const result = await client.callTool({ name, arguments: args }, options);
  if (result.isError) throw new Error(`${name} ${JSON.stringify(args)}: ${said(result)}`);
  return result.structuredContent;
}

export async function refused(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  if (!result.isError) throw new Error(`${name} ${JSON.stringify(args)} was answered: ${said(result)}`);
  return said(result);
}

export function said(result) {
  return result.content.map((part) => part.text).join('\n');
}

// Tokens of the two forms of an answer, as a tokenizer in use counts them.
export function tokens(result) {
  const forms = [said(result), ...(result.structuredContent ? [JSON.stringify(result.structuredContent)] : [])];
  return Math.max(...forms.map((form) => encode(form).length));
}

export const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

export async function until(what, seconds = 20) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await new Promise((go) => setTimeout(go, 50))) {
    const value = await what();
    if (value) return value;
  }
  throw new Error(`it did not happen in ${seconds} s: ${what}`);
}
