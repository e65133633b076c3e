import { Webhook as Verifier } from 'standardwebhooks';
import type { Test } from 'tap';
import { type AlertOf, newAlert, type TurnOffCause } from '../../src/app/alerts/alert.js';
import { createDeliveryHandler } from '../../src/app/alerts/deliver.js';
import { readLog, setEmailAlerts } from '../../src/app/alerts/deliveries.js';
import {
  addWebhook,
  enableWebhook,
  findWebhook,
  listWebhooks,
  removeWebhook,
  sendTest,
  type WebhookOfAccount,
} from '../../src/app/alerts/webhooks.js';
import type { Context } from '../../src/app/context.js';
import type { RunLabel } from '../../src/app/runs/run.js';
import { createGuard, vetWebhook } from '../../src/net/guard.js';
import { createPoster, type Post } from '../../src/net/post.js';
import type { Logger } from '../../src/platform/logging.js';
import type { Mail, MailOutcome } from '../../src/platform/mail.js';
import type { StartTimer } from '../../src/platform/clock.js';
import type { Answer } from '../../src/scanner/artifacts/answer.js';
import { headlineOf, titleOf } from '../../src/scanner/report/failures.js';
import { scoreOf } from '../../src/scanner/report/score.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import type { Result } from '../../src/scanner/verdict/vocabulary.js';
import type { Database } from '../../src/store/database.js';
import { defineQuery, type Row } from '../../src/store/query.js';
import { addAccount, addSite, scanReport, siteToScan, TestClock } from './accounts.js';
import { expectDescribed } from './contract.js';
import { type DnsName, startDnsServer } from './dns-server.js';
import { PUBLIC_ADDRESS, PUBLIC_CIDRS, PUBLIC_HOST, resolverOf } from './network-scene.js';
import { jobsOf, TestWorker } from './queue.js';
import { finding } from './reports.js';
import { type ReceivedMessage, type Receiver, startReceiver } from './servers.js';
import { openServices, PUBLIC_URL } from './services.js';

export const HOUR_MS = 3_600_000;

/** Results of runs, by check. */
export const FINE: Readonly<Record<string, Result>> = { a: 'PASS', b: 'PASS', c: 'PASS', d: 'PASS' };
export const BROKEN: Readonly<Record<string, Result>> = { ...FINE, b: 'FAIL' };
export const DOWN: Readonly<Record<string, Result>> = {
  a: 'UNDETERMINED',
  b: 'UNDETERMINED',
  c: 'UNDETERMINED',
  d: 'UNDETERMINED',
};

/** Opens an alert scene with an account, its site, and a webhook at a receiver. */
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
  const answer = (status: number) => void (receiver.answer = (response) => response.writeHead(status).end());
  /** Breaks the site, which queues one message. */
  const breakSite = async () => {
    await scene.run(site.id, FINE);
    await scene.run(site.id, BROKEN);
  };
  return { db, receiver, scene, account, site, webhook, secret, ref, log, add, answer, breakSite };
}

/** Verifies a message by the library for receivers, at the time of the test's clock. */
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

/** Returns the changes of a message, such as `CHECK_FAILING b`. */
export function changesOf(message: ReceivedMessage): string[] {
  return (JSON.parse(message.body) as SiteChanged).data.changes.map(({ kind, checkId }) =>
    [kind, checkId].join(' ').trim(),
  );
}

export const deliveries = defineQuery<Pick<Row<'deliveries'>, 'id' | 'state' | 'attempts' | 'webhook_id'>>((sql) =>
  sql('deliveries').select('id', 'state', 'attempts', 'webhook_id').orderBy('created_at'),
);

/** Advances the clock hour by hour and sends what is due. */
export async function deliverFor(scene: AlertScene, hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    await scene.deliverDue();
    scene.pass(HOUR_MS);
  }
}

export const NO_METRICS = { attempted: () => undefined, crashed: () => undefined };

export interface AlertSceneOptions {
  /** The ports of the receivers. */
  readonly ports?: readonly number[];
  readonly names?: Readonly<Record<string, DnsName>>;
  readonly hasMail?: boolean;
  /** Replaces the real network. */
  readonly post?: Post;
  readonly startTimer?: StartTimer;
}

