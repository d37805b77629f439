interface Reading {
  sensor: string;
  celsius: number | null;
}

function average(readings: Reading[]): number {
  let sum = 0;
  // The defect: a reading that is missing counts as one of zero degrees.
  for (const { celsius } of readings) sum += celsius ?? 0;
  return sum / readings.length;
}

const readings: Reading[] = [
  { sensor: 'roof', celsius: 21 },
  { sensor: 'cellar', celsius: null },
  { sensor: 'door', celsius: 19 },
];
const mean: number = average(readings);
if (mean !== 20) throw new Error(`the mean is ${mean.toFixed(1)}`);
