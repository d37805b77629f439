// The history of busy.cjs is known: its steps in order, each with its values. `take` gets the recorded events one by one.
export class History {
  step = 0; // steps that were finished
  problem = undefined; // the first event that does not belong
  #i = 0; // calls of work()
  #sum = 0;
  #additions = 0;

  take(event) {
    const name = event.names[0];
    if (event.kind === 'Put' && name === 'step') this.#expect(event, ++this.step);
    else if (event.function === 'work' && event.kind === 'Param') { this.#expect(event, ++this.#i); this.#additions = 0; }
    else if (event.function === 'work' && event.kind === 'Var' && name === 'sum') this.#addition(event);
  }

  #addition(event) {
    this.#sum = this.#additions === 0 ? 0 : this.#sum + ((this.#i * (this.#additions - 1)) % 7);
    this.#additions++;
    this.#expect(event, this.#sum);
  }

  #expect(event, value) {
    if (event.value.text !== String(value)) this.problem ??= `@${event.event}, ${event.text}: ${value} expected`;
  }
}
