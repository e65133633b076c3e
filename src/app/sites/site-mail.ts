import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../store/database.js';
import { execute, type Transaction } from '../../store/transaction.js';
import { newEventId, recordEvents } from '../audit/audit.js';
import { changeEach, inPieces, type ManyOutcome } from './many.js';
import { holdSites, type Site } from './site.js';
import { updateMailMuted } from './site-statements.js';

/** Of which sites alerts are sent by e-mail, where the account has them sent. What tells of a missing proof always is. */
export class SiteMail {
  constructor(private readonly deps: { readonly db: Database; readonly clock: Clock }) {}

  async turn(accountId: string, siteIds: readonly string[], isOn: boolean): Promise<ManyOutcome> {
    const { db, clock } = this.deps;
    return inPieces(siteIds, (some) => db.transaction(() => turnAll(accountId, some, isOn, clock.now())));
  }
}

function* turnAll(accountId: string, siteIds: readonly string[], isOn: boolean, now: Date): Transaction<ManyOutcome> {
  const changed: Site[] = [];
  const outcome = changeEach(siteIds, yield* holdSites(accountId, siteIds), (site) => {
    const isChanged = (site.mailMutedAt === null) !== isOn;
    if (isChanged) changed.push(site);
    return isChanged;
  });
  if (changed.length === 0) return outcome;
  const sites = JSON.stringify(changed.map(({ id: site_id }) => ({ site_id })));
  yield* execute(updateMailMuted({ sites, mail_muted_at: isOn ? null : now.toISOString() }));
  const events = changed.map(({ hostname }) => ({ id: newEventId(), subject: hostname }));
  yield* recordEvents({ accountId, event: isOn ? 'site_mail_turned_on' : 'site_mail_turned_off', now }, events);
  return outcome;
}
