// expected
const log = (label: string) => (value: any, context: any): any => {
  console.log(label, typeof value, context.kind, String(context.name), context.static, context.private, Object.keys(context.access ?? {}).sort().join());
  context.addInitializer?.(function (this: any) { console.log('init', label, typeof this); });
};
const bound = (_: any, { name, addInitializer }: any) => { addInitializer(function (this: any) { this[name] = this[name].bind(this); }); };
const twice = (_: any, context: any) => context.kind === 'accessor'
  ? { init: (x: number) => x * 2, get(this: any) { return 'got ' + _.get.call(this); } }
  : (x: number) => x * 2;
const upper = (f: any, _: any) => function (this: any, ...a: any[]) { return String(f.apply(this, a)).toUpperCase(); };
const named = <T extends new (...a: any[]) => any>(made: T, _: any) => class extends made { sub = true };
const order = (label: string) => { console.log('evaluated', label); return log(label); };
const key = Symbol('computed');
@named
@order('class')
class Service {
  static limit = 3;
  @order('field') @twice n = 4;
  @log('static field') static count = 1;
  @log('method') @upper greet(who: string) { return `hello ${who} ${this instanceof Service}`; }
  @bound own() { return this.n; }
  @log('static method') static make() { return new Service(); }
  @log('getter') get size() { return 1; }
  @order('accessor') @twice accessor size2 = 5;
  @order(
    'computed'
  ) [key]() { return 1; }
  @log('private') #secret = 7;
  get secret() { return this.#secret; }
}
const service = Service.make();
const { own } = service;
console.log(service.n, own(), service.greet('you'), service.size2, service.secret, service[key](), (service as any).sub, Service.name);
const Named = @log('expression') class Inner { @log('x') x = () => 1 };
console.log(new Named().x());
