// Moves and scales a circle at random, until it cannot be seen any more.
const circle = { x: 50, y: 50, r: 10 };

function randomStep() {
  const step = { dx: Math.random() * 10 - 5, dy: Math.random() * 10 - 5, scale: 1 };
  step.scale = Math.floor(Math.random() * 5) / 2;
  if (step.scale !== 0 && step.scale < 3);
  return step;
}

function move(shape, step) {
  shape.x += step.dx;
  shape.y += step.dy;
  shape.r = Math.min(shape.r * step.scale, 1000);
}

function draw(shape) {
  if (!(shape.r > 0)) throw new Error('the circle cannot be seen');
}

for (;;) {
  move(circle, randomStep());
  draw(circle);
}
