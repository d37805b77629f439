'use strict';
// Polygons of whole numbers: areas, hulls, points inside.

function cross(o, a, b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

function area(points) {
  let twice = 0;
  for (let i = 0; i < points.length; i++) {
    const next = points[(i + 1) % points.length];
    twice += cross({ x: 0, y: 0 }, points[i], next);
  }
  return Math.abs(twice) / 2;
}

function comesBefore(a, b) {
  return a.x < b.x || (a.x === b.x && a.y < b.y);
}

function sorted(points) {
  const order = [];
  for (const point of points) {
    let at = order.length;
    while (at > 0 && comesBefore(point, order[at - 1])) at--;
    order.splice(at, 0, point);
  }
  return order;
}

function half(points) {
  const kept = [];
  for (const point of points) {
    while (kept.length >= 2 && cross(kept[kept.length - 2], kept[kept.length - 1], point) <= 0) kept.pop();
    kept.push(point);
  }
  return kept;
}

function reversed(list) {
  const back = [];
  for (let i = list.length - 1; i >= 0; i--) back.push(list[i]);
  return back;
}

function hull(points) {
  const order = sorted(points);
  const lower = half(order);
  const upper = half(reversed(order));
  lower.pop();
  upper.pop();
  return lower.concat(upper);
}

function crosses(a, b, point) {
  if (a.y > point.y === b.y > point.y) return false;
  return point.x < ((b.x - a.x) * (point.y - a.y)) / (b.y - a.y) + a.x;
}

function isInside(polygon, point) {
  let inside = false;
  for (let i = 0; i < polygon.length; i++) {
    if (crosses(polygon[i], polygon[(i + 1) % polygon.length], point)) inside = !inside;
  }
  return inside;
}

function told(points) {
  let text = '';
  for (const point of points) text += `(${point.x},${point.y})`;
  return text;
}

function main(input) {
  const around = hull(input.points);
  console.log('hull', told(around), 'area', area(around));
  for (const point of input.asked) console.log(told([point]), isInside(around, point));
}

const INPUTS = {
  usual: {
    points: [{ x: 0, y: 0 }, { x: 4, y: 1 }, { x: 2, y: 2 }, { x: 5, y: 5 }, { x: 1, y: 4 }, { x: 3, y: 3 }, { x: 0, y: 2 }],
    asked: [{ x: 1, y: 1 }, { x: 4, y: 4 }, { x: 5, y: 1 }, { x: 0, y: 4 }, { x: 3, y: 4 }],
  },
  small: { points: [{ x: 0, y: 0 }, { x: 2, y: 0 }, { x: 0, y: 2 }], asked: [] },
};

module.exports = { cross, area, comesBefore, sorted, half, reversed, hull, crosses, isInside, told, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
