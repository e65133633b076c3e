import { yieldToEventLoop } from '../../net/event-loop.js';
import type { Clock } from '../../platform/clock.js';
import { InputError } from '../../platform/input-error.js';
import { type Database, runApart, runOne } from '../../store/database.js';
import { all, execute, type Transaction } from '../../store/transaction.js';
import {
  deleteExcludedHost,
  endOwnerships,
  insertExcludedHost,
  selectExcludedAmong,
  selectExcludedHosts,
} from './excluded-host-statements.js';
import { recordLoss } from './ownership-loss.js';
import { parseSiteInput } from './site-input.js';

export interface ExcludedHost {
  readonly host: string;
  /** ISO 8601, UTC. */
  readonly excludedAt: string;
}

export interface ExcludedHostsDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** What later features make of it that a site is no longer verified, in the same transaction. */
  readonly onOwnershipEnded?: (siteId: string) => Transaction<void>;
}

/** What those are told who would have such a site scanned. */
const EXCLUDED =
  'The owner of this site has asked us not to scan it, so it cannot be scanned here. Only the operator of this service can change that.';

/**
 * Hosts whose owners have asked the operator not to be scanned: they and every name below them are left alone at once. Their sites are no
 * longer verified, so that nothing of them starts, and none can be added, verified or scanned without an account.
 */
export class ExcludedHosts {
  constructor(private readonly deps: ExcludedHostsDeps) {}

  /** @returns the sites that are no longer verified. @throws InputError for what is not a host */
  async add(input: string): Promise<{ readonly host: string; readonly siteIds: readonly string[] }> {
    const { db, clock } = this.deps;
    const host = parseHost(input);
    return { host, siteIds: await db.transaction(() => this.#exclude(host, clock.now())) };
  }

  /** @throws InputError for what is not excluded */
  async remove(input: string): Promise<{ readonly host: string }> {
    const host = parseHost(input);
    const removed = await runOne(this.deps.db, deleteExcludedHost({ host }));
    if (!removed) throw new InputError(`${host} is not excluded.`);
    return removed;
  }

  async list(): Promise<readonly ExcludedHost[]> {
    const rows = await this.deps.db.run(selectExcludedHosts({}));
    return rows.map(({ host, excluded_at: excludedAt }) => ({ host, excludedAt }));
  }

  *#exclude(host: string, now: Date): Transaction<string[]> {
    yield* execute(insertExcludedHost({ host, excluded_at: now.toISOString() }));
    const ended = yield* all(endOwnerships({ host, lost_at: now.toISOString() }));
    for (const site of ended) {
      yield* recordLoss(site, now);
      if (this.deps.onOwnershipEnded) yield* this.deps.onOwnershipEnded(site.id);
    }
    return ended.map(({ id }) => id);
  }
}

/** @throws InputError for the host of a site that its owner has had excluded, or of a name below such a one */
export function* refuseExcluded({ hostname }: URL): Transaction<void> {
  if ((yield* excludedAmong([hostname])).size > 0) throw excluded();
}

/** Those of the names that are excluded, or below one that is. */
export function* excludedAmong(hostnames: readonly string[]): Transaction<ReadonlySet<string>> {
  const hosts = JSON.stringify(hostnames.map((host) => ({ host })));
  return new Set((yield* all(selectExcludedAmong({ hosts }))).map(({ host }) => host));
}

/** So many names are looked for in one statement, which on SQLite holds up all else. */
const NAMES_AT_ONCE = 50;

/** The same of many names, outside of a transaction: others have their turn in between. */
export async function findExcluded(
  db: Pick<Database, 'run'>,
  hostnames: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let from = 0; from < hostnames.length; from += NAMES_AT_ONCE) {
    if (from > 0) await yieldToEventLoop();
    const among = await runApart(db, excludedAmong(hostnames.slice(from, from + NAMES_AT_ONCE)));
    for (const hostname of among) found.add(hostname);
  }
  return found;
}

export function excluded(): InputError {
  return new InputError(EXCLUDED);
}

/** Of a host, an origin or the address of a page. @throws InputError */
function parseHost(input: string): string {
  const { hostname } = parseSiteInput(input).origin;
  // Nothing else can stand in the name of a site, and `_` would stand for any character where they are looked for.
  if (!/^[a-z0-9.:[\]-]+$/.test(hostname))
    throw new InputError('This is not a host name. Give one such as example.com.');
  return hostname;
}
