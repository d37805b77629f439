class PaymentError extends Error {
  constructor(message, options) { super(message, options); this.name = 'PaymentError'; this.code = 'E_PAY'; }
}
class Card { #number; constructor(n) { this.#number = n; } charge() { throw new PaymentError('declined', { cause: new RangeError('limit') }); } }
new Card(1).charge();
