enum Base { Zero }
exports.multiply = (a: number, b: number): number => a * b + Base.Zero;
