import React, { useState } from 'react';

export function Counter({ start = 0, step = 1 }) {
  const [count, setCount] = useState(start);
  return <button onClick={() => setCount(count + step)}>count is {count}</button>;
}
