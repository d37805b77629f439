const QUERIES = ['{ items { id name dear } }', 'mutation { add(name: "book", price: 30) { id dear } }', 'query Q($u: Float) { items(under: $u) { name } item(id: "2") { price } }', '{ broken refused }', '{ nothing }', '{ items {', 'subscription { count(to: 3) }', '{ __schema { types { name kind } } }'];

export default async function ask(address) {
  const replies = [];
  for (const query of QUERIES) {
    const reply = await fetch(`${address}/graphql`, { method: 'POST', body: JSON.stringify({ query, variables: { u: 10 } }), headers: { 'content-type': 'application/json', accept: query.startsWith('subscription') ? 'text/event-stream' : 'application/json' } });
    replies.push(`${query}\n${reply.status} ${reply.headers.get('content-type')}\n${await reply.text()}`);
  }
  return replies.join('\n');
}
