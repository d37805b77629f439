import { createClient } from '@libsql/client';
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('create table items (name text, price real)');
const insert = db.prepare('insert into items values (?, ?)');
for (const [name, price] of [['pen', 4], ['book', 30]]) insert.run(name, price);
console.log(db.prepare('select * from items where price > ?').all(3), db.prepare('select count(*) as n from items').get());
try { db.prepare('select nothing from nowhere'); } catch (error) { console.log(error.code, error.message); }
const client = createClient({ url: ':memory:' });
await client.batch(['create table t (a)', { sql: 'insert into t values (?)', args: [5] }]);
console.log((await client.execute('select a, a * 2 as b from t')).rows);
client.close();
