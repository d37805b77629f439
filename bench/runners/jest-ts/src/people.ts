export interface Turn<T> {
  next(): T;
}

export function inTurn<T>(people: readonly T[]): Turn<T> {
  let at = 0;
  return {
    next() {
      const person = people[at % people.length];
      at += 1;
      return person;
    },
  };
}
