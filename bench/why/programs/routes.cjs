// The shortest way through a network, and whether the plan can be kept.
const assert = require('node:assert');

function makeGraph(edges) {
  const graph = new Map();
  for (const [from, to, length] of edges) {
    if (!graph.has(from)) graph.set(from, []);
    if (!graph.has(to)) graph.set(to, []);
    graph.get(from).push({ to, length });
    graph.get(to).push({ to: from, length });
  }
  return graph;
}

function nearest(open, distances) {
  let best = null;
  for (const name of open) {
    if (best === null || distances.get(name) < distances.get(best)) best = name;
  }
  return best;
}

function shortest(graph, start) {
  const distances = new Map([[start, 0]]);
  const previous = new Map();
  const open = new Set([start]);
  while (open.size > 0) {
    const here = nearest(open, distances);
    open.delete(here);
    for (const { to, length } of graph.get(here)) {
      const distance = distances.get(here) + length;
      if (!distances.has(to) || distance < distances.get(to)) {
        distances.set(to, distance);
        previous.set(to, here);
        open.add(to);
      }
    }
  }
  return { distances, previous };
}

function path(previous, end) {
  const names = [end];
  let at = end;
  while (previous.has(at)) {
    at = previous.get(at);
    names.unshift(at);
  }
  return names;
}

function plan(graph, stops) {
  let total = 0;
  const way = [stops[0]];
  for (let i = 1; i < stops.length; i++) {
    const { distances, previous } = shortest(graph, stops[i - 1]);
    total += distances.get(stops[i]);
    way.push(...path(previous, stops[i]).slice(1));
  }
  return { total, way };
}

// checks
const graph = makeGraph([['home', 'park', 4], ['home', 'shop', 1], ['shop', 'park', 2], ['park', 'lake', 5], ['shop', 'lake', 9], ['lake', 'hill', 1]]);
const { total, way } = plan(graph, ['home', 'hill', 'park']);
if (total !== 15) throw new Error(`the way is ${total} long`);
assert.strictEqual(way.join(' '), 'home shop park lake hill lake park');
