export enum Kind { A, B }
export interface unused { x: 1 }
export default 'default' as const;
