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
import { createDeliveryHandler } from '../../src/app/alerts/deliver.js';
import type { RunLabel } from '../../src/app/runs/run.js';
import type { Logger } from '../../src/platform/logging.js';
import type { StartTimer } from '../../src/platform/timer.js';
import type { Database } from '../../src/store/database.js';
import { scanReport, siteToScan, TestClock } from './accounts.js';
import { type DnsName, startDnsServer } from './dns-server.js';
import { finding } from './findings.js';
import { PUBLIC_ADDRESS, PUBLIC_HOST, resolverOf } from './network-scene.js';
import { openServices, PUBLIC_URL } from './services.js';
import { webhooksOf } from './webhooks.js';
import { jobsOf, TestWorker } from './queue.js';

export const ALERTS_URL = PUBLIC_URL;

export const NO_METRICS = { attempted: () => undefined, crashed: () => undefined };

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
export async function openAlertScene(t: Test, db: Database, options: AlertSceneOptions = {}) {
  const { ports = [], names = {}, hasMail = true, deadlineMs, startTimer } = options;
  const dns = await startDnsServer({ [PUBLIC_HOST]: { A: [PUBLIC_ADDRESS] }, ...names });
  t.teardown(() => dns.close());
  const guard = createGuard({
    allowCidrs: [parseCidr(PUBLIC_ADDRESS)].filter((cidr) => cidr !== null),
    allowPorts: ports,
  });
  const resolver = resolverOf(dns, names);
  const clock = new TestClock();
  const state = {
    mails: [] as Mail[],
    disabled: [] as string[],
    /** Why each of them was. */
    causes: [] as TurnOffCause[],
    crashes: [] as unknown[],
    /** What the mail server says from now on. */
    mailOutcome: 'sent' as MailOutcome | Promise<MailOutcome>,
    /** What the next runs say of assistants; null at first. */
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
    post: options.post ?? createPoster({ guard, resolver, ...(deadlineMs !== undefined && { deadlineMs }) }),
    sendMail: hasMail ? async (mail: Mail) => (state.mails.push(mail), state.mailOutcome) : null,
    random: () => 0.5,
    ...(startTimer && { startTimer }),
  });
  const handlers = { WEBHOOK: handler, MAIL: handler };
  const worker = new TestWorker([{ name: 'deliveries', concurrency: 10, handlers }], { db, clock });
  return Object.assign(state, {
    ...{ clock, worker, webhooks: webhooksOf(services) },
    /** The messages that wait to be sent, in the order of their turns. */
    jobs: () => jobsOf(db, 'deliveries'),
    /** Stores a run of the site that finds these results. */
    async run(siteId: string, results: Readonly<Record<string, Result>>, label?: RunLabel) {
      findings = Object.entries(results).map(([checkId, result]) => finding({ checkId, result }));
      await services.performRun({ site: siteToScan(siteId), trigger: 'SCHEDULED', label });
    },
    /** Sends what is due, in the order of the turns, until nothing is. */
    deliverDue: () => worker.performAll(),
    /** Moves the clock on. */
    pass: (ms: number) => void (clock.time = new Date(clock.time.getTime() + ms)),
  });
}

export type AlertScene = Awaited<ReturnType<typeof openAlertScene>>;
