import { type Clock, laterThan } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { digestSecretToken, isSecretToken, newSecretToken } from '../../platform/secret-token.js';
import { type Database, runOne } from '../../store/database.js';
import {
  deleteDeployHook,
  type HookStatusRow,
  selectDeployHook,
  selectHookedSite,
  selectHookStatus,
  touchDeployHook,
  upsertDeployHook,
} from './deploy-hook-statements.js';
import { takeRunOfDay } from '../limits/daily-runs.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { holdOwnSite, type OwnSite } from '../sites/own-site.js';
import type { SiteOfAccount } from '../sites/site.js';
import { recordEvent } from '../audit/audit.js';
import { nameNextRun, type RunLabel } from '../runs/run-label.js';
import { queueAfter } from './queue-after.js';

/** The secret address of a site that a deployment calls, without the secret. */
export interface DeployHook {
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** What a call of the hook has set off. */
export interface DeployCall {
  readonly siteId: string;
  readonly hostname: string;
  /** When the run begins at the earliest. */
  readonly runAfter: Date;
  /** The number of the site's latest run at the time of the call, 0 before its first: the run to look for has a higher one. */
  readonly latestNumber: number;
}

export interface DeployStatus {
  readonly siteId: string;
  readonly hostname: string;
  /** `waiting`: not started yet, `running`: being scanned, `idle`: no run is queued. */
  readonly state: 'waiting' | 'running' | 'idle';
  readonly latest: {
    readonly number: number;
    readonly score: number | null;
    readonly trigger: string;
    readonly finishedAt: string;
  } | null;
}

/** Seconds that a deployment may take until it is live. */
export const DEPLOY_WAIT_S = { standard: 10, max: 600 } as const;

const TRIGGER = 'POST_DEPLOY';

/** The time of last use is kept to the minute. */
const TOUCH_EVERY_MS = 60_000;

/** What changes a site's hook rejects with ServiceError site_not_found, for another account's site too. */
export class DeployHooks {
  constructor(private readonly deps: { readonly db: Database; readonly clock: Clock }) {}

  async find({ id }: OwnSite): Promise<DeployHook | null> {
    const row = await runOne(this.deps.db, selectDeployHook({ site_id: id }));
    return row ? { createdAt: row.created_at, lastUsedAt: row.last_used_at } : null;
  }

  /** Makes the site's address, or a new one in its place: the one before stops working. @returns the secret, shown this once */
  async create(request: SiteOfAccount): Promise<{ readonly hook: DeployHook; readonly token: string }> {
    const token = newSecretToken();
    const now = this.deps.clock.now();
    const createdAt = now.toISOString();
    await this.deps.db.transaction(function* () {
      const { id, accountId, hostname: subject } = yield* holdOwnSite(request);
      yield* execute(upsertDeployHook({ site_id: id, digest: digestSecretToken(token), created_at: createdAt }));
      yield* recordEvent({ accountId, event: 'deploy_hook_created', subject, now });
    });
    return { hook: { createdAt, lastUsedAt: null }, token };
  }

  async remove(request: SiteOfAccount): Promise<void> {
    const { db, clock } = this.deps;
    await db.transaction(function* () {
      const { id, accountId, hostname: subject } = yield* holdOwnSite(request);
      if (!(yield* one(deleteDeployHook({ site_id: id })))) return;
      yield* recordEvent({ accountId, event: 'deploy_hook_removed', subject, now: clock.now() });
    });
  }

  /**
   * Queues a POST_DEPLOY run; several calls close together make one, which is named by the last of them.
   * @param waitS seconds until the deployment is live
   * @throws ServiceError not_found for an unknown token, domain_not_verified, daily_runs_exceeded
   */
  async call(token: string, waitS: number, label: RunLabel | null = null): Promise<DeployCall> {
    const { db, clock } = this.deps;
    const digest = digestOf(token);
    return db.transaction(() => takeCall(digest, { waitS, label }, clock.now()));
  }

  /** The state of the site, for clients that wait for the run. @throws ServiceError not_found */
  async status(token: string): Promise<DeployStatus> {
    const row = await runOne(this.deps.db, selectHookStatus({ digest: digestOf(token), kind: TRIGGER }));
    if (!row) throw new ServiceError('not_found');
    return statusOf(row);
  }
}

/** @throws ServiceError not_found, without a query, for what cannot be a token */
function digestOf(token: string): string {
  if (!isSecretToken(token)) throw new ServiceError('not_found');
  return digestSecretToken(token);
}

/**
 * Queues the run, and takes it from the day's budget unless it is one that waits already. A refusal undoes the whole. Nothing
 * gives the day its run back: once queued, the run is performed, or tried as often as it may be.
 */
function* takeCall(
  digest: string,
  { waitS, label }: { readonly waitS: number; readonly label: RunLabel | null },
  now: Date,
): Transaction<DeployCall> {
  const site = yield* one(selectHookedSite({ digest }));
  if (!site) throw new ServiceError('not_found');
  if (site.verified_at === null) throw new ServiceError('domain_not_verified');
  const wanted = new Date(now.getTime() + waitS * 1000);
  const job = { queue: 'runs', kind: TRIGGER, key: site.id, accountId: site.account_id, siteId: site.id } as const;
  const queued = yield* queueAfter({ ...job, runAfter: wanted }, now);
  if (queued.before === null) yield* takeRunOfDay(site.id, TRIGGER, now);
  yield* nameNextRun(site.id, queued, label);
  const stale_before = laterThan(now, -TOUCH_EVERY_MS);
  yield* execute(touchDeployHook({ digest, now: now.toISOString(), stale_before }));
  return { siteId: site.id, hostname: site.hostname, runAfter: queued.runAfter, latestNumber: site.run_counter };
}

function statusOf(row: HookStatusRow): DeployStatus {
  const { id, hostname, number, score, trigger, finished_at, requested_at, lease } = row;
  const queued = lease === null ? 'waiting' : 'running';
  return {
    siteId: id,
    hostname,
    state: requested_at === null ? 'idle' : queued,
    latest:
      number === null || trigger === null || finished_at === null
        ? null
        : { number, score, trigger, finishedAt: finished_at },
  };
}
