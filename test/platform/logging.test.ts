import { Console } from 'node:console';
import { PassThrough } from 'node:stream';
import t from 'tap';
import { newApiKey } from '../../src/platform/ids.js';
import { createLogger, logConsole } from '../../src/platform/logging.js';

t.test('a line is JSON with time, level, message and fields', async (t) => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  logger.debug({}, 'not at this level');
  logger.info({ requestId: 'r1' }, 'request');
  t.equal(lines.length, 1);
  const line = JSON.parse(lines[0] ?? '') as Record<string, string>;
  t.match(line, { level: 'info', requestId: 'r1', msg: 'request' });
  t.match(line.time, /^\d{4}-\d\d-\d\dT.*Z$/);
});

t.test('no key reaches the log, wherever it occurs', async (t) => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const key = newApiKey();
  logger.info({ authorization: `Bearer ${key}`, headers: { authorization: 'Basic secret', cookie: 'secret' } }, 'a');
  logger.error({ cause: new Error(`bad ${key}`, { cause: new Error(key) }), url: `/?k=${key}` }, `b ${key}`);
  t.equal(lines.length, 2);
  t.notMatch(lines.join(''), /ars_|secret/);
  t.match(JSON.parse(lines[1] ?? ''), { cause: { message: /^bad/, stack: /Error/ } }, 'and the line is still JSON');
});

t.test('output of libraries becomes log lines', async (t) => {
  const lines: string[] = [];
  const logger = createLogger('debug', { write: (line) => void lines.push(line) });
  const printed = new PassThrough();
  const console = new Console(printed);
  logConsole(logger, console);
  const key = newApiKey();
  console.trace(new Error('first line\nsecond line'));
  console.error('%s is bad:', 'this', { key });
  console.log('told');
  t.equal(printed.read(), null, 'nothing goes past the log');
  const read = lines.map((line) => JSON.parse(line) as unknown);
  t.match(read, [
    { level: 'debug', printed: /^Error: first line\nsecond line\n {4}at / },
    { level: 'warn', printed: /^this is bad: / },
    { level: 'debug' },
  ]);
  t.notMatch(lines.join(''), key);
});
