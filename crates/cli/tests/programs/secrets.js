const config = { user: 'admin', password: 'hunter2-planted', db: 'postgres://me:pgPlanted99@db.local/x', cvv: 973182640, cardNumber: 4111111111111111 };
const apiKey = "sk_live_PLANTEDabcdef123456";
const creds = JSON.parse('{"credentials":{"user":"bobPlanted","key":"nested-Planted-1"},"token":"tok-Planted-4711-abc"}');
const esc = { secret: 'esc\u0061pedPlanted' };
let admin = 1;
const auth = { password: 'admin' };
const wide = { password: 'ключ-Planted-π' };
function login(user, password) {
  const header = 'Basic ' + Buffer.from(user + ':' + password).toString('base64');
  const url = `https://api.example.com/?token=${encodeURIComponent('tok Planted/1')}&password=${password}`;
  console.log('login', JSON.stringify({ user, password }), header, url, [...Buffer.from(password)].length);
  return { headers: { Authorization: header, Cookie: 'sid=cookiePlanted77; a=b' } };
}
const res = login(config.user, config.password);
const bytes = new Uint8Array(Buffer.from(config.password));
const passwd = process.argv[2];
process.env.MY_SECRET = 'envPlanted55';
const env = process.env.MY_SECRET;
const m = new Map([['client_secret', 'mapPlanted66']]);
m.set('refresh_token', 'rtPlanted88');
// password: "commentPlanted9"
class A { #password = 'privPlanted10'; password2 = 'fieldPlanted11'; check(p) { return p === this.#password; } }
const a = new A();
console.error('the key is ' + apiKey + ' and ' + esc.secret + wide.password);
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJQTEFOVEVEIn0.c2lnUExBTlRFRA';
const note = 'contact jane.mailed@example.com about ORD-12345';
process.stdin.on('data', (text) => console.log(text.length)).on('end', () => {
  if (!a.check(config.password)) throw new Error('bad login for ' + config.password + ' with ' + jwt);
});
