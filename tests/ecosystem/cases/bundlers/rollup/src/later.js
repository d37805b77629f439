export default (lines) => lines.map((line) => ({ ...line, late: true }));
