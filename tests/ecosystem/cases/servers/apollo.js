const { ApolloServer } = require('apollo-server');

const server = new ApolloServer({ typeDefs: 'type Query { hello(name: String = "you"): String! broken: Int }', resolvers: { Query: { hello: (_, { name }) => `hello ${name}`, broken: () => null.here } }, includeStacktraceInErrorResponses: true });
(async () => {
  for (const query of ['{ hello }', '{ hello(name: "me") }', '{ broken }', '{ none }']) console.log(JSON.stringify((await server.executeOperation({ query })).body, null, 1));
  await server.stop();
})();
