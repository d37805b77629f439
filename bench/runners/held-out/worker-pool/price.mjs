export function price(lines) {
  const off = lines.length > 2 ? 5 : 50;
  let sum = 0;
  for (const { cents, count } of lines) sum += cents * count;
  return sum - off;
}
