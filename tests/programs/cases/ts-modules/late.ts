export const late: string = 'late';
