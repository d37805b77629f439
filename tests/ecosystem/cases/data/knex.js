const knex = require('knex');

const db = knex({ client: 'better-sqlite3', connection: { filename: 'shop.db' }, useNullAsDefault: true });
(async () => {
  await db.schema.createTable('items', (t) => { t.increments('id'); t.string('name').unique(); t.float('price').defaultTo(1); t.json('more'); });
  await db('items').insert([{ name: 'pen', price: 4 }, { name: 'book', price: 30 }, { name: 'ink' }]);
  console.log(await db('items').select('name').where('price', '>', 2).orderBy('price', 'desc'), await db('items').count({ n: '*' }).first());
  console.log(db('items as i').join('items as j', 'i.id', '<', 'j.id').whereIn('i.name', ['pen', "o'brien"]).toString());
  await db.transaction(async (trx) => { await trx('items').where({ name: 'pen' }).update({ price: 5 }); await trx('items').insert({ name: 'pen' }); }).catch((error) => console.log(error.code, error.message));
  console.log(await db('items').where('name', 'pen'), await db.raw('select sum(price) as total from items'));
  await db('none').select().catch((error) => console.log(error.message));
  const migrations = { migrationSource: { getMigrations: async () => ['one'], getMigrationName: (m) => m, getMigration: async () => ({ up: (k) => k.schema.table('items', (t) => t.string('colour')), down: () => {} }) } };
  console.log((await db.migrate.latest(migrations))[1], Object.keys(await db('items').columnInfo()));
  await db.destroy();
})();
