import t from 'tap';
import { newApiKey } from '../../src/domain/api-key.js';
import { createLogger } from '../../src/platform/logging.js';

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

t.test('no key reaches the log, wherever it turns up', async (t) => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const key = newApiKey();
  logger.info({ authorization: `Bearer ${key}`, headers: { authorization: 'Basic secret', cookie: 'secret' } }, 'a');
  logger.error({ cause: new Error(`bad ${key}`, { cause: new Error(key) }), url: `/?k=${key}` }, `b ${key}`);
  t.equal(lines.length, 2);
  t.notMatch(lines.join(''), /ars_|secret/);
  t.match(JSON.parse(lines[1] ?? ''), { cause: { message: /^bad/, stack: /Error/ } }, 'and the line is still JSON');
});
