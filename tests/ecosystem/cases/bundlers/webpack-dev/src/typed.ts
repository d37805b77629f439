export const typed = (x: number): string => x.toFixed(1);
