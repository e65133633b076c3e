import type { Test } from 'tap';
import type { Mail, MailOutcome } from '../../src/platform/mail.js';
import type { Answer } from '../../src/scanner/artifacts/answer.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import { scoreOf } from '../../src/scanner/report/score.js';
import type { Result } from '../../src/scanner/verdict/vocabulary.js';
import { createPoster, type Post } from '../../src/net/post.js';
import { parseCidr } from '../../src/net/address.js';
import { createGuard, vetWebhook } from '../../src/net/guard.js';
import type { TurnOffCause } from '../../src/app/alerts/alert.js';
import { alertAboutRun } from '../../src/app/alerts/recipients.js';
import { createDeliveryHandler } from '../../src/app/alerts/deliver.js';
import type { RunLabel } from '../../src/app/runs/run.js';
import { createRunPerformer } from '../../src/app/runs/run-performer.js';
import type { Logger } from '../../src/platform/logging.js';
import { Slots } from '../../src/platform/slots.js';
import type { StartTimer } from '../../src/platform/timer.js';
import type { Database } from '../../src/store/database.js';
import { scanReport, siteToScan, TestClock } from './accounts.js';
import { type DnsName, startDnsServer } from './dns-server.js';
import { finding } from './findings.js';
import { PUBLIC_ADDRESS, PUBLIC_HOST, resolverOf } from './network-scene.js';
import { type TestWebhooks, webhooksOf } from './webhooks.js';
import { jobsOf, type StoredJob, TestWorker } from './queue.js';

export const ALERTS_URL = 'https://readiness.test';

export const NO_METRICS = { attempted: () => undefined, crashed: () => undefined };

/** Alerts over a real database and real sockets; the time and what the scans find are the test's. */
export interface AlertScene {
  readonly clock: TestClock;
  readonly webhooks: TestWebhooks;
  readonly worker: TestWorker;
  /** The messages that wait to be sent, in the order of their turns. */
  jobs(): Promise<readonly StoredJob[]>;
  readonly mails: Mail[];
  readonly disabled: string[];
  /** Why each of them was. */
  readonly causes: TurnOffCause[];
  readonly crashes: unknown[];
  /** What the mail server says from now on. */
  mailOutcome: MailOutcome | Promise<MailOutcome>;
  /** Stores a run of the site that finds these results. */
  run(siteId: string, results: Readonly<Record<string, Result>>, label?: RunLabel): Promise<void>;
  /** What the next runs say of assistants; null at first. */
  answer: Answer | null;
  /** Sends what is due, in the order of the turns, until nothing is. */
  deliverDue(): Promise<void>;
  /** Moves the clock on. */
  pass(ms: number): void;
}

export interface AlertSceneOptions {
  /** The ports of the receivers. */
  readonly ports?: readonly number[];
  readonly names?: Readonly<Record<string, DnsName>>;
  readonly hasMail?: boolean;
  /** In place of the real network. */
  readonly post?: Post;
  readonly deadlineMs?: number;
  readonly startTimer?: StartTimer;
}

/** Receivers stand at {@link PUBLIC_ADDRESS}, where {@link PUBLIC_HOST} leads to; every other address is as forbidden as ever. */
export async function openAlertScene(t: Test, db: Database, options: AlertSceneOptions = {}): Promise<AlertScene> {
  const { ports = [], names = {}, hasMail = true, deadlineMs, startTimer } = options;
  const dns = await startDnsServer({ [PUBLIC_HOST]: { A: [PUBLIC_ADDRESS] }, ...names });
  t.teardown(() => dns.close());
  const guard = createGuard({
    allowCidrs: [PUBLIC_ADDRESS].flatMap((address) => parseCidr(address) ?? []),
    allowPorts: ports,
  });
  const resolver = resolverOf(dns, names);
  const clock = new TestClock();
  const mails: Mail[] = [];
  const disabled: string[] = [];
  const causes: TurnOffCause[] = [];
  const crashes: unknown[] = [];
  const logger = {
    warn({ webhookId, cause }: { readonly webhookId: string; readonly cause: TurnOffCause }) {
      disabled.push(webhookId);
      causes.push(cause);
    },
    error: ({ cause }: { readonly cause: unknown }) => crashes.push(cause),
  } as unknown as Logger;
  let findings: readonly Finding[] = [];
  const performRun = createRunPerformer({
    ...{ db, clock, slots: new Slots(5) },
    atFinish: (tx, run) => alertAboutRun({ clock, publicUrl: ALERTS_URL, hasMail }, tx, run),
    scan: () =>
      Promise.resolve({
        ...scanReport(scoreOf(findings)),
        ...{ startedAt: clock.now(), finishedAt: clock.now(), findings, answer: scene.answer },
      }),
  });
  const delivery = {
    ...{ db, clock, logger, publicUrl: ALERTS_URL, userAgent: 'AgentReadinessScan/1.0' },
    metrics: NO_METRICS,
    post: options.post ?? createPoster({ guard, resolver, ...(deadlineMs !== undefined && { deadlineMs }) }),
    sendMail: hasMail ? (mail: Mail) => Promise.resolve((mails.push(mail), scene.mailOutcome)) : null,
    random: () => 0.5,
    ...(startTimer && { startTimer }),
  };
  const handler = createDeliveryHandler(delivery);
  const handlers = { WEBHOOK: handler, MAIL: handler };
  const queues = [{ name: 'deliveries' as const, concurrency: 10, handlers }];
  const worker = new TestWorker(queues, { db, clock });
  const scene: AlertScene = {
    ...{ clock, worker, mails, disabled, causes, crashes, mailOutcome: 'sent' },
    webhooks: webhooksOf({
      ...{ db, clock, hasMail },
      vetWebhook: (url) => vetWebhook({ guard, resolver }, url),
    }),
    jobs: () => jobsOf(db, 'deliveries'),
    answer: null,
    run: async (siteId, results, label) => {
      findings = Object.entries(results).map(([checkId, result]) => finding({ checkId, result }));
      await performRun({ site: siteToScan(siteId), trigger: 'SCHEDULED', label });
    },
    deliverDue: () => worker.performAll(),
    pass: (ms) => void (clock.time = new Date(clock.time.getTime() + ms)),
  };
  return scene;
}
