// CommonJS that is imported while the program has module hooks is compiled by Node without `Module.prototype._compile`.
import { register } from 'node:module';

register(`data:text/javascript,${encodeURIComponent('export async function load(url, context, next) { return next(url, context); }')}`);
const { default: old, named } = await import('./old.cjs');
console.log(old.where.replace(/^.*[\\/]/, ''), named(2), String(named));
try {
  old.fail({});
} catch (error) {
  console.log(error.stack.split('\n').slice(0, 2).join('\n').replace(/\(.*[\\/]/, '('));
}
console.log(Object.keys(old), old.isMain, typeof old.required.join);
