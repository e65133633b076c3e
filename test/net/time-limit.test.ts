import { once } from 'node:events';
import t from 'tap';
import { TimeLimit } from '../../src/net/time-limit.js';

const HOUR_MS = 3_600_000;

t.test('a limit that was shortened ends after the shorter time', async (t) => {
  const limit = new TimeLimit(new AbortController().signal, HOUR_MS);
  limit.shortenTo(0);
  await once(limit.signal, 'abort');
  t.match(limit.signal.reason, { failure: 'stalled' });
});

t.test('one that was cleared ends neither by time nor by the deadline', async (t) => {
  const deadline = new AbortController();
  const limit = new TimeLimit(deadline.signal, HOUR_MS);
  limit.clear();
  deadline.abort();
  t.notOk(limit.signal.aborted);
});

t.test('one that begins after the deadline has ended', async (t) => {
  const reason = new Error('too late');
  const limit = new TimeLimit(AbortSignal.abort(reason), HOUR_MS);
  t.equal(limit.signal.reason, reason);
  limit.clear();
});
