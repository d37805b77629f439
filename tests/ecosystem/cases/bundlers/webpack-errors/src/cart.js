import './missing.js';
export const total = ;
