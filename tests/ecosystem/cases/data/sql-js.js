const initSqlJs = require('sql.js');
const { drizzle } = require('drizzle-orm/sql-js');
const { integer, sqliteTable, text } = require('drizzle-orm/sqlite-core');
const { eq, gt, sql } = require('drizzle-orm');
const { Kysely, DummyDriver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } = require('kysely');

(async () => {
  const { Database } = await initSqlJs();
  const db = new Database();
  db.run('create table items (id integer primary key, name text, price integer)');
  const statement = db.prepare('insert into items (name, price) values (?, ?)');
  for (const row of [['pen', 4], ['book', 30]]) statement.run(row);
  db.create_function('twice', (x) => x * 2);
  console.log(db.exec('select name, twice(price) from items'));
  try { db.exec('select nothing'); } catch (error) { console.log(error.message); }
  const items = sqliteTable('items', { id: integer('id').primaryKey(), name: text('name').notNull(), price: integer('price') });
  const orm = drizzle(db);
  console.log(orm.select().from(items).where(gt(items.price, 5)).all(), orm.insert(items).values({ name: 'ink', price: 2 }).returning().all());
  orm.update(items).set({ price: sql`${items.price} + 1` }).where(eq(items.name, 'pen')).run();
  console.log(orm.select({ n: sql`count(*)`, total: sql`sum(price)` }).from(items).toSQL(), db.export().length);
  const kysely = new Kysely({ dialect: { createAdapter: () => new SqliteAdapter(), createDriver: () => new DummyDriver(), createIntrospector: (k) => new SqliteIntrospector(k), createQueryCompiler: () => new SqliteQueryCompiler() } });
  console.log(kysely.selectFrom('items').select(['id', 'name']).where('price', '>', 3).orderBy('name').compile().sql);
})();
