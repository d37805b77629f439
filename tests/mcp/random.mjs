// Random calls: right ones, nearly right ones and nonsense. Everything is answered or refused with a sentence, within its budget.
import { tokens } from './client.mjs';

export async function randomCalls(client, count, seed) {
  const random = generator(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const { tools } = await client.listTools();
  const words = {
    place: ['total', 'cart.total', 'this.lines', 'line.price', '#31.price', 'percent', 'cart.lines[0]', 'nothing', 'a b', '#0', '', '💥'],
    point: ['P1', 'P2', 'P7', 'P999', 'crash', 'end', 'shop.js:16', 'cart.js:14#1', 'cart.js:14:3', 'offers.js:7', 'out:1', '@5', '@999999', 'shop.js:999', 'x', ''],
    other: ['write', 'call', 'throw', 'output', 'add', 'applyOffers', 'cart.js', 'offers.js', 'shop.js', '> 3', '"pen"', 'total + 1', 'line.price * 2', 'f()', '(', '2', 'true'],
  };
  const likely = {
    event: ['write', 'call', 'throw', 'output', 'branch', 'explosion'],
    function: ['add', 'applyOffers', 'total', 'Cart', 'ad'],
    file: ['cart.js', 'offers.js', 'shop.js', 'shpo.js'],
    stride: ['into', 'over', 'out', 'sideways'],
    value: ['> 3', '"pen"', 'undefined', '<', ''],
  };
  const numbers = [0, 1, 2, 3, 7, 14, 16, 200, 1500, -1, 2.5, 1e9];
  const value = (name, schema) => {
    const type = [schema.type ?? schema.anyOf?.map((one) => one.type) ?? 'string'].flat();
    if (random() < 0.02) return pick([null, {}, [], 'x', 12, true, ['a', 1]]);
    if (name === 'budget') return pick([200, 300, 700, 1500, 4000, 4000, 100, 'much']);
    if (name === 'run') return pick([1, 1, 1, 1, 1, 1, 99]);
    if (name === 'thread') return pick(['1', '1', '2', 'main']);
    if (type.includes('boolean')) return random() < 0.5;
    if (type.includes('integer')) return pick(numbers);
    if (['at', 'before', 'after'].includes(name)) return pick(words.point);
    if (['place', 'wrong', 'expression'].includes(name)) return pick(words.place);
    return pick(likely[name] ?? [...words.other, ...words.place]);
  };
  const counts = { answered: 0, refused: 0, ours: [], over: [] };
  for (let n = 0; n < count; n++) {
    // Running programs is tried elsewhere.
    const tool = pick(tools.filter(({ name }) => name !== 'record'));
    const { properties, required = [] } = tool.inputSchema;
    const args = {};
    for (const [name, schema] of Object.entries(properties)) {
      const chance = required.includes(name) ? 0.95 : ['when', 'cursor', 'thread'].includes(name) ? 0.03 : 0.2;
      if (random() < chance) args[name] = name === 'verdict' ? pick(['valid', 'invalid', 'unknown', 'maybe']) : value(name, schema);
    }
    if (random() < 0.02) args[pick(['plcae', 'x'])] = 1;
    const call = `${tool.name} ${JSON.stringify(args)}`;
    try {
      const result = await client.callTool({ name: tool.name, arguments: args });
      result.isError ? counts.refused++ : counts.answered++;
      const budget = Number.isInteger(args.budget) && args.budget >= 200 ? args.budget : 1500;
      const counted = tokens(result);
      if (counted > budget) counts.over.push(`${call}: ${counted} tokens`);
      for (const { tool: next, arguments: given } of result.structuredContent?.next ?? []) {
        if (!tools.some(({ name }) => name === next)) counts.ours.push(`${call}: names ${next} as the next tool`);
        if (given === undefined) counts.ours.push(`${call}: names no arguments of ${next}`);
      }
    } catch (error) {
      counts.ours.push(`${call}: ${error.message}`);
    }
  }
  return counts;
}

function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
