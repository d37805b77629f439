enum Old { X = 1 }
exports.old = Old.X as number;
