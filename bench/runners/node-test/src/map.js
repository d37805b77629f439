export function createMap(roads) {
  const map = new Map();
  const link = (from, to, cost) => {
    if (!map.has(from)) map.set(from, []);
    map.get(from).push({ to, cost });
  };
  for (const [from, to, cost] of roads) {
    link(from, to, cost);
    link(to, from, cost);
  }
  return map;
}
