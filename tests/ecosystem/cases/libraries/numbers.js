const { BigNumber } = require('bignumber.js');
const Decimal = require('decimal.js');
const math = require('mathjs');
const jwt = require('jsonwebtoken');
const bcrypt = require('bcryptjs');
const uuid = require('uuid');

console.log(new BigNumber('0.1').plus('0.2').toString(), new BigNumber(2).pow(200).toFixed(), new Decimal(2).sqrt().toFixed(40), Decimal.acos(-1).toString());
console.log(math.evaluate('sqrt(3^2 + 4^2) + det([[1, 2], [3, 4]])'), math.derivative('x^3 + 2x', 'x').toString(), math.simplify('2x + 3x').toString(), math.format(math.unit('5 km').to('mile'), 6), math.parse('f(x) = x^2').compile().evaluate({}).toString());
try { math.evaluate('1 + * 2'); } catch (error) { console.log(error.message); }
const token = jwt.sign({ sub: 'me', iat: 1700000000 }, 'secret');
console.log(token, jwt.verify(token, 'secret').sub);
try { jwt.verify(token, 'other'); } catch (error) { console.log(error.stack); }
console.log(bcrypt.compareSync('password', bcrypt.hashSync('password', 4)), uuid.v5('a', uuid.v5.URL), uuid.validate(uuid.v4()));
