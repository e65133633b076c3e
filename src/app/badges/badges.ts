import type { Clock } from '../../platform/clock.js';
import { isSecretToken, newSecretToken } from '../../platform/secret-token.js';
import { deleteBadge, selectBadge, selectBadgeOfSite, upsertBadge } from './badge-statements.js';
import { type Database, runOne } from '../../store/database.js';
import { execute, one } from '../../store/transaction.js';
import { recordEvent } from '../audit/audit.js';
import { holdOwnSite, type OwnSite } from '../sites/own-site.js';
import type { SiteOfAccount } from '../sites/site.js';

/** What anyone with the badge's address sees: the last score of its site, and nothing else. */
export interface Badge {
  /** Null: no run has one yet. */
  readonly score: number | null;
}

/** What changes a site's badge rejects with ServiceError site_not_found, for another account's site too. */
export interface Badges {
  /** The unguessable part of the badge's address; null while the badge is off, as it is at first. */
  tokenOf(site: OwnSite): Promise<string | null>;
  /** Turns the badge on, or gives it a new address: the one before stops working. */
  turnOn(request: SiteOfAccount): Promise<string>;
  turnOff(request: SiteOfAccount): Promise<void>;
  /** Null for an unknown token. */
  find(token: string): Promise<Badge | null>;
}

export function createBadges({ db, clock }: { readonly db: Database; readonly clock: Clock }): Badges {
  return {
    async tokenOf({ id }) {
      return (await runOne(db, selectBadgeOfSite({ site_id: id })))?.token ?? null;
    },
    async turnOn(request) {
      const token = newSecretToken();
      const now = clock.now();
      await db.transaction(function* () {
        const { id, accountId, hostname: subject } = yield* holdOwnSite(request);
        const event = (yield* one(selectBadgeOfSite({ site_id: id }))) ? 'badge_renewed' : 'badge_turned_on';
        yield* recordEvent({ accountId, event, subject, now });
        yield* execute(upsertBadge({ site_id: id, token, created_at: now.toISOString() }));
      });
      return token;
    },
    async turnOff(request) {
      await db.transaction(function* () {
        const { id, accountId, hostname: subject } = yield* holdOwnSite(request);
        if (!(yield* one(selectBadgeOfSite({ site_id: id })))) return;
        yield* recordEvent({ accountId, event: 'badge_turned_off', subject, now: clock.now() });
        yield* execute(deleteBadge({ site_id: id }));
      });
    },
    async find(token) {
      if (!isSecretToken(token)) return null;
      return (await runOne(db, selectBadge({ token }))) ?? null;
    },
  };
}

/** What an account's export says of the badge of a site: not its address. */
export async function badgeToExport(db: Database, site_id: string): Promise<Readonly<Record<string, unknown>>> {
  const badge = await runOne(db, selectBadgeOfSite({ site_id }));
  return { badge: badge ? { since: badge.created_at } : null };
}
