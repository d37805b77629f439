export function backoff(first, most) {
  return function delayOf(attempt) {
    if (attempt === 0) return first;
    const delay = first * 2 * attempt;
    return Math.min(delay, most);
  };
}
