// Random sparse policies: sites here and there, and some properties, as the questions of a person might ask for them.
export function randomPolicies(seed) {
  let state = seed >>> 0;
  const random = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * n);
  };
  return (file) => {
    const oneIn = 1 + random(6);
    const sites = [];
    for (let site = 0; site < 300; site++) if (random(oneIn) === 0) sites.push(`${file}:${site}`);
    const names = ['a', 'b', 'x', 'p', 'length', 'value', '0'].filter(() => random(3) === 0);
    const parts = [sites.length && `sites=${sites}`, names.length && `properties=${names}`, random(3) === 0 && 'elements', random(4) === 0 && 'frames'];
    return ['needed', ...parts.filter(Boolean)].join(' ');
  };
}

// The same policy for the same test, wherever the checkout is and whatever runs before.
export function policyOf(file, name, seed) {
  let hash = seed;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return randomPolicies(hash)(file);
}
