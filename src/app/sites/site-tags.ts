import type { Clock } from '../../platform/clock.js';
import { InputError } from '../../platform/input-error.js';
import type { Database } from '../../store/database.js';
import { execute, type Transaction } from '../../store/transaction.js';
import { newEventId, recordEvents } from '../audit/audit.js';
import { changeEach, inPieces, type ManyOutcome } from './many.js';
import type { OwnSite } from './own-site.js';
import { holdSites, type Site } from './site.js';
import { updateTags } from './site-statements.js';
import { parseTag, parseTags, storedTags, withoutTag, withTags } from './tags.js';

/** How tags change. @throws InputError where they cannot */
type Change = (tags: readonly string[]) => readonly string[];

/** The owner's own words for sites. They are nobody else's to see. */
export class SiteTags {
  constructor(private readonly deps: { readonly db: Database; readonly clock: Clock }) {}

  /** Takes the place of those that the site has. @param text with commas between them @throws InputError */
  async set({ id, accountId }: OwnSite, text: string): Promise<void> {
    const tags = parseTags(text);
    const { leftOut } = await this.#change(accountId, [id], () => tags);
    if (leftOut.length > 0) throw new InputError('This site was removed meanwhile.');
  }

  /** Adds a tag to some of the account's sites. @throws InputError for what is not a tag */
  async add(accountId: string, siteIds: readonly string[], text: string): Promise<ManyOutcome> {
    const tag = parseTag(text);
    return this.#change(accountId, siteIds, (tags) => withTags(tags, [tag]));
  }

  async remove(accountId: string, siteIds: readonly string[], text: string): Promise<ManyOutcome> {
    const tag = parseTag(text);
    return this.#change(accountId, siteIds, (tags) => withoutTag(tags, tag));
  }

  #change(accountId: string, siteIds: readonly string[], change: Change): Promise<ManyOutcome> {
    const { db, clock } = this.deps;
    return inPieces(siteIds, (some) => db.transaction(() => changeTags(accountId, some, change, clock.now())));
  }
}

function* changeTags(
  accountId: string,
  siteIds: readonly string[],
  change: Change,
  now: Date,
): Transaction<ManyOutcome> {
  const changed: { readonly site: Site; readonly tags: string | null }[] = [];
  const outcome = changeEach(siteIds, yield* holdSites(accountId, siteIds), (site) => {
    const tags = storedTags(change(site.tags));
    const isChanged = tags !== storedTags(site.tags);
    if (isChanged) changed.push({ site, tags });
    return isChanged;
  });
  if (changed.length === 0) return outcome;
  yield* execute(updateTags({ sites: JSON.stringify(changed.map(({ site, tags }) => ({ site_id: site.id, tags }))) }));
  const events = changed.map(({ site }) => ({ id: newEventId(), subject: site.hostname }));
  yield* recordEvents({ accountId, event: 'tags_changed', now }, events);
  return outcome;
}
