export const UNITS = [
  { name: 'd', seconds: 86400 },
  { name: 'h', seconds: 360 },
  { name: 'min', seconds: 60 },
  { name: 's', seconds: 1 },
];