/** Opens alerts with receivers at {@link PUBLIC_ADDRESS}, to which {@link PUBLIC_HOST} resolves. */
export async function openAlertScene(t: Test, db: Database, options: AlertSceneOptions = {}) {
  const { ports = [], names = {}, hasMail = true, startTimer } = options;
  const dns = await startDnsServer({ [PUBLIC_HOST]: { A: [PUBLIC_ADDRESS] }, ...names });
  t.teardown(() => dns.close());
  const guard = createGuard({ allowCidrs: PUBLIC_CIDRS, allowPorts: ports });
  const resolver = resolverOf(dns, names);
  const clock = new TestClock();
  const state = {
    mails: [] as Mail[],
    disabled: [] as string[],
    /** Why each of the webhooks was disabled. */
    causes: [] as TurnOffCause[],
    crashes: [] as unknown[],
    mailOutcome: 'sent' as MailOutcome | Promise<MailOutcome>,
    /** What the next runs say of assistants. */
    answer: null as Answer | null,
  };
  let findings: readonly Finding[] = [];
  const services = openServices(db, {
    ...{ clock, hasMail, vetWebhook: (url) => vetWebhook({ guard, resolver }, url) },
    scan: async () => ({
      ...scanReport(scoreOf(findings)),
      ...{ startedAt: clock.now(), finishedAt: clock.now(), findings, answer: state.answer },
    }),
  });
  const handler = createDeliveryHandler({
    ...{ db, clock, publicUrl: PUBLIC_URL, userAgent: 'AgentReadinessScan/1.0', metrics: NO_METRICS },
    logger: {
      warn({ webhookId, cause }: { readonly webhookId: string; readonly cause: TurnOffCause }) {
        state.disabled.push(webhookId);
        state.causes.push(cause);
      },
      error: ({ cause }: { readonly cause: unknown }) => state.crashes.push(cause),
    } as unknown as Logger,
    post: options.post ?? createPoster({ guard, resolver }),
    sendMail: hasMail ? async (mail: Mail) => (state.mails.push(mail), state.mailOutcome) : null,
    random: () => 0.5,
    ...(startTimer && { startTimer }),
  });
  const handlers = { WEBHOOK: handler, MAIL: handler };
  const worker = new TestWorker([{ name: 'deliveries', concurrency: 10, handlers }], { db, clock });
  return Object.assign(state, {
    ...{ clock, worker, webhooks: webhooksOf(services) },
    /** Waiting messages, longest due first. */
    jobs: () => jobsOf(db, 'deliveries'),
    /** Stores a run of the site that finds these results. */
    async run(siteId: string, results: Readonly<Record<string, Result>>, label?: RunLabel) {
      findings = Object.entries(results).map(([checkId, result]) => finding({ checkId, result }));
      await services.performRun({ site: siteToScan(siteId), trigger: 'SCHEDULED', label });
    },
    /** Sends messages until none is due. */
    deliverDue: () => worker.performAll(),
    pass: (ms: number) => void (clock.time = new Date(clock.time.getTime() + ms)),
  });
}

export type AlertScene = Awaited<ReturnType<typeof openAlertScene>>;

type WebhooksContext = Pick<Context, 'db' | 'clock' | 'hasMail' | 'vetWebhook'>;

export function webhooksOf(context: WebhooksContext) {
  const { db } = context;
  return {
    add: (request: Parameters<typeof addWebhook>[1]) => addWebhook(context, request),
    enable: (request: WebhookOfAccount) => enableWebhook(context, request),
    get: (request: WebhookOfAccount) => findWebhook(db, request),
    list: (accountId: string) => listWebhooks(db, accountId),
    log: ({ webhookId }: Pick<WebhookOfAccount, 'webhookId'>) => readLog(db, webhookId),
    remove: (request: WebhookOfAccount) => removeWebhook(context, request),
    sendTest: (request: WebhookOfAccount) => sendTest(context, request),
    setEmailAlerts: (accountId: string, isOn: boolean) => setEmailAlerts(context, accountId, isOn),
  };
}

const RUN_4 = '/sites/site_k4tq7mzx2wvn5rhd3ycp/runs/4';

/** Returns an alert about run 4 of a site, which by default lost its llms.txt. */
export function sampleAlert(
  publicUrl: string,
  data: Partial<Omit<AlertOf<'site.changed'>['data'], 'site' | 'run'>> = {},
  { hostname = 'www.example.com', ...run }: { hostname?: string; score?: number | null } = {},
): AlertOf<'site.changed'> {
  const finishedAt = '2026-03-15T12:00:00.000Z';
  const lost = { checkId: 'C-LLMS-01', errorType: 'MISSING', title: titleOf('C-LLMS-01') } as const;
  const reported = { number: 4, reference: 'CR-000013', score: 93, trigger: 'POST_DEPLOY', finishedAt } as const;
  return newAlert(
    'site.changed',
    {
      site: { id: 'site_k4tq7mzx2wvn5rhd3ycp', hostname },
      run: { ...reported, url: publicUrl + RUN_4, ...run },
      previousScore: 100,
      changes: [
        { kind: 'SCORE_FELL', from: 100, to: 93 },
        { kind: 'CHECK_FAILING', ...lost, headline: headlineOf(lost) },
      ],
      ...data,
    },
    new Date(finishedAt),
  );
}
