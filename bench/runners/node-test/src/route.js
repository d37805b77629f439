import { Queue } from './queue.js';

export function route(map, from, to) {
  const queue = new Queue();
  const done = new Set();
  queue.put({ path: [from], cost: 0 });
  while (!queue.isEmpty) {
    const { path, cost } = queue.take();
    const place = path.at(-1);
    if (place === to) return { path, cost };
    if (done.has(place)) continue;
    done.add(place);
    for (const road of map.get(place) ?? []) {
      queue.put({ path: [...path, road.to], cost: cost + road.cost });
    }
  }
  return undefined;
}
