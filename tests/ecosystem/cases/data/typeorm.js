require('reflect-metadata');
const { DataSource, EntitySchema } = require('typeorm');

const Item = new EntitySchema({ name: 'Item', columns: { id: { type: Number, primary: true, generated: true }, name: { type: String, unique: true }, price: { type: 'float' } }, relations: { shop: { type: 'many-to-one', target: 'Shop' } } });
const Shop = new EntitySchema({ name: 'Shop', columns: { id: { type: Number, primary: true, generated: true }, title: { type: String } }, relations: { items: { type: 'one-to-many', target: 'Item', inverseSide: 'shop', cascade: true } } });
(async () => {
  const source = await new DataSource({ type: 'sqljs', synchronize: true, entities: [Item, Shop] }).initialize();
  const shops = source.getRepository('Shop');
  await shops.save({ title: 'corner', items: [{ name: 'pen', price: 4 }, { name: 'book', price: 30 }] });
  console.log(JSON.stringify(await shops.find({ relations: { items: true } })), source.getRepository('Item').createQueryBuilder('i').where('i.price > :p', { p: 3 }).getSql());
  await source.getRepository('Item').save({ name: 'pen', price: 1 }).catch((error) => console.log(error.name, error.message));
  await source.destroy();
})();
