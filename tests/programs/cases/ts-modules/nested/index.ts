export namespace deep { export const x: number = 1 }
