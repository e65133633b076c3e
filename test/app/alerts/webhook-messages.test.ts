import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { ATTEMPTS_MAX, retryPauseMs } from '../../../src/app/alerts/deliver.js';
import { newWebhookSecret, postMessage, signatureHeaders } from '../../../src/app/alerts/post-message.js';
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

t.test('the pauses grow, to three days in all; jitter adds at most a tenth', async (t) => {
  const pauses = Array.from({ length: ATTEMPTS_MAX - 1 }, (_, index) => retryPauseMs(index + 1, 0));
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
        const pause = retryPauseMs(attempts, random, retryAfterMs);
        return (
          pause >= least && pause >= Math.min(retryAfterMs, 86_400_000) && pause <= Math.max(least * 1.1, 86_400_000)
        );
      },
    ),
  );
});

t.test('a failure is described without the addresses behind a name', async (t) => {
  const message = { id: newId('msg'), body: '{}', secret: newWebhookSecret(), sentAt: new Date() };
  for (const [failure, problem] of [
    ['target_refused', 'The address cannot be reached from here: it must lead to a public server.'],
    ['budget_spent', 'There was no answer: the answer is too large.'],
  ] as const) {
    const sent = { ...message, url: 'https://hooks.example.com/', format: 'signed', userAgent: 'x' } as const;
    t.match(await postMessage(() => Promise.resolve({ failure }), sent), { verdict: 'failed', problem });
  }
});
