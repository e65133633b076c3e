import type { ParameterizedContext } from 'koa';
import { isoTimeAfter } from '../../platform/clock.js';
import { Refusal, ServiceError } from '../../platform/errors.js';
import { setAllow } from '../../platform/http/answer.js';
import { createHttpApp, type HttpContext } from '../../platform/http/app.js';
import { ignoreBody, type RequestState } from '../../platform/http/request.js';
import { digestSecretToken, isSecretToken, newSecretToken } from '../../platform/ids.js';
import { labelFrom } from '../../platform/label.js';
import { addJob, type Job, jobs, lockJob, type NewJob } from '../../queue/jobs.js';
import { headlineOf, rankOf } from '../../scanner/report/failures.js';
import type { Sql, Tx } from '../../store/database.js';
import { defineQuery, table } from '../../store/query.js';
import { recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import { chargeDailyRun, DAILY_RUNS } from '../limits/limits.js';
import { deployPayload, type RunLabel } from '../runs/run.js';
import { readRuns, type RunSummary } from '../runs/run-rows.js';
import { lockOwnSite, readSite, type SiteOfAccount, type SiteRow } from '../sites/site.js';

/** A site's deploy hook, without its secret URL. Times are ISO 8601, UTC. */
export type DeployHook = NonNullable<Awaited<ReturnType<typeof readHook>>>;

/** Seconds from the call until the deployment is live. */
export const DEPLOY_WAIT_S = { default: 10, max: 600 } as const;

const TRIGGER = 'POST_DEPLOY';

const hooks = table('deploy_hooks');

/** Selects and locks the site of a hook, so that it cannot be deleted until the transaction ends. */
const selectSiteOfHook = defineQuery<SiteRow, { digest: string }>((sql, { digest }) =>
  sql('sites as s')
    .join('deploy_hooks as h', 'h.site_id', 's.id')
    .select('s.*')
    .where({ 'h.digest': digest, 's.is_deleting': 0 })
    .forKeyShare('s'),
);

type HooksContext = Pick<Context, 'db' | 'clock'>;

export async function readHook(sql: Sql, site_id: string) {
  const row = await sql.one(hooks.find({ site_id }, ['created_at', 'last_used_at']));
  return row ? { createdAt: row.created_at, lastUsedAt: row.last_used_at } : null;
}

/**
 * Creates the site's hook, or replaces its URL, so that the previous one stops working.
 * @returns the secret part of the URL, which is not stored
 * @throws ServiceError site_not_found, also for another account's site
 */
export async function createHook({ db, clock }: HooksContext, site: SiteOfAccount): Promise<string> {
  const token = newSecretToken();
  const now = clock.now();
  await db.transaction(async (tx) => {
    const { id: site_id, accountId, hostname: subject } = await lockOwnSite(tx, site);
    const row = { site_id, digest: digestSecretToken(token), created_at: now.toISOString(), last_used_at: null };
    await tx.run(hooks.upsert(row));
    await recordEvent(tx, { accountId, event: 'deploy_hook_created', subject, now });
  });
  return token;
}

/** @throws ServiceError site_not_found, also for another account's site */
export async function removeHook({ db, clock }: HooksContext, site: SiteOfAccount): Promise<void> {
  await db.transaction(async (tx) => {
    const { id, accountId, hostname: subject } = await lockOwnSite(tx, site);
    if (!(await tx.one(hooks.delete({ site_id: id })))) return;
    await recordEvent(tx, { accountId, event: 'deploy_hook_removed', subject, now: clock.now() });
  });
}

/**
 * Queues a POST_DEPLOY run, or joins the waiting one. The run gets the label of the last call if that deployment is live when the run
 * starts. Only a new run counts against the daily limit. It is never refunded, even if all attempts fail.
 * @param waitS seconds until the deployment is live
 * @returns the earliest start of the run, and the number of the site's latest run, or 0 if it has none
 * @throws ServiceError not_found for an unknown token, domain_not_verified, daily_runs_exceeded
 */
export async function callHook(
  { db, clock }: HooksContext,
  token: string,
  waitS: number,
  label: RunLabel | null = null,
) {
  const digest = digestToken(token);
  const now = clock.now();
  return db.transaction(async (tx) => {
    const site = await tx.one(selectSiteOfHook({ digest }));
    if (!site) throw new ServiceError('not_found');
    if (site.verified_at === null) throw new ServiceError('domain_not_verified');
    const { id: siteId, account_id, hostname, run_counter: latestNumber } = site;
    const job = { queue: 'runs', kind: TRIGGER, key: siteId, account_id, site_id: siteId } as const;
    const { runAfter, isNew } = await queueOrPostpone(tx, { ...job, run_after: isoTimeAfter(now, waitS * 1000) }, now);
    if (isNew) await chargeDailyRun(tx, { accountId: account_id, hostname }, TRIGGER, now);
    await tx.run(jobs.update({ kind: TRIGGER, key: siteId }, { payload: deployPayload(label, runAfter) }));
    await tx.run(hooks.update({ site_id: siteId }, { last_used_at: now.toISOString() }));
    return { siteId, hostname, runAfter, latestNumber };
  });
}

/**
 * Returns the state of the hook's run, for clients that poll, and the site's latest run without text from the site. `waiting`: the run is
 * queued. `idle`: no run is queued or running.
 * @throws ServiceError not_found
 */
export async function readHookStatus(sql: Sql, token: string) {
  const hook = await sql.one(hooks.find({ digest: digestToken(token) }, ['site_id']));
  if (!hook) throw new ServiceError('not_found');
  // Reads the job before the runs, so that a run that finishes in between appears as both running and latest, rather than as neither.
  const job = await sql.one(jobs.find({ kind: TRIGGER, key: hook.site_id }, ['lease']));
  const site = await readSite(sql, hook.site_id);
  if (!site) throw new ServiceError('not_found');
  const [latest] = await readRuns(sql, site.id, site.latestNumber, site.latestNumber);
  const queued = job?.lease === null ? 'waiting' : 'running';
  return { state: job ? queued : 'idle', latest: latest ? describeRun(latest) : null };
}

function describeRun({ number, score, trigger, finishedAt, findings }: RunSummary) {
  const failures = findings
    .filter(({ result }) => result === 'FAIL')
    .sort((a, b) => rankOf(a) - rankOf(b))
    .map(({ checkId, errorType, scored }) => ({
      checkId,
      headline: headlineOf({ checkId, errorType, title: null }),
      scored,
    }));
  return { number, score, trigger, finishedAt, failures };
}

/** @throws ServiceError not_found for an invalid token */
function digestToken(token: string): string {
  if (!isSecretToken(token)) throw new ServiceError('not_found');
  return digestSecretToken(token);
}

/** Maximum time from the first call by which later calls can postpone the run. */
const POSTPONED_MS_MAX = 600_000;

/** Queues the job, or postpones the waiting one. If that one is running or cannot be postponed further, plans another run after it. */
async function queueOrPostpone(tx: Tx, job: NewJob, now: Date) {
  for (;;) {
    const row = await tx.one(lockJob({ kind: job.kind, key: job.key }));
    if (row) return await postponeJob(tx, row, job.run_after);
    if (await addJob(tx, job, now)) return { runAfter: new Date(job.run_after), isNew: true };
    // Another process has queued the job in the meantime, so the next iteration finds it.
  }
}

/** Postpones the job or the run after it. Never moves it to an earlier time. @param dueAt ISO 8601, UTC */
async function postponeJob(tx: Tx, row: Job, dueAt: string) {
  const { kind, key } = row;
  const latest = isoTimeAfter(new Date(row.requested_at), POSTPONED_MS_MAX);
  const isPostponed = row.lease === null && (dueAt <= latest || dueAt <= row.run_after);
  const column = isPostponed ? 'run_after' : 'again_after';
  const plannedAt = row[column];
  const runAfter = plannedAt !== null && plannedAt > dueAt ? plannedAt : dueAt;
  await tx.run(jobs.update({ kind, key }, { [column]: runAfter }));
  return { runAfter: new Date(runAfter), isNew: plannedAt === null };
}

type HookOptions = HttpContext & HooksContext & Pick<Context, 'publicUrl'>;

const PREFIX = '/hooks/deploy/';

/** Logged instead of the path, which contains a secret. */
const ROUTE = '/hooks/deploy/{token}';

/** The URL is a secret, so caches must not store it and clients must not send it as a referrer. */
const HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

const MESSAGES = {
  not_found:
    'There is no such deploy hook. It may have been replaced or removed. Create a new address on the site\'s "Automation" page.',
  daily_runs_exceeded: `Deploy hooks have started ${DAILY_RUNS.POST_DEPLOY} runs of this site today, which is the limit. Try again after 00:00 UTC (see Retry-After).`,
};

/**
 * Serves deploy hooks: `POST /hooks/deploy/{token}?wait=N&commit=…&label=…` queues a run of the site, and a GET of the same URL returns its
 * state. The token is the only credential. Guesses are not limited, because the token has 256 random bits and a wrong guess costs only an
 * index lookup.
 */
export function createHookApp(options: HookOptions) {
  const { db, publicUrl } = options;
  const app = createHttpApp({ ...options, name: 'hooks', headers: HEADERS, messages: MESSAGES });
  app.use(async (ctx) => {
    const token = readToken(ctx);
    if (ctx.method === 'GET' || ctx.method === 'HEAD') {
      ctx.body = await readHookStatus(db, token);
      return;
    }
    if (ctx.method !== 'POST') {
      setAllow(ctx, ['GET', 'POST']);
      if (ctx.method !== 'OPTIONS') throw new ServiceError('method_not_allowed');
      ctx.status = 204;
      return;
    }
    await ignoreBody(ctx.req);
    const query = new URLSearchParams(ctx.querystring);
    // Pipelines send an empty value for a variable that is not set.
    const label = { commit: labelFrom(query.get('commit') ?? ''), label: labelFrom(query.get('label') ?? '') };
    const { siteId, hostname, runAfter, latestNumber } = await callHook(options, token, parseWait(query), label);
    ctx.status = 202;
    // Only in the header, because the URL is a secret and pipelines print the body.
    ctx.set('Location', publicUrl + PREFIX + token);
    ctx.body = {
      status: 'queued',
      site: { id: siteId, hostname },
      runAfter: runAfter.toISOString(),
      // The run that this call started will have a higher number.
      after: latestNumber,
      lookAt: {
        page: `${publicUrl}/sites/${siteId}`,
        latest: `${publicUrl}/api/v1/sites/${siteId}/runs/latest`,
      },
    };
  });
  return { handle: app.callback() };
}

/** @throws ServiceError not_found */
function readToken({ path, state }: ParameterizedContext<RequestState>): string {
  const token = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : '';
  if (token === '' || token.includes('/')) throw new ServiceError('not_found');
  state.route = ROUTE;
  return token;
}

const INVALID_WAIT = `wait is the number of seconds until the deployment is live: an integer from 0 to ${DEPLOY_WAIT_S.max}.`;

/** An integer as in the API: decimal digits without sign or leading zero. */
const INTEGER = /^(?:0|[1-9][0-9]{0,2})$/;

/** Parses the seconds until the deployment is live. @throws Refusal invalid_wait, a code that only deploy hooks use */
function parseWait(query: URLSearchParams): number {
  const [text = String(DEPLOY_WAIT_S.default), ...others] = query.getAll('wait');
  const seconds = INTEGER.test(text) ? Number(text) : Infinity;
  if (others.length > 0 || seconds > DEPLOY_WAIT_S.max) throw new Refusal(400, 'invalid_wait', INVALID_WAIT);
  return seconds;
}
