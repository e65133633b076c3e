import type { Clock } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import type { Steps } from '../../queue/steps.js';
import type { Database } from '../../store/database.js';
import type { Transaction } from '../../store/transaction.js';
import { recordEvent } from '../audit/audit.js';
import type { Kept } from '../kept.js';
import { goneOf, type ManyOutcome } from '../sites/many.js';
import type { OwnSite } from '../sites/own-site.js';
import { listSitesAmong, type Site } from '../sites/site.js';
import { noSuchSite, parseSiteId } from '../sites/sites.js';
import { closeSite, eraseNow, eraseSite } from './erasure.js';

export interface SiteRemovalDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly features: readonly Kept[];
}

/**
 * Removes sites and their runs for good. Added again a site has a new id, and its runs start at 1, but it continues with the runs that it
 * has had of the day.
 */
export class SiteRemoval {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #features: readonly Kept[];

  constructor({ db, clock, features }: SiteRemovalDeps) {
    this.#db = db;
    this.#clock = clock;
    this.#features = features;
  }

  /**
   * Waits until all of it is erased.
   * @throws InputError when there is no such site
   */
  async remove(siteId: string): Promise<Site> {
    const id = parseSiteId(siteId);
    const site = await this.#mark(id);
    if (!site) throw noSuchSite();
    await eraseNow(eraseSite(this.#db, this.#features, id), Infinity);
    return site;
  }

  /**
   * For the holder of the account: the site is gone at once, and what takes long to erase is left to the next sweep.
   * @throws ServiceError site_not_found when it was removed meanwhile
   */
  async removeOwn({ id }: OwnSite): Promise<Site> {
    // Its owner is still the same: a site never changes hands.
    const site = await this.#mark(id);
    if (!site) throw new ServiceError('site_not_found');
    await eraseNow(eraseSite(this.#db, this.#features, id));
    return site;
  }

  /** The same of many: those of them that are the account's. All are marked before anything is erased. */
  async removeMany(accountId: string, siteIds: readonly string[]): Promise<ManyOutcome> {
    const marked: Site[] = [];
    for (const { id } of await this.listAmong(accountId, siteIds)) {
      const site = await this.#mark(id);
      if (site) marked.push(site);
    }
    await eraseNow(this.#erase(marked));
    return { done: marked.map(({ hostname }) => hostname), same: [], leftOut: goneOf(siteIds, marked.length) };
  }

  /** Those of some sites that can be removed, by name. */
  async listAmong(accountId: string, siteIds: readonly string[]): Promise<readonly Site[]> {
    const sites = await listSitesAmong(this.#db, accountId, siteIds);
    return sites.toSorted((a, b) => (a.hostname < b.hostname ? -1 : 1));
  }

  async *#erase(sites: readonly Site[]): Steps {
    for (const { id } of sites) yield* eraseSite(this.#db, this.#features, id);
  }

  #mark(id: string): Promise<Site | undefined> {
    return this.#db.transaction(() => markAndRecord(this.#features, id, this.#clock.now()));
  }
}

function* markAndRecord(features: readonly Kept[], id: string, now: Date): Transaction<Site | undefined> {
  const site = yield* closeSite(features, id);
  if (!site) return undefined;
  for (const { recordRemoval } of features) if (recordRemoval) yield* recordRemoval({ id }, now);
  yield* recordEvent({ accountId: site.accountId, event: 'site_removed', subject: site.hostname, now });
  return site;
}
