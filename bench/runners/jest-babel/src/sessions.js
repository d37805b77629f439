import { clock } from './clock';
import { Lru } from './lru';

export class Sessions {
  #known = new Lru(2);

  open(id, name) {
    this.#known.set(id, { name, since: clock.now });
  }

  renew(id) {
    const session = this.#known.get(id);
    this.#known.set(id, { ...session, since: clock.now });
  }

  user(id) {
    return this.#known.get(id)?.name;
  }

  get size() {
    return this.#known.size;
  }
}
