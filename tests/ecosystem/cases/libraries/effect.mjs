import { Effect, Stream, Schedule, pipe } from 'effect';
import * as O from 'fp-ts/lib/Option.js';
import { glob } from 'glob';
import fg from 'fast-glob';
import fs from 'node:fs';
import pLimit from 'p-limit';
import { nanoid } from 'nanoid';

const program = Effect.gen(function* () {
  const n = yield* Effect.succeed(20);
  const all = yield* Effect.all([Effect.succeed(1), Effect.promise(async () => 2)], { concurrency: 2 });
  const list = yield* Stream.runCollect(Stream.range(1, 5).pipe(Stream.map((x) => x * n)));
  return [n, all, [...list]];
});
console.log(await Effect.runPromise(program));
let tries = 0;
console.log(await Effect.runPromise(Effect.retry(Effect.suspend(() => (++tries < 3 ? Effect.fail('again') : Effect.succeed(tries))), Schedule.recurs(5))));
console.log(String(await Effect.runPromiseExit(Effect.fail(new Error('a defect')))));
console.log(pipe(O.some(2), O.map((x) => x + 1), O.getOrElse(() => 0)), nanoid(7).length);
for (const name of ['a.js', 'b.ts', 'c/d.js']) { fs.mkdirSync('tree/c', { recursive: true }); fs.writeFileSync(`tree/${name}`, ''); }
console.log((await glob('tree/**/*.js')).sort(), (await fg('tree/**/*.{js,ts}')).sort());
const limit = pLimit(1);
console.log(await Promise.all([3, 1].map((n) => limit(async () => n))));
