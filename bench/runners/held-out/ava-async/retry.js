import { backoff } from './backoff.js';

export async function retry(work, { times = 3, first = 10, most = 1000, sleep }) {
  const delayOf = backoff(first, most);
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= times) throw error;
      await sleep(delayOf(attempt));
    }
  }
}
