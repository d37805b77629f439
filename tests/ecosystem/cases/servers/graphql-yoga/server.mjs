import { createServer } from 'node:http';
import { GraphQLError } from 'graphql';
import { createSchema, createYoga } from 'graphql-yoga';

const items = [{ id: '1', name: 'pen', price: 4 }];
const schema = createSchema({
  typeDefs: 'type Item { id: ID! name: String! price: Float! dear: Boolean! } type Query { items(under: Float): [Item!]! item(id: ID!): Item broken: Int refused: Int } type Mutation { add(name: String!, price: Float!): Item! } type Subscription { count(to: Int!): Int! }',
  resolvers: {
    Query: { items: (_, { under = Infinity }) => items.filter(({ price }) => price < under), item: async (_, { id }) => items.find((i) => i.id === id), broken: () => undefined.here, refused: () => { throw new GraphQLError('refused', { extensions: { code: 'NO' } }); } },
    Item: { dear: ({ price }) => price > 10 },
    Mutation: { add: (_, item) => { const made = { id: String(items.length + 1), ...item }; items.push(made); return made; } },
    Subscription: { count: { async *subscribe(_, { to }) { for (let i = 1; i <= to; i++) yield { count: i }; } } },
  },
});
const yoga = createYoga({ schema, graphiql: false, logging: { debug() {}, info() {}, warn: console.warn, error: (...args) => console.error('logged', ...args) } });
const server = createServer(yoga).listen(0, () => console.log(`listening on http://localhost:${server.address().port}`));
process.on('SIGTERM', () => server.close(() => console.log('closed')));
