import { yieldToEventLoop } from '../../net/event-loop.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../store/database.js';
import { execute, type Transaction } from '../../store/transaction.js';
import { newEventId, recordEvents } from '../audit/audit.js';
import { nameOf } from './add-sites.js';
import { excludedAmong } from './excluded-hosts.js';
import { holdSites, type Site } from './site.js';
import { updateAllVerified, type VerifiedBy } from './site-statements.js';

/** What later features make of a site that is verified, in the transaction that writes so. */
export type OnVerified = (site: Site, now: Date) => Transaction<void>;

/** Which sites one proof verifies. */
export interface ProvedSites {
  readonly accountId: string;
  readonly siteIds: readonly string[];
  readonly by: VerifiedBy;
}

/** So many are verified in one transaction, which on SQLite holds up all else: some hundredths of a second. */
const VERIFIED_AT_ONCE = 100;

/** @returns the ids of those that are verified then: not of one that was removed or excluded meanwhile */
export async function verifyInPieces(
  db: Database,
  clock: Clock,
  { siteIds, ...proved }: ProvedSites,
  onFirst?: OnVerified,
): Promise<ReadonlySet<string>> {
  const verified = new Set<string>();
  for (let from = 0; from < siteIds.length; from += VERIFIED_AT_ONCE) {
    const some = { ...proved, siteIds: siteIds.slice(from, from + VERIFIED_AT_ONCE) };
    for (const id of await db.transaction(() => verifySites(some, clock.now(), onFirst))) verified.add(id);
    await yieldToEventLoop();
  }
  return verified;
}

/** As for a single site: the operator's word stays, and a proof that is there as before is not an event. */
function* verifySites(
  { accountId, siteIds, by }: ProvedSites,
  now: Date,
  onFirst?: OnVerified,
): Transaction<readonly string[]> {
  const sites = yield* holdSites(accountId, siteIds);
  const barred = yield* excludedAmong(sites.map(nameOf));
  const open = sites.filter((site) => !barred.has(nameOf(site)));
  const proved = open.filter(({ verifiedBy }) => verifiedBy !== 'operator');
  const verified_at = now.toISOString();
  const given = JSON.stringify(proved.map(({ id: site_id }) => ({ site_id })));
  yield* execute(updateAllVerified({ sites: given, verified_at, verified_by: by }));
  const events = proved
    .filter(({ verifiedBy }) => verifiedBy !== by)
    .map(({ hostname }) => ({ id: newEventId(), subject: hostname }));
  if (events.length > 0) yield* recordEvents({ accountId, event: 'site_verified', now }, events);
  for (const site of proved) {
    if (!onFirst || site.latestNumber > 0 || site.verifiedAt !== null) continue;
    yield* onFirst({ ...site, verifiedAt: verified_at, verifiedBy: by, ownershipLostAt: null }, now);
  }
  return open.map(({ id }) => id);
}
