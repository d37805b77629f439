export const total = (lines) => lines.reduce((sum, { price, count }) => sum + price * count, 0);
export const unused = () => "never";
