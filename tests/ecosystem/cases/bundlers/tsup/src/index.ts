export enum E { A } export const f = (x: E): string => E[x]!;
