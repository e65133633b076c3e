import { yieldToEventLoop } from '../../net/event-loop.js';
import type { Database } from '../../store/database.js';
import { UNSCORED_RUNS_MAX } from '../runs/last-scored.js';
import { type Period, readPeriod, type SitePeriod } from '../runs/period.js';
import { readScoredRuns, type RunRange } from '../runs/scored-runs.js';
import { acceptedOfAccount } from '../triage/accepted-failures.js';
import type { DigestEvent, DigestGroup, DigestKind, DigestMessage, DigestSite } from './alert-event.js';
import { type NetChange, netChangeOf } from './net-change.js';

/** How many sites of a kind a digest names. */
const NAMED_MAX = 25;

const KINDS: readonly DigestKind[] = ['worse', 'unscored', 'better', 'first'];

/** What a digest tells by the time that it is sent: nothing of a site that was removed meanwhile. Null: nothing is left of it. */
export async function digestOf(
  db: Database,
  accountId: string,
  { type, timestamp, data }: DigestMessage,
): Promise<DigestEvent | null> {
  const { sites, groups } = await readDigest(db, accountId, data);
  return groups.length === 0 ? null : { type, timestamp, data: { since: data.since, sites, groups } };
}

/** How many sites the account has, and those that have news, the gravest first. */
export async function readDigest(
  db: Database,
  accountId: string,
  period: Period,
): Promise<{ readonly sites: number; readonly groups: readonly DigestGroup[] }> {
  const sites = await readPeriod(db, accountId, period);
  const changes = await readChanges(db, accountId, sites.filter(isCompared));
  const byKind = Map.groupBy(sites, (site) => kindOf(site, changes.get(site.id) ?? null));
  const groups = KINDS.flatMap((kind): DigestGroup[] => {
    const alike = (byKind.get(kind) ?? [])
      .map((site) => digestSiteOf(site, changes.get(site.id) ?? null))
      .sort(byChange);
    return alike.length === 0 ? [] : [{ kind, count: alike.length, sites: alike.slice(0, NAMED_MAX) }];
  });
  return { sites: sites.length, groups };
}

/** Also where runs without a score followed: the next digest compares with the last score, and would not tell how it came about. */
function isCompared({ scored, scoredBefore }: SitePeriod): boolean {
  return scored !== null && scoredBefore !== null && scored.number > scoredBefore;
}

/** Of a site up to {@link UNSCORED_RUNS_MAX} runs are read twice, some 300 bytes each: the process does other things in between. */
const SITES_AT_ONCE = 10;

/** By site id, what alerts would have told of its runs. */
async function readChanges(
  db: Database,
  accountId: string,
  sites: readonly SitePeriod[],
): Promise<ReadonlyMap<string, NetChange | null>> {
  const changes = new Map<string, NetChange | null>();
  if (sites.length === 0) return changes;
  const accepted = await acceptedOfAccount(db, accountId);
  for (let from = 0; from < sites.length; from += SITES_AT_ONCE) {
    // SQLite answers at once, so that nothing else would have its turn.
    if (from > 0) await yieldToEventLoop();
    const some = sites.slice(from, from + SITES_AT_ONCE);
    const runs = await readScoredRuns(db, some.flatMap(rangesOf));
    for (const { id, scoredBefore } of some) {
      const oldestFirst = (runs.get(id) ?? []).toReversed();
      const isBefore = ({ run }: { readonly run: { readonly number: number } }) => run.number <= (scoredBefore ?? 0);
      const split = { before: oldestFirst.filter(isBefore), since: oldestFirst.filter((one) => !isBefore(one)) };
      changes.set(id, netChangeOf(split, accepted.get(id) ?? []));
    }
  }
  return changes;
}

/** Up to the last run with a score before that time, from which a state of alerts is made, and up to the last one of all. */
function rangesOf({ id, scored, scoredBefore }: SitePeriod): readonly RunRange[] {
  const [before, last] = [scoredBefore ?? 0, scored?.number ?? 0];
  return [
    { siteId: id, first: before - UNSCORED_RUNS_MAX + 1, last: before },
    { siteId: id, first: Math.max(before, last - UNSCORED_RUNS_MAX) + 1, last },
  ];
}

/** Null: nothing has changed. */
function kindOf(
  { hasRun, unscoredRuns, wasUnscored, scored, scoredBefore }: SitePeriod,
  change: NetChange | null,
): DigestKind | null {
  if (!hasRun) return null;
  if (change !== null && (change.to < change.from || change.newFailures > 0)) return 'worse';
  const isFirst = scored !== null && scoredBefore === null;
  const isBetter = change !== null && (change.to > change.from || change.fixed > 0);
  // Down then as now was told before, unless something changed in between.
  if (unscoredRuns > 0) return wasUnscored && !isFirst && !isBetter ? null : 'unscored';
  if (isFirst) return 'first';
  // Without a change it was removed while this was read.
  return isBetter || (change !== null && wasUnscored) ? 'better' : null;
}

function digestSiteOf(
  { id, hostname, unscoredRuns, wasUnscored, scored }: SitePeriod,
  change: NetChange | null,
): DigestSite {
  const { from, to, newFailures, fixed } = change ?? {
    from: null,
    to: scored?.score ?? null,
    newFailures: 0,
    fixed: 0,
  };
  const isBack = wasUnscored && unscoredRuns === 0 && from !== null;
  return { id, hostname, from, to, newFailures, fixed, isBack, unscoredRuns };
}

/** The largest change first, then by name. */
function byChange(a: DigestSite, b: DigestSite): number {
  const sizeOf = ({ from, to }: DigestSite): number => Math.abs((to ?? 0) - (from ?? to ?? 0));
  return sizeOf(b) - sizeOf(a) || (a.hostname < b.hostname ? -1 : 1);
}
