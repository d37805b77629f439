export type Type = { n: number };
export const named = <T extends Type,>({ n }: T): number => n;
