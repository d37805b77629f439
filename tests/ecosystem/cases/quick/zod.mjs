import { z } from 'zod';
import Joi from 'joi';
import Ajv from 'ajv';

const Item = z.object({ name: z.string().min(2), price: z.coerce.number().positive(), tags: z.array(z.enum(['a', 'b'])).default([]), kind: z.discriminatedUnion('type', [z.object({ type: z.literal('x'), n: z.number() }), z.object({ type: z.literal('y') })]).optional() }).strict();
console.log(Item.parse({ name: 'pen', price: '4' }), Item.safeParse({ name: 'p', price: -1, tags: ['c'], kind: { type: 'z' }, more: 1 }).error.issues);
try { Item.parse(null); } catch (error) { console.log(error.name, error.message, z.prettifyError(error)); console.log(error.stack.split('\n').filter((line) => line.startsWith('    at '))); }
console.log(await z.string().transform(async (s) => s.length).parseAsync('four'), z.string().brand().optional().nullable().safeParse(undefined), z.toJSONSchema(Item));
console.log(z.lazy(() => z.array(z.record(z.string(), z.any()))).parse([{ a: 1 }]), z.string().refine((s) => s > 'm', { error: 'too early' }).safeParse('a').error.message);
console.log(Joi.object({ a: Joi.number().integer().min(5).required(), b: Joi.when('a', { is: 7, then: Joi.string() }) }).validate({ a: 7, b: 2 }).error.details, Joi.attempt('5', Joi.number()));
const ajv = new Ajv({ allErrors: true, code: { source: true, lines: true } });
const validate = ajv.compile({ type: 'object', properties: { a: { type: 'integer', minimum: 3 }, b: { type: 'array', items: { type: 'string' }, uniqueItems: true } }, required: ['c'], additionalProperties: false });
console.log(validate({ a: 1.5, b: ['x', 'x', 1], d: 1 }), validate.errors, validate.source.validateCode);
try { ajv.compile({ type: 'nonsense' }); } catch (error) { console.log(error.message); }
