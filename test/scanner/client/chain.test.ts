import t from 'tap';
import { openVisit } from '../../../src/scanner/client/open-visit.js';
import { FIXTURE_TARGET } from '../../support/visit-site.js';

t.test('a bug below the chain shows every layer in its stack, in order', async (t) => {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 50;
  t.teardown(() => void (Error.stackTraceLimit = limit));
  const transport = {
    exchange: async () => {
      throw new Error('a bug');
    },
    addressOf: async () => '93.184.215.14',
    close: async () => undefined,
  };
  const visit = openVisit({ target: FIXTURE_TARGET, transport });
  const error = await visit.fetch(FIXTURE_TARGET.origin).catch((caught: unknown) => caught as Error);
  await visit.close();
  const files = Array.from(
    ('stack' in error ? (error.stack ?? '') : '').matchAll(/scanner\/client\/([\w-]+)\.[jt]s/g),
    ([, file]) => file,
  );
  t.same(
    files.filter((file, at) => file !== 'open-visit' && file !== files[at - 1]),
    ['exchange', 'admission', 'chain'],
  );
});
