'use strict';
// Shortest routes between towns.

class Road {
  constructor(to, length) {
    this.to = to;
    this.length = length;
  }
}

class Town {
  constructor(name) {
    this.name = name;
    this.roads = [];
    this.distance = Infinity;
    this.from = null;
    this.isDone = false;
  }

  addRoad(to, length) {
    this.roads.push(new Road(to, length));
  }
}

class Land {
  constructor() {
    this.towns = [];
  }

  town(name) {
    const known = this.findTown(name);
    if (known !== null) return known;
    const town = new Town(name);
    this.towns.push(town);
    return town;
  }

  findTown(name) {
    for (const town of this.towns) if (town.name === name) return town;
    return null;
  }

  connect(a, b, length) {
    const first = this.town(a);
    const second = this.town(b);
    first.addRoad(second, length);
    second.addRoad(first, length);
  }

  reset() {
    for (const town of this.towns) {
      town.distance = Infinity;
      town.from = null;
      town.isDone = false;
    }
  }

  nearest() {
    let best = null;
    for (const town of this.towns) {
      if (!town.isDone && (best === null || town.distance < best.distance)) best = town;
    }
    return best;
  }

  explore(start) {
    this.reset();
    this.town(start).distance = 0;
    let town = this.nearest();
    while (town !== null) {
      town.isDone = true;
      this.relaxAll(town);
      town = this.nearest();
    }
  }

  relaxAll(town) {
    for (const road of town.roads) this.relax(town, road);
  }

  relax(town, road) {
    const distance = town.distance + road.length;
    if (distance < road.to.distance) {
      road.to.distance = distance;
      road.to.from = town;
    }
  }

  route(start, goal) {
    this.explore(start);
    return this.trace(this.town(goal));
  }

  trace(town) {
    if (town.from === null) return town.name;
    return `${this.trace(town.from)} ${town.name}`;
  }
}

function build(roads) {
  const land = new Land();
  for (const [a, b, length] of roads) land.connect(a, b, length);
  return land;
}

function main(input) {
  const land = build(input.roads);
  for (const [start, goal] of input.trips) {
    const route = land.route(start, goal);
    console.log(route, land.town(goal).distance);
  }
}

const INPUTS = {
  usual: { roads: [['A', 'B', 4], ['A', 'C', 2], ['C', 'B', 1], ['B', 'D', 5], ['C', 'D', 8]], trips: [['A', 'D'], ['D', 'C']] },
  small: { roads: [['A', 'B', 1]], trips: [['A', 'B']] },
};

module.exports = { Road, Town, Land, build, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
