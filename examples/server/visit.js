// Two visitors put one thing each into their baskets.
async function visit() {
  for (const [visitor, name] of [['ann', 'pen'], ['bob', 'book']]) {
    const reply = await fetch(`http://127.0.0.1:${process.env.PORT}/?visitor=${visitor}&name=${name}`);
    console.log(visitor, await reply.text());
  }
}

visit();
