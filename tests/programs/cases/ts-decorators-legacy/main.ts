// expected
const log = (name: string): any => (target: any, key: any, descriptor: any) => {
  console.log(name, typeof target, key, descriptor === undefined ? 'none' : typeof descriptor === 'number' ? descriptor : Object.keys(descriptor).join());
};
const upper = (_: any, __: string, d: PropertyDescriptor) => { const f = d.value; d.value = function (...a: any[]) { return String(f.apply(this, a)).toUpperCase(); }; };
const key = 'computed';
const sealed = <T extends new (...a: any[]) => {}>(made: T) => class extends made { sealed = true; static known = made.name };
@sealed
@log('class')
export class Service {
  static limit = 3;
  @log('field') name: string;
  @log('static field') static count = Service.limit;
  @log('first')
  @log('second') @upper
  greet(@log('parameter') who: string, other = Service.limit) { return `hello ${who} ${other} ${Service === Self()}`; }
  @log('getter') get size() { return 1; }
  @log('multi-line ' + [
    1, // one
    2].length) [key]() { return 1; }
  constructor(@log('constructor') private readonly dep: string, @log('second') public other: number) { this.name = dep; }
}
function Self() { return Service; }
const service = new Service('dep', 2);
console.log(service, service.greet('you'), Service.count, (Service as any).known, Service.name);
class Plain { @log('only member') m() {} @log('optional') x?: number }
console.log(new Plain());
export default @log('default') class { x = 1 }
