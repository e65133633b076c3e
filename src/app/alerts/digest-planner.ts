import type { Clock } from '../../platform/clock.js';
import type { Steps } from '../../queue/steps.js';
import { type Database, runOne } from '../../store/database.js';
import { one, type Transaction } from '../../store/transaction.js';
import { placeOf } from '../automation/schedule.js';
import { readPeriod, type SitePeriod } from '../runs/period.js';
import type { DigestEvent, DigestGroup, DigestKind, DigestSite } from './alert-event.js';
import { type DigestRow, moveDigest, selectDueDigest } from './digest-statements.js';
import { addMessage } from './outbox.js';

export const PLAN_DIGESTS_EVERY_MS = 60_000;

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

/** Monday, 5 January 1970, 07:00 UTC. */
const FIRST_MS = 4 * 24 * HOUR_MS + 7 * HOUR_MS;

/** The first Monday after `after`, between 07:00 and 08:00 UTC: each account has its own place in the hour, so that no minute is a peak. */
export function nextDigestTime(accountId: string, after: Date): Date {
  const placeMs = FIRST_MS + Math.floor((placeOf(accountId) * HOUR_MS) / 1000) * 1000;
  const weeksGone = Math.floor((after.getTime() - placeMs) / WEEK_MS);
  return new Date(placeMs + (weeksGone + 1) * WEEK_MS);
}

/** Sends one digest to each account whose time has come, however often it was missed. */
export async function* planDigests({ db, clock }: { readonly db: Database; readonly clock: Clock }): Steps {
  for (;;) {
    const now = clock.now();
    const due = await runOne(db, selectDueDigest({ now: now.toISOString() }));
    if (!due) return;
    const sites = await readPeriod(db, due.account_id, due.since);
    await db.transaction(() => sendDigest(due, digestOf(due.since, sites, now), now));
    yield;
  }
}

/** One transaction: the process that moves the time on sends the digest, and no other does. Where nothing changed there is none. */
function* sendDigest({ account_id, next_at: due_at }: DigestRow, digest: DigestEvent, now: Date): Transaction<void> {
  const next_at = nextDigestTime(account_id, now).toISOString();
  const moved = yield* one(moveDigest({ account_id, due_at, since: now.toISOString(), next_at }));
  if (!moved || digest.data.groups.length === 0) return;
  const { type: event } = digest;
  yield* addMessage({ accountId: account_id, webhook: null, siteId: null, event, body: JSON.stringify(digest) }, now);
}

/** How many sites of a kind a digest names. */
const NAMED_MAX = 25;

const KINDS: readonly DigestKind[] = ['worse', 'unscored', 'better', 'first'];

/** What is to be told, the gravest first. */
export function digestOf(since: string, sites: readonly SitePeriod[], now: Date): DigestEvent {
  const byKind = Map.groupBy(sites, kindOf);
  const groups = KINDS.flatMap((kind): DigestGroup[] => {
    const alike = (byKind.get(kind) ?? []).map(digestSiteOf).sort(byChange);
    return alike.length === 0 ? [] : [{ kind, count: alike.length, sites: alike.slice(0, NAMED_MAX) }];
  });
  return { type: 'digest.weekly', timestamp: now.toISOString(), data: { since, sites: sites.length, groups } };
}

/** Null: nothing has changed. */
function kindOf({ hasRun, unscoredRuns, wasUnscored, judged }: SitePeriod): DigestKind | null {
  if (!hasRun) return null;
  if (unscoredRuns > 0) return wasUnscored ? null : 'unscored';
  if (judged === null) return null;
  if (judged.change === null) return 'first';
  const { points, newFailures, fixed } = judged.change;
  if (points < 0 || newFailures > 0) return 'worse';
  return points > 0 || fixed > 0 || wasUnscored ? 'better' : null;
}

function digestSiteOf({ id, hostname, unscoredRuns, wasUnscored, judged }: SitePeriod): DigestSite {
  const { points, newFailures, fixed } = judged?.change ?? { points: 0, newFailures: 0, fixed: 0 };
  const to = judged?.score ?? null;
  const from = to === null || !judged?.change ? null : to - points;
  return { id, hostname, from, to, newFailures, fixed, isBack: wasUnscored && from !== null, unscoredRuns };
}

/** The largest change first, then by name. */
function byChange(a: DigestSite, b: DigestSite): number {
  const sizeOf = ({ from, to }: DigestSite): number => Math.abs((to ?? 0) - (from ?? to ?? 0));
  return sizeOf(b) - sizeOf(a) || (a.hostname < b.hostname ? -1 : 1);
}
