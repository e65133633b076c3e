import { InputError } from '../../platform/input-error.js';
import type { Database } from '../../store/database.js';
import { hostOf } from '../../scanner/artifacts/site-address.js';
import { parseSiteName } from '../sites/site-input.js';
import { listSites, tagsOf } from '../sites/site.js';
import { foldTag, parseTag } from '../sites/tags.js';

/** A webhook gets the alerts of one site, of the sites with a tag, or (if both are null) of all sites of the account. */
export interface Scope {
  readonly site_id: string | null;
  readonly tag: string | null;
}

interface ScopedUrl extends Scope {
  readonly url: string;
}

/** True if a webhook for this tag (null: for any) gets the alerts of a site. @param tags the site's, as they are stored */
export function hasTag(tag: string | null, tags: string | null): boolean {
  return tag === null || tagsOf({ tags }).map(foldTag).includes(tag);
}

/** Refuses a webhook whose address has the same sites, or is for all sites while the other is for some. @throws InputError */
export function refuseDuplicate(
  { url, site_id, tag }: ScopedUrl,
  others: readonly ScopedUrl[],
  field: 'url' | 'site',
): void {
  const isForAll = (scope: Scope): boolean => scope.site_id === null && scope.tag === null;
  for (const other of others.filter((one) => one.url === url)) {
    if (other.site_id === site_id && other.tag === tag) {
      throw new InputError('The account has a webhook at this address already.', field);
    }
    if (isForAll(other)) throw new InputError('This address gets the alerts of all your sites already.', field);
    if (isForAll({ site_id, tag })) {
      throw new InputError('This address gets the alerts of some sites already. Remove those webhooks first.', field);
    }
  }
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
