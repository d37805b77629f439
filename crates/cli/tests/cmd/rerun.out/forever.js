let n = 0;
setInterval(() => {
  n = n + 0;
}, 1);
