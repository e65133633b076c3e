import t from 'tap';
import { BulkChange, OVERLOADED } from '../../../src/app/sites/bulk-change.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { InputError, RateLimitError } from '../../../src/platform/input-error.js';

const NEVER = () => Promise.reject(new Error('not called'));

t.test('sites are changed, need no change or are skipped', async (t) => {
  const change = new BulkChange();
  await change.add('a', async () => true);
  await change.add('b', async () => false);
  await change.add('c', () => Promise.reject(new InputError('No proof.')));
  await change.add('d', async () => true);
  t.match(change, { done: ['a', 'd'], unchanged: ['b'], skipped: [{ hostname: 'c', why: 'No proof.' }] });
});

t.test('a used-up limit and an overloaded service skip the sites that follow, with the same reason', async (t) => {
  for (const [error, why] of [
    [new RateLimitError('Try again in a minute.', 60), 'Try again in a minute.'],
    [new ServiceError('overloaded'), OVERLOADED],
  ] as const) {
    const change = new BulkChange();
    await change.add('a', async () => true);
    await change.add('b', () => Promise.reject(error));
    await change.add('c', NEVER);
    t.match(change, { done: ['a'], unchanged: [] });
    t.same(change.skipped, [
      { hostname: 'b', why },
      { hostname: 'c', why },
    ]);
  }
});

t.test('any other error is thrown', async (t) => {
  await t.rejects(
    new BulkChange().add('a', () => Promise.reject(new Error('a fault of ours'))),
    /a fault of ours/,
  );
});
