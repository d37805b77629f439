/** Adds. @param a one @returns the sum */
export function add(a: number, b = 1): number { return a + b; }
/** A class. */ export abstract class A<T> { constructor(public readonly t: T) {} }
