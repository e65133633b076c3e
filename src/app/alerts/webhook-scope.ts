import { InputError } from '../../platform/input-error.js';
import type { Database } from '../../store/database.js';
import { hostOf } from '../limits/daily-runs.js';
import { listSites } from '../sites/site.js';
import { parseSiteName } from '../sites/site-input.js';
import { foldTag, parseTag } from '../sites/tags.js';

/** A webhook gets the alerts of one site, of the sites with a tag, or (if both are null) of all sites of the account. */
export interface Scope {
  readonly site_id: string | null;
  readonly tag: string | null;
}

/** Parses the host name of one of the account's sites, or `#tag`; empty text means all sites. @throws InputError with field `site` */
export async function parseScope(db: Database, accountId: string, text: string): Promise<Scope> {
  const name = text.trim();
  if (name === '') return { site_id: null, tag: null };
  const own = await listSites(db, accountId);
  try {
    if (name.startsWith('#')) {
      const tag = foldTag(parseTag(name.slice(1)));
      if (own.some(({ tags }) => tags.map(foldTag).includes(tag))) return { site_id: null, tag };
      throw new InputError(`None of your sites has the tag ${name.slice(1)}. Give one of their tags.`);
    }
    const { origin, hostname } = parseSiteName(name);
    const site =
      own.find((one) => one.origin === origin.origin) ?? own.find((one) => hostOf(one.hostname) === hostOf(hostname));
    if (site) return { site_id: site.id, tag: null };
    throw new InputError(`None of your sites is ${hostname}. Give the host name of one, or leave this empty.`);
  } catch (error) {
    throw error instanceof InputError ? new InputError(error.message, 'site') : error;
  }
}
