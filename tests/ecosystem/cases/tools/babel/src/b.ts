export enum E { A, B = "b" } export const x = <T,>(y: T): T => y!; namespace N { export const z = 1 }
