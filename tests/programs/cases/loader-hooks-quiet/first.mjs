import fs from 'node:fs';
let log; let name;
export function initialize(data) { ({ log, name } = data); }
export async function resolve(specifier, context, next) { fs.appendFileSync(log, `${name} resolve ${specifier}\n`); return next(specifier, context); }
export async function load(url, context, next) { fs.appendFileSync(log, `${name} load ${url}\n`); const result = await next(url, context); return url.endsWith('target.mjs') ? { ...result, source: `${result.source}\nexport const added = '${name}';` } : result; }
