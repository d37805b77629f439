const settings = new Map();

function load(names) {
  for (const name of names) {
    if (name.length > 3) settings.set(name, { limit: name.length });
  }
}

async function limitOf(name) {
  await null;
  const found = settings.get(name);
  const limit = found.limit;
  return limit;
}

load(['anna', 'bob']);
limitOf('bob').then((limit) => console.log(limit));
