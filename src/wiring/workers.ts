import { ACCOUNT_MAIL, createAccountMailHandler } from '../app/accounts/mails.js';
import { createDeliveryHandler } from '../app/alerts/deliver.js';
import type { App } from '../app/app.js';
import { PLAN_EVERY_MS, planSchedules } from '../app/automation/schedules.js';
import { CLEAN_UP_EVERY_MS, cleanUp } from '../app/cleanups.js';
import type { Context } from '../app/context.js';
import { ERASE_EVERY_MS, eraseRemoved } from '../app/data/removal.js';
import { EVIDENCE_LIMIT_EVERY_MS, EvidenceLimit } from '../app/evidence/evidence.js';
import { OWNERSHIP_EVERY_MS, recheckOwnership } from '../app/ownership-recheck.js';
import { createRunHandler } from '../app/runs/queued-runs.js';
import type { RunObserver } from '../app/runs/run-performer.js';
import { QUEUED_TRIGGERS } from '../app/runs/run.js';
import { createRecheckHandler } from '../app/triage/rechecks.js';
import type { Config } from '../config.js';
import { createPoster } from '../net/post.js';
import type { Scanning } from '../package/scanning.js';
import { timeAfter } from '../platform/clock.js';
import { OutOfTime, type Pause, pauseFor } from '../platform/concurrency.js';
import type { Role } from '../cli/service.js';
import type { SendMail } from '../platform/mail.js';
import { addJobs, type Job, retryJob } from '../queue/jobs.js';
import type { JobHandler, WorkerContext, WorkerQueue } from '../queue/worker.js';
import { scannerUserAgent } from '../scanner/artifacts/scanner.js';
import type { Metrics } from './metrics.js';

/** Sending is cheap but some receivers are slow. This many slots keep them from blocking the others. */
const DELIVERY_CONCURRENCY = 10;

interface QueuesOptions {
  readonly config: Pick<Config, 'evidenceDays' | 'ownershipControlName'>;
  readonly role: Role;
  readonly scanning: Scanning;
  readonly metrics: Pick<Metrics, 'deliveries'>;
  readonly observer: RunObserver;
  /** Null if no mail server is configured. */
  readonly sendMail: SendMail | null;
}

export function createQueues(context: Context, app: App, options: QueuesOptions): WorkerQueue[] {
  const { db, clock, logger, scanConcurrency } = context;
  const { config, role, scanning, metrics, observer, sendMail } = options;
  const { resolver } = scanning;
  const runs = { ...context, ...app, observer };
  const deliveries = createDeliveryHandler({
    ...context,
    sendMail,
    post: createPoster(scanning),
    userAgent: scannerUserAgent(scanning.infoUrl),
    metrics: metrics.deliveries,
  });
  const accountMails = createAccountMailHandler({
    ...context,
    sendMail,
    onFailure: (cause) => logger.error({ cause }, 'account mail failed'),
    onAttempt: (result) => metrics.deliveries.attempted('account-mail', result),
  });
  const ownership = {
    ...context,
    ...app,
    dns: {
      isNameGone: (name: string) => resolver.isNameGone(name),
      // True for an empty answer too: `resolveTxt` rejects only if DNS does not answer.
      answersControl: () =>
        resolver.resolveTxt(config.ownershipControlName).then(
          () => true,
          () => false,
        ),
    },
  };
  const evidence = new EvidenceLimit(db);
  const every = (ms: number, perform: Perform): JobHandler => recurringJob(ms, perform, context);
  return [
    {
      name: 'runs',
      // A process that also serves requests reserves half of its scans for them.
      concurrency: role === 'all' ? Math.max(1, Math.floor(scanConcurrency / 2)) : scanConcurrency,
      handlers: Object.fromEntries(QUEUED_TRIGGERS.map((trigger) => [trigger, createRunHandler(trigger, runs)])),
    },
    // Users wait for rechecks, so they never queue behind runs.
    { name: 'rechecks', concurrency: scanConcurrency, handlers: { RECHECK: createRecheckHandler(context) } },
    { name: 'deliveries', concurrency: DELIVERY_CONCURRENCY, handlers: { WEBHOOK: deliveries, MAIL: deliveries } },
    { name: 'account-mails', concurrency: DELIVERY_CONCURRENCY, handlers: { [ACCOUNT_MAIL]: accountMails } },
    upkeepQueue(
      {
        OWNERSHIP: every(OWNERSHIP_EVERY_MS, (pause) => recheckOwnership(ownership, pause)),
        EVIDENCE: every(EVIDENCE_LIMIT_EVERY_MS, (pause) => evidence.enforce(pause)),
        SCHEDULES: every(PLAN_EVERY_MS, (pause) => planSchedules(context, pause)),
        ERASURE: every(ERASE_EVERY_MS, (pause) => eraseRemoved(db, pause)),
        CLEANUP: every(CLEAN_UP_EVERY_MS, (pause) => cleanUp(db, clock.now(), config.evidenceDays, pause)),
      },
      context,
    ),
  ];
}

/** The queue of recurring jobs, one of each kind. */
export function upkeepQueue(handlers: WorkerQueue['handlers'], { db, clock }: WorkerContext): WorkerQueue {
  const kinds = Object.keys(handlers);
  return {
    name: 'upkeep',
    concurrency: kinds.length,
    handlers,
    async prepare() {
      const now = clock.now();
      const job = { queue: 'upkeep', key: '', account_id: null, site_id: null, run_after: now.toISOString() } as const;
      await db.transaction((tx) =>
        addJobs(
          tx,
          kinds.map((kind) => ({ ...job, kind })),
          now,
        ),
      );
    },
  };
}

/** One round of a recurring job. */
type Perform = (pause: Pause) => Promise<void>;

/** After this time a recurring job is interrupted and requeued at once, so that it never delays shutdown. */
const TIME_SLICE_MS = 1000;

const RETRY_AFTER_MS = 10_000;

/** Repeats work, in one process at a time. @param everyMs time between two rounds */
export function recurringJob(
  everyMs: number,
  work: Perform,
  { db, clock, logger }: WorkerContext,
  timeSliceMs = TIME_SLICE_MS,
): JobHandler {
  const requeue = (job: Job, afterMs: number): Promise<void> =>
    db.transaction((tx) => retryJob(tx, job, timeAfter(clock.now(), afterMs), { attempts: 0 }));
  return {
    attemptsMax: Infinity,
    async perform(job) {
      await work(pauseFor(timeSliceMs));
      await requeue(job, everyMs);
    },
    async failed(job, cause) {
      const isUnfinished = cause instanceof OutOfTime;
      if (!isUnfinished) logger.warn({ kind: job.kind, cause }, 'recurring job failed, retrying');
      await requeue(job, isUnfinished ? 0 : RETRY_AFTER_MS);
    },
  };
}
