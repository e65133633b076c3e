import t from 'tap';
import { changeInBatches, type BulkOutcome, stopReason } from '../../../src/app/sites/bulk-change.js';
import { ServiceError } from '../../../src/platform/errors.js';

/** Changes every site, and fails from one on. */
function changing(failsAt: string, error: Error) {
  return async (sites: readonly string[]): Promise<BulkOutcome> => {
    if (sites.includes(failsAt)) throw error;
    return { done: sites, unchanged: [], skipped: [] };
  };
}

const overloaded = new ServiceError('overloaded');

t.test('each site is changed once, some at a time', async (t) => {
  const pieces: (readonly string[])[] = [];
  const outcome = await changeInBatches(
    ['a', 'b', 'a', 'c'],
    async (sites) => {
      pieces.push(sites);
      return { done: [], unchanged: sites, skipped: [] };
    },
    2,
  );
  t.same(outcome, { done: [], unchanged: ['a', 'b', 'c'], skipped: [] });
  t.same(pieces, [['a', 'b'], ['c']]);
});

t.test('what was changed before the service was overloaded is reported, with the reason for the rest', async (t) => {
  const outcome = await changeInBatches(['a', 'b', 'c', 'd'], changing('c', overloaded), 2);
  t.same(outcome, {
    done: ['a', 'b'],
    unchanged: [],
    skipped: [],
    stopped: stopReason(overloaded),
  });
});

t.test('an error before any change, and any other error, is thrown', async (t) => {
  await t.rejects(changeInBatches(['a', 'b'], changing('a', overloaded), 1), { code: 'overloaded' });
  await t.rejects(changeInBatches(['a', 'b'], changing('b', new Error('a fault of ours')), 1), /a fault of ours/);
});
