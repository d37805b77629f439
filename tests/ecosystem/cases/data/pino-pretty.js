const pino = require('pino');

const log = pino({ base: null, transport: { target: 'pino-pretty', options: { colorize: false, ignore: 'time,pid,hostname' } } });
log.info({ a: { b: [1, 2] } }, 'pretty');
log.error(new Error('an error'));
log.flush(() => {});
