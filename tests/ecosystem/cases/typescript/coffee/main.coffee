class Cart
  constructor: (@prices) -> @lines = []
  add: (name, count = 1) ->
    throw new RangeError "there is no #{name}" unless name of @prices
    @lines.push {name, count, price: @prices[name]}
    this
  total: -> @lines.reduce ((sum, {price, count}) -> sum + price * count), 0

cart = new Cart pen: 4, book: 30
cart.add('pen', 2).add 'book'
console.log "total #{cart.total()}", (line.name for line in cart.lines)
console.log [1..5].filter((n) -> n % 2), cart?.none?.such
cart.add 'car'
