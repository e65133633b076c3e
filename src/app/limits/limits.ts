import { hash } from 'node:crypto';
import type { components } from '../../../generated/contract.js';
import { networksOf, sharingNetwork } from '../../platform/http/request.js';
import { DAY_MS, secondsUntil, startNodeTimer, type StartTimer } from '../../platform/clock.js';
import { describeWait, type RateLimit, RateLimitError, ServiceError } from '../../platform/errors.js';
import { changedNothing, type Database, type Sql, type Tx } from '../../store/database.js';
import { defineQuery, jsonRows } from '../../store/query.js';
import { type Cap, CAPS, type NetworkMax } from './caps.js';

/** A fixed-window rate limit: at most `max` units per subject in each window of `windowMs`. */
export interface Limit {
  /** A key of {@link CAPS}, or the name of a daily run limit. */
  readonly name: string;
  /** Who is counted, such as an account id or a network. Only its SHA-256 is stored. */
  readonly subject: string;
  readonly max: number;
  readonly windowMs: number;
  /** Units to consume; by default 1. */
  readonly count?: number;
  /** Another limit of the same call. If the call consumes the first unit of that limit, this one counts but does not refuse. */
  readonly waivedOnFirstUseOf?: Limit | undefined;
  /** Error message, with the placeholder `{wait}`. */
  readonly message: string;
}

type Caps = typeof CAPS;
type SubjectCap = { [Name in keyof Caps]: Caps[Name]['max'] extends number ? Name : never }[keyof Caps];
type NetworkCap = Exclude<keyof Caps, SubjectCap>;

/** Returns the limit of one subject: an account, a site, or a mailbox. */
export function limitOf(name: SubjectCap, subject: string): Limit {
  const { max, windowMs, message } = CAPS[name];
  return { name, subject, max, windowMs, message: fillIn(message, { max, subject }) };
}

/**
 * Returns the limits of a client's networks, narrowest first, then the limit that all networks share, if there is one.
 * @param target host or email address to which the limits apply; by default, they apply to all
 */
export function networkLimits(name: NetworkCap, address: string, target?: string): readonly Limit[] {
  const { max: maxBySize, windowMs, message, total }: Cap<NetworkMax> = CAPS[name];
  const limits = networksOf(address).flatMap(({ size, prefix }) => {
    const max = maxBySize[size];
    if (max === undefined) return [];
    const isAddress = size === 'address';
    const who = isAddress ? 'Your network address' : 'Your network';
    const subject = target === undefined ? prefix : `${target} ${prefix}`;
    const text = fillIn(message, { max, who, subject: target ?? prefix });
    return [{ size, name: isAddress ? name : `${name}-network`, subject, max, windowMs, message: text }];
  });
  if (!total) return limits;
  const { max } = total;
  const subject = target ?? 'all';
  const sharing = sharingNetwork(address);
  const waivedOnFirstUseOf = total.exemptsFirstRequest ? limits.find(({ size }) => size === sharing.size) : undefined;
  return [
    ...limits,
    { name, subject, max, windowMs, message: fillIn(total.message ?? message, { max, subject }), waivedOnFirstUseOf },
  ];
}

