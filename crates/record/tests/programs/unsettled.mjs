const later = () => new Promise(() => {});
const x = 1; await later(x);
