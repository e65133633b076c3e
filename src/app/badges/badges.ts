import type { Clock } from '../../platform/clock.js';
import { isSecretToken, newSecretToken } from '../../platform/secret-token.js';
import {
  deleteBadge,
  selectBadge,
  selectBadgeOfSite,
  selectShownOfSite,
  type ShownRow,
  upsertBadge,
} from './badge-statements.js';
import { type Database, runOne } from '../../store/database.js';
import { execute, one } from '../../store/transaction.js';
import { recordEvent } from '../audit/audit.js';
import { type CheckResult, parseResults } from '../runs/run-results.js';
import { holdOwnSite, type OwnSite } from '../sites/own-site.js';
import type { SiteOfAccount } from '../sites/site.js';

/** What anyone with the badge's address sees of its site: the last score and how each check stood then, and nothing else. */
export interface Badge {
  /** Null: no run has one yet. */
  readonly score: number | null;
  /** Of the run that has the score; none without one. */
  readonly findings: readonly Pick<CheckResult, 'checkId' | 'result'>[];
}

/** What changes a site's badge rejects with ServiceError site_not_found, for another account's site too. */
export class Badges {
  constructor(private readonly deps: { readonly db: Database; readonly clock: Clock }) {}

  /** The unguessable part of the badge's address; null while the badge is off, as it is at first. */
  async tokenOf({ id }: OwnSite): Promise<string | null> {
    return (await runOne(this.deps.db, selectBadgeOfSite({ site_id: id })))?.token ?? null;
  }

  /** Turns the badge on, or gives it a new address: the one before stops working. */
  async turnOn(request: SiteOfAccount): Promise<string> {
    const token = newSecretToken();
    const now = this.deps.clock.now();
    await this.deps.db.transaction(function* () {
      const { id, accountId, hostname: subject } = yield* holdOwnSite(request);
      const event = (yield* one(selectBadgeOfSite({ site_id: id }))) ? 'badge_renewed' : 'badge_turned_on';
      yield* recordEvent({ accountId, event, subject, now });
      yield* execute(upsertBadge({ site_id: id, token, created_at: now.toISOString() }));
    });
    return token;
  }

  async turnOff(request: SiteOfAccount): Promise<void> {
    const { db, clock } = this.deps;
    await db.transaction(function* () {
      const { id, accountId, hostname: subject } = yield* holdOwnSite(request);
      if (!(yield* one(selectBadgeOfSite({ site_id: id })))) return;
      yield* recordEvent({ accountId, event: 'badge_turned_off', subject, now: clock.now() });
      yield* execute(deleteBadge({ site_id: id }));
    });
  }

  /** Null for an unknown token. */
  async find(token: string): Promise<Badge | null> {
    if (!isSecretToken(token)) return null;
    const row = await runOne(this.deps.db, selectBadge({ token }));
    return row === undefined ? null : badgeOf(row);
  }

  /** What the badge of the site shows, or would show once it is on. */
  async shownOf({ id }: OwnSite): Promise<Badge> {
    return badgeOf(await runOne(this.deps.db, selectShownOfSite({ site_id: id })));
  }
}

function badgeOf({ score, results }: ShownRow = { score: null, results: null }): Badge {
  const found = results === null ? [] : parseResults(results);
  return { score, findings: found.map(({ checkId, result }) => ({ checkId, result })) };
}

/** What an account's export says of the badge of a site: not its address. */
export async function badgeToExport(db: Database, site_id: string): Promise<Readonly<Record<string, unknown>>> {
  const badge = await runOne(db, selectBadgeOfSite({ site_id }));
  return { badge: badge ? { since: badge.created_at } : null };
}
