import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { ATTEMPTS_MAX, pauseAfter } from '../../../src/app/alerts/deliver.js';
import { newWebhookSecret, parseRetryAfter, signatureHeaders } from '../../../src/app/alerts/post-message.js';
import { newId } from '../../../src/platform/ids.js';

t.test('the signature is that of the library for receivers, whatever is sent', async () => {
  const time = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), time, (body, sentAt) => {
      const [id, secret] = [newId('msg'), newWebhookSecret()];
      const headers = signatureHeaders({ id, body, secret, sentAt });
      return (
        headers['webhook-id'] === id &&
        headers['webhook-timestamp'] === String(Math.floor(sentAt.getTime() / 1000)) &&
        headers['webhook-signature'] === new Webhook(secret).sign(id, sentAt, body)
      );
    }),
  );
});

t.test('the example of a known key', async (t) => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const sentAt = new Date(1_614_265_330_000);
  t.equal(
    signatureHeaders({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}', secret, sentAt })[
      'webhook-signature'
    ],
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

t.test('a secret has 32 random bytes', async (t) => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret);
  t.equal(new Set(secrets).size, 100);
  for (const secret of secrets) t.equal(Buffer.from(secret.slice('whsec_'.length), 'base64').length, 32);
});

t.test('the pauses grow, to three days in all; jitter adds at most a tenth', async (t) => {
  const pauses = Array.from({ length: ATTEMPTS_MAX - 1 }, (_, index) => pauseAfter(index + 1, 0));
  t.same(
    pauses.map((ms) => ms / 1000),
    [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: ATTEMPTS_MAX - 1 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 0, max: 10 ** 12 }),
      (attempts, random, retryAfterMs) => {
        const least = pauses[attempts - 1] ?? 0;
        const pause = pauseAfter(attempts, random, retryAfterMs);
        return (
          pause >= least && pause >= Math.min(retryAfterMs, 86_400_000) && pause <= Math.max(least * 1.1, 86_400_000)
        );
      },
    ),
  );
});

t.test('Retry-After is seconds or a date', async (t) => {
  const now = new Date('2026-03-15T12:00:00.000Z');
  const cases: [value: string | null, ms: number][] = [
    [null, 0],
    ['', 0],
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7000],
    ['1.5', 0],
    ['-1', 0],
    ['1e9', 0],
    ['9'.repeat(400), 0],
    ['Sun, 15 Mar 2026 12:01:00 GMT', 60_000],
    ['Sun, 15 Mar 2026 11:00:00 GMT', 0],
    ['Sun, 99 Mar 2026 11:00:00 GMT', 0],
    ['2026-03-15T13:00:00Z', 0],
    ['soon', 0],
  ];
  for (const [value, ms] of cases) t.equal(parseRetryAfter(value, now), ms, String(value));
});
