export interface Shape { r: number }
export const area = ({ r }: Shape): number => 3 * r * r;
