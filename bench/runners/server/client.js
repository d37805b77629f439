'use strict';
const base = `http://127.0.0.1:${process.env.PORT ?? 34711}`;

async function main() {
  const { id } = await (await fetch(`${base}/sessions`, { method: 'POST' })).json();
  const headers = { cookie: `id=${id}` };
  await fetch(`${base}/nothing`, { headers });
  await fetch(`${base}/sign-in`, { method: 'POST', headers, body: JSON.stringify({ user: 'ann' }) });
  await fetch(`${base}/profile`, { headers });
  await fetch(`${base}/stop`, { headers });
}

main().catch(() => process.exit(1));
