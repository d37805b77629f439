// What was changed lately, for failures of which no history is known. A seeded defect is the newest change of its file, and a commit or
// branch changes more than that: other places are chosen by chance. That is what is known of such changes, and no more: some failures
// come of what was not changed lately.
const OLD_DEFECTS = 0.2;
// Of the places that a search comes to, in how many hunks, on average: few or many.
const FEW = 2;
const MANY = 12;

// The same failures, with a set of changes each.
export function changedLately(samples, random, names) {
  const [line, known] = ['changed lately', 'what was changed lately is known'].map((name) => names.indexOf(name));
  return samples.map((sample) => {
    const isOld = random() < OLD_DEFECTS;
    const nOthers = Math.floor(-Math.log(1 - random()) * (random() < 0.5 ? FEW : MANY));
    const chosen = new Set(Array.from({ length: nOthers }, () => Math.floor(random() * sample.hops.length)));
    const hops = sample.hops.map((hop, number) => {
      const isChanged = hop.isDefect ? !isOld : chosen.has(number);
      return { ...hop, features: hop.features.with(line, Number(isChanged)).with(known, 1) };
    });
    return { ...sample, hops };
  });
}

export function randomNumbers(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
