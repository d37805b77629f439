// Messages of the Debug Adapter Protocol against its published types. The npm registry has the protocol as declarations of TypeScript, which Microsoft
// makes from the JSON schema of the protocol; here they become a schema again.
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv';
import { createGenerator } from 'ts-json-schema-generator';

const DECLARATIONS = fileURLToPath(new URL('node_modules/@vscode/debugprotocol/lib/debugProtocol.d.ts', import.meta.url));
/** Requests of ours, beside the protocol. */
const OURS = /^wherefore\./;

const schema = createGenerator({ path: DECLARATIONS, type: '*', additionalProperties: true, skipTypeCheck: true, jsDoc: 'none' }).createSchema('*');
const ajv = new Ajv({ strict: false, allErrors: true }).addSchema(schema, 'protocol');
const capital = (name) => name[0].toUpperCase() + name.slice(1);

/** What is wrong with a message of this type, as text. */
function wrong(type, message) {
  const validate = ajv.getSchema(`protocol#/definitions/DebugProtocol.${type}`);
  if (!validate) return [`the protocol has no ${type}`];
  return validate(message) ? [] : validate.errors.map(({ instancePath, message: why }) => `${type}${instancePath} ${why}`);
}

/** The messages of one session, in both directions; each is looked at as it comes. */
export class Checked {
  n_messages = 0;
  /** Sentences about what is wrong. */
  errors = [];
  #asked = new Map();

  add(message) {
    this.n_messages++;
    const errors = this.#errors(message).map((error) => `${error}\n    ${JSON.stringify(message).slice(0, 1000)}`);
    this.errors.push(...errors);
  }

  #errors(message) {
    switch (message.type) {
      case 'request': {
        const errors = OURS.test(message.command) ? wrong('Request', message) : wrong(`${capital(message.command)}Request`, message);
        this.#asked.set(message.seq, errors);
        return [];
      }
      case 'response': {
        const asked = this.#asked.get(message.request_seq);
        if (!asked) return ['a response to no request'];
        this.#asked.delete(message.request_seq);
        if (!message.success) return wrong('ErrorResponse', message);
        // Tests ask for what is wrong, too: that is refused.
        return [...asked, ...wrong(OURS.test(message.command) ? 'Response' : `${capital(message.command)}Response`, message)];
      }
      case 'event':
        return wrong(`${capital(message.event)}Event`, message);
      default:
        return ['neither a request nor a response nor an event'];
    }
  }
}
