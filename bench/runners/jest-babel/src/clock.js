export const clock = { now: 0 };

export function tick(by = 1) {
  clock.now += by;
}
