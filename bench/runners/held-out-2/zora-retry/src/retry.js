import { delays } from './delays.js';

export async function retry(task, options) {
  const tried = [];
  for (const delay of delays(options)) {
    tried.push(delay);
    try {
      return { result: await task(), tried };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  return { tried };
}
