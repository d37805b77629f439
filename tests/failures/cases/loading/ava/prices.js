export const price = 3;
export const other price = 4;