/** Replaces the placeholders that have a value. */
export function fillIn(message: string, values: Readonly<Record<string, string | number>>): string {
  return message.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** Returns how many units of a limit are used. */
type UsedUnits = (limit: Limit) => number;

interface UsedRow {
  readonly name: string;
  readonly subject: string;
  readonly used: number;
}

const WINDOW_COLUMNS = ['name', 'subject', 'starts_at', 'ends_at', 'count'];
const USED = `(CAST(count AS integer) + coalesce((
  SELECT used FROM rate_windows WHERE scope = name AND subject = input.subject AND window_start = starts_at), 0))`;

/** Returns what {@link addUnits} would return, without locking or changing anything. */
const previewUnits = defineQuery<UsedRow, { windows: string }>((sql, { windows }) =>
  sql.raw(`SELECT name, subject, ${USED} AS used FROM ?`, [jsonRows(sql, windows, WINDOW_COLUMNS)]),
);

/**
 * Adds units to windows and returns the units used in each. It is one statement that locks the windows in order, so that concurrent callers
 * count each other's units. A negative count is a refund, which is ignored if it exceeds the used units.
 * @param windows JSON: `[{name, subject, starts_at, ends_at, count}, …]`
 */
const addUnits = defineQuery<UsedRow, { windows: string }>(
  (sql, { windows }) =>
    sql.raw(
      `INSERT INTO rate_windows (scope, subject, window_start, expires_at, used)
        SELECT name, subject, starts_at, ends_at, CAST(count AS integer) FROM ? WHERE ${USED} >= 0
        ON CONFLICT (scope, subject, window_start) DO UPDATE SET used = rate_windows.used + excluded.used
        RETURNING scope AS name, subject, used`,
      [jsonRows(sql, windows, WINDOW_COLUMNS)],
    ),
  { durability: 'process' },
);

/**
 * Consumes from every limit, or from none if any is exhausted.
 * @returns a function that refunds unused units, by default all of them. Call it once. It never rejects
 * @throws RateLimitError for the first exhausted limit
 */
export async function consume(db: Database, limits: readonly Limit[], now: Date, startTimer?: StartTimer) {
  await db.transaction((tx) => consumeAll(tx, limits, now), 'process');
  return (usedOf?: UsedUnits) => undoWithRetry(() => refundAll(db, limits, now, usedOf), startTimer);
}

/**
 * Consumes like {@link consume}, in a transaction that the caller must roll back if this throws. Calls that share windows must list their
 * limits in the same order, to avoid deadlocks.
 * @returns the used units of each limit
 */
export async function consumeAll(tx: Tx, limits: readonly Limit[], now: Date): Promise<readonly number[]> {
  const windows = JSON.stringify(limits.map((limit) => windowOf(limit, now)));
  // A refused caller must not lock windows that others need. A single window belongs to one subject.
  if (limits.length > 1) assertWithin(limits, await tx.run(previewUnits({ windows })), now);
  return assertWithin(limits, await tx.run(addUnits({ windows })), now);
}

/** Returns the used units of each limit. @throws RateLimitError for the first exhausted limit */
function assertWithin(limits: readonly Limit[], rows: readonly UsedRow[], now: Date): readonly number[] {
  const usedOf = indexUsedUnits(rows, now);
  for (const limit of limits) {
    const { max, message, waivedOnFirstUseOf } = limit;
    if (usedOf(limit) <= max || (waivedOnFirstUseOf && usedOf(waivedOnFirstUseOf) === 1)) continue;
    const waitS = secondsUntil(now, new Date(windowOf(limit, now).ends_at));
    throw new RateLimitError(fillIn(message, { wait: describeWait(waitS) }), waitS);
  }
  return limits.map(usedOf);
}

function indexUsedUnits(rows: readonly UsedRow[], now: Date): UsedUnits {
  const keyOf = ({ name, subject }: Pick<UsedRow, 'name' | 'subject'>): string => `${name} ${subject}`;
  const usedByKey = new Map(rows.map((row) => [keyOf(row), row.used]));
  return (limit) => usedByKey.get(keyOf(windowOf(limit, now))) ?? 0;
}

/** Refunds what {@link consumeAll} consumed at the same time. */
export async function refundAll(
  sql: Sql,
  limits: readonly Limit[],
  now: Date,
  usedOf: UsedUnits = () => 0,
): Promise<void> {
  const refunds = limits.map((limit) => windowOf(limit, now, usedOf(limit) - (limit.count ?? 1)));
  const windows = refunds.filter(({ count }) => count < 0);
  if (windows.length > 0) await sql.run(addUnits({ windows: JSON.stringify(windows) }));
}

/** Windows are aligned to the epoch, so windows of an hour or a day follow UTC. */
function windowOf({ name, subject, windowMs, count: consumed = 1 }: Limit, now: Date, count = consumed) {
  const startMs = Math.floor(now.getTime() / windowMs) * windowMs;
  return {
    name,
    subject: hash('sha256', subject, 'hex'),
    starts_at: new Date(startMs).toISOString(),
    ends_at: new Date(startMs + windowMs).toISOString(),
    count,
  };
}

const UNDO_RETRY_MS = 5000;

/**
 * Undoes failed work, such as by a refund. Never rejects: if the database is unavailable, a common reason for failed work, retries once in
 * the background.
 * @returns undefined if `undo` failed
 */
export async function undoWithRetry<T>(
  undo: () => Promise<T>,
  startTimer: StartTimer = startNodeTimer,
): Promise<T | undefined> {
  try {
    return await undo();
  } catch (error) {
    // If its outcome is unknown, it is not repeated: a second refund would exceed the limit.
    if (changedNothing(error)) startTimer(() => undo().catch(() => undefined), UNDO_RETRY_MS);
    return undefined;
  }
}

type Trigger = components['schemas']['Trigger'];

/**
 * Maximum runs of a site per UTC day, by trigger (contract, "Limits"). 24 deploys are more than most sites need, and limit the damage of a
 * leaked hook URL or a looping pipeline. Scheduled runs are limited by their schedule.
 */
export const DAILY_RUNS: Readonly<Partial<Record<Trigger, number>>> = { API: 5, MANUAL: 10, POST_DEPLOY: 24 };

/** Identifies the daily limits of a site, even after it is removed and added again. */
interface LimitedSite {
  readonly accountId: string;
  readonly hostname: string;
}

/** Removes port 80 or 443, so that the http and https sites of a host share their limits. */
export function removeDefaultPort(hostname: string): string {
  return hostname.replace(/:(?:80|443)$/, '');
}

function dailyRunLimit({ accountId, hostname }: LimitedSite, trigger: Trigger): Limit | null {
  const max = DAILY_RUNS[trigger];
  if (max === undefined) return null;
  const subject = `${accountId} ${removeDefaultPort(hostname)}`;
  return { name: `daily-runs-${trigger}`, subject, max, windowMs: DAY_MS, message: '' };
}

export function rateLimitOf(policy: RateLimit['policy'], limit: number, used: number, at: Date): RateLimit {
  return { policy, limit, remaining: Math.max(0, limit - used), at };
}

/** Charges a run to the current day. Returns null for a trigger without a limit. @throws ServiceError daily_runs_exceeded */
export async function chargeDailyRun(
  tx: Tx,
  site: LimitedSite,
  trigger: Trigger,
  now: Date,
): Promise<RateLimit | null> {
  const limit = dailyRunLimit(site, trigger);
  if (!limit) return null;
  try {
    const [used = 0] = await consumeAll(tx, [limit], now);
    return rateLimitOf('day', limit.max, used, now);
  } catch (error) {
    if (!(error instanceof RateLimitError)) throw error;
    const { retryAfterS } = error;
    throw new ServiceError('daily_runs_exceeded', {
      retryAfterS,
      rateLimit: rateLimitOf('day', limit.max, limit.max, now),
    });
  }
}

/** Refunds a run to the day to which it was charged. */
export async function refundDailyRun(tx: Tx, site: LimitedSite, trigger: Trigger, chargedAt: Date): Promise<void> {
  const limit = dailyRunLimit(site, trigger);
  if (limit) await refundAll(tx, [limit], chargedAt);
}

/** Returns the site's remaining runs of the day; null for a trigger without a limit. */
export async function runsLeft(sql: Sql, site: LimitedSite, trigger: Trigger, now: Date): Promise<RateLimit | null> {
  const limit = dailyRunLimit(site, trigger);
  if (!limit) return null;
  const windows = JSON.stringify([windowOf(limit, now, 0)]);
  const usedOf = indexUsedUnits(await sql.run(previewUnits({ windows })), now);
  return rateLimitOf('day', limit.max, usedOf(limit), now);
}
