export function toRecord(names, cells) {
  const record = {};
  names.forEach((name, index) => {
    record[name] = cells[index];
  });
  return record;
}
