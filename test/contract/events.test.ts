import t from 'tap';
import { compileRoutes } from '../../src/api/routes.js';
import type { AlertType } from '../../src/app/alerts/alert.js';
import { sampleAlert } from '../support/alerts.js';
import { DOCUMENT, messageFaults, OPERATIONS, WEBHOOKS } from '../support/contract.js';
import { startFakeApi } from '../support/api.js';

/** Which messages go to programs: what is told by e-mail alone does not. */
const SENT: Readonly<Record<AlertType, boolean>> = {
  'site.changed': true,
  'site.proof_unread': true,
  'site.ownership_lost': true,
  test: true,
  'webhook.disabled': false,
};

t.test('the document describes exactly the messages that webhooks get', async (t) => {
  const sent = Object.entries(SENT).filter(([, isSent]) => isSent);
  t.strictSame(Object.keys(WEBHOOKS).sort(), sent.map(([type]) => type).sort());
});

t.test('a described message is no route of the API', async (t) => {
  const routes = await compileRoutes(DOCUMENT);
  t.strictSame(routes.map(({ id }) => id).sort(), OPERATIONS.map(({ object }) => object.operationId).sort());
  const api = await startFakeApi(t);
  for (const name of Object.keys(WEBHOOKS)) {
    for (const folder of ['/', '/events/', '/api/v1/events/', '/webhooks/', '/api/v1/']) {
      const path = folder + name;
      t.equal((await api.send(path, { method: 'POST' })).status, 404, path);
    }
  }
  t.equal(api.charges(), 0);
});

t.test('a message that departs from the document is noticed', async (t) => {
  const headers = {
    'webhook-id': `msg_${'a'.repeat(20)}`,
    'webhook-timestamp': '1773576000',
    'webhook-signature': `v1,${'A'.repeat(43)}=`,
  };
  const event = sampleAlert('https://readiness.test');
  const faultsOf = (change: object, sent: Record<string, string> = headers) =>
    messageFaults({ headers: sent, body: JSON.stringify({ ...event, ...change }) });
  t.strictSame(faultsOf({}), [], 'the sample');
  const [fell] = event.data.changes;
  for (const [change, fault] of [
    [{ type: 'site.new' }, /not described/],
    [{ timestamp: 'today' }, /date-time/],
    [{ data: { ...event.data, note: 1 } }, /\/data\/note is not described/],
    [{ data: { ...event.data, site: { id: 'site_a' } } }, /hostname/],
    [{ data: { ...event.data, changes: [] } }, /fewer/],
    [{ data: { ...event.data, changes: [{ ...fell, title: 'x' }] } }, /SCORE_FELL has the fields/],
  ] as const) {
    t.match(faultsOf(change).join(), fault);
  }
  t.match(faultsOf({}, { ...headers, 'webhook-signature': 'v1,x' }).join(), /webhook-signature/);
  t.match(faultsOf({}, { ...headers, 'webhook-timestamp': 'now' }).join(), /webhook-timestamp/);
});
