export function delays({ first, factor, most }) {
  const list = [];
  for (let delay = first; list.length <= most; delay *= factor) list.push(delay);
  return list;
}
