import type { Test } from 'tap';
import { Webhook as Verifier } from 'standardwebhooks';
import type { Result } from '../../src/scanner/verdict/vocabulary.js';
import type { Database } from '../../src/store/database.js';
import { defineQuery } from '../../src/store/query.js';
import { addAccount, addSite } from './accounts.js';
import { type AlertScene, type AlertSceneOptions, openAlertScene } from './alerts.js';
import { PUBLIC_ADDRESS, PUBLIC_HOST } from './network-scene.js';
import { expectDescribed } from './event-contract.js';
import { type ReceivedMessage, type Receiver, startReceiver } from './receiver.js';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** What the runs of a site find. */
export const FINE: Readonly<Record<string, Result>> = { a: 'PASS', b: 'PASS', c: 'PASS', d: 'PASS' };
export const BROKEN: Readonly<Record<string, Result>> = { ...FINE, b: 'FAIL' };
export const DOWN: Readonly<Record<string, Result>> = {
  a: 'UNDETERMINED',
  b: 'UNDETERMINED',
  c: 'UNDETERMINED',
  d: 'UNDETERMINED',
};

/** An account with a site, and a webhook at a receiver. */
export async function openWatchedSite(t: Test, db: Database, options: AlertSceneOptions = {}) {
  const receiver = await startReceiver(t, PUBLIC_ADDRESS, (message) => expectDescribed(t, message));
  const scene = await openAlertScene(t, db, { ...options, ports: [receiver.port, ...(options.ports ?? [])] });
  const account = await addAccount(db, 'MONITOR', scene.clock);
  const site = await addSite(db, account.id);
  const url = `http://${PUBLIC_HOST}:${receiver.port}/hook?key=1`;
  const add = (request: { readonly url: string; readonly format?: string; readonly scope?: string }) =>
    scene.webhooks.add({ accountId: account.id, ...request });
  const { webhook, secret } = await add({ url });
  const ref = { accountId: account.id, webhookId: webhook.id };
  const log = () => scene.webhooks.log(ref);
  /** What the receiver answers from now on. */
  const answer = (status: number) => void (receiver.answer = (response) => response.writeHead(status).end());
  /** Breaks the site, so that one message is on its way. */
  const breakSite = async () => {
    await scene.run(site.id, FINE);
    await scene.run(site.id, BROKEN);
  };
  return { db, receiver, scene, account, site, webhook, secret, ref, log, add, answer, breakSite };
}

/** What the library for receivers makes of a message, at the time of the test's clock. */
export function verify({ body, headers }: ReceivedMessage, secret: string, { clock }: AlertScene): SiteChanged {
  const realNow = Date.now;
  Date.now = () => clock.time.getTime();
  try {
    return new Verifier(secret).verify(body, headers as Record<string, string>) as SiteChanged;
  } finally {
    Date.now = realNow;
  }
}

export function messageAt({ messages }: Receiver, index: number): ReceivedMessage {
  const message = messages[index];
  if (!message) throw new Error(`No message ${index} came.`);
  return message;
}

interface SiteChanged {
  readonly type: string;
  readonly data: { readonly changes: readonly { readonly kind: string; readonly checkId?: string }[] };
}

/** What a message tells of, in short. */
export function changesOf(message: ReceivedMessage): string[] {
  return (JSON.parse(message.body) as SiteChanged).data.changes.map(({ kind, checkId }) =>
    [kind, checkId].join(' ').trim(),
  );
}

/** Every message that there is. */
export const deliveries = defineQuery<{
  id: string;
  state: string;
  attempts: number;
  webhook_id: string | null;
}>((sql) => sql('deliveries').select('id', 'state', 'attempts', 'webhook_id').orderBy('created_at'));

/** Lets so many hours pass, hour by hour. */
export async function deliverFor(scene: AlertScene, hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    await scene.deliverDue();
    scene.pass(HOUR_MS);
  }
}
