// Calls `take` with every line of a stream. `node:readline` of Node 24 takes U+2028, which JSON may hold, for the end of a line.
export function eachLine(stream, take) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    lines.forEach(take);
  });
}
