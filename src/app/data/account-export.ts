import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../store/database.js';
import { findAccount } from '../accounts/accounts.js';
import { recordEvent } from '../audit/audit.js';
import type { Kept, Lines } from '../kept.js';
import { describeSite, sitesToExport } from '../sites/site-export.js';

/** In the order of the format's first version; those of later features follow. */
const LINE_TYPES = ['account', 'site', 'key', 'webhook', 'run', 'delivery', 'event'];
const SITE_FIELDS = { schedule: null, badge: null, deployHook: null };

/**
 * Everything of an account, a line of JSON at a time, `\n` included: the account, its sites, keys and webhooks, every run as it was
 * stored, the messages to webhooks and mailboxes, what was done to the account: this export among it. It is read as it is asked for, a page
 * at a time; what is added meanwhile may or may not be in it, but no run is cut or missing before the last.
 * @throws InputError when there is no such account, before the first line
 */
export async function* exportLines(
  { db, clock, features }: { readonly db: Database; readonly clock: Clock; readonly features: readonly Kept[] },
  accountId: string,
): AsyncGenerator<string, void> {
  await findAccount(db, accountId);
  const now = clock.now();
  await db.transaction(() => recordEvent({ accountId, event: 'data_exported', now }));
  const byType = new Map(features.flatMap(({ lines = {} }) => Object.entries(lines)));
  byType.set('site', siteLines(features));
  for (const type of new Set([...LINE_TYPES, ...byType.keys()])) {
    for await (const line of byType.get(type)?.(db, accountId, now) ?? []) {
      yield typeof line === 'string' ? line : `${JSON.stringify({ type, ...line })}\n`;
    }
  }
}

function siteLines(features: readonly Kept[]): Lines {
  return async function* (db, accountId) {
    for await (const site of sitesToExport(db, accountId)) {
      const line = { ...describeSite(site), ...SITE_FIELDS };
      for (const { exportOf } of features) Object.assign(line, await exportOf?.(db, site.id));
      yield line;
    }
  };
}
