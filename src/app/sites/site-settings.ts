import { InputError } from '../../platform/errors.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { pathOf } from '../../scanner/artifacts/pages.js';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';
import { findPlatform } from '../../scanner/verdict/fix-parts.js';
import { defineQuery, jsonRows } from '../../store/query.js';
import { type AuditEventName, recordEvent, recordEvents } from '../audit/audit.js';
import type { Context } from '../context.js';
import { type BulkOutcome, changeEach } from './bulk-change.js';
import { lockOwnSite, lockOwnSites, type OwnSite, type Site, type SiteRow, siteTable } from './site.js';
import { parseSitePage } from './site-input.js';

type SettingsContext = Pick<Context, 'db' | 'clock'>;

interface SettingChange {
  readonly columns: Partial<SiteRow>;
  readonly event: AuditEventName;
  readonly subject: string;
}

/** Changes a setting and records an event, unless `change` returns null. @throws ServiceError site_not_found for a site that was removed */
async function changeSetting(
  { db, clock }: SettingsContext,
  { id, accountId }: OwnSite,
  change: (site: Site, now: Date) => SettingChange | null,
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    const changed = change(await lockOwnSite(tx, { accountId, siteId: id }), now);
    if (!changed) return;
    const { columns, event, subject } = changed;
    await tx.run(siteTable.update({ id }, columns));
    await recordEvent(tx, { accountId, event, subject, now });
  });
}

/**
 * Replaces the pages that each run reads first.
 * @param lines one path or URL per line; blank and repeated lines are skipped
 * @returns the number of chosen pages
 * @throws InputError that names the line; ServiceError site_not_found
 */
export async function choosePages(context: SettingsContext, site: OwnSite, lines: string): Promise<number> {
  const paths = parsePaths(lines, new URL(site.origin));
  const chosen_pages = JSON.stringify(paths);
  await changeSetting(context, site, ({ hostname, chosenPages }) => {
    if (chosen_pages === JSON.stringify(chosenPages ?? [])) return null;
    const count = paths.length === 0 ? 'no pages' : countOf(paths.length, 'page');
    return { columns: { chosen_pages }, event: 'pages_chosen', subject: `${hostname}: ${count}` };
  });
  return paths.length;
}

/** @throws InputError that names the line */
function parsePaths(lines: string, origin: URL): readonly string[] {
  const paths = new Set<string>();
  for (const [index, line] of lines.split(/\r\n|\r|\n/).entries()) {
    const text = line.trim();
    if (text !== '') paths.add(pathOf(parseSitePage(origin, text, `Line ${index + 1}`)));
  }
  const { chosenPagesMax: max } = SCAN_LIMITS;
  if (paths.size > max) throw new InputError(`You entered ${paths.size} pages. Choose at most ${max} pages.`);
  return [...paths];
}

/**
 * Stores the platform on which a site runs.
 * @param typed name of a platform; empty if the owner does not say
 * @throws InputError; ServiceError site_not_found
 */
export async function setPlatform(context: SettingsContext, site: OwnSite, typed: string): Promise<void> {
  const platform = findPlatform(typed);
  if (platform === null && typed !== '')
    throw new InputError('Choose the platform of the site from the list.', 'platform');
  await changeSetting(context, site, (before) => {
    if (before.platform === platform) return null;
    const subject = `${before.hostname}: ${platform ?? 'no platform'}`;
    return { columns: { platform }, event: 'platform_changed', subject };
  });
}

/** Replaces the site's tags. @param text comma-separated @throws InputError; ServiceError site_not_found */
export async function setTags(context: SettingsContext, site: OwnSite, text: string): Promise<void> {
  const parsed = parseTags(text);
  const tags = serializeTags(parsed);
  await changeSetting(context, site, (before) => {
    if (tags === serializeTags(before.tags)) return null;
    return { columns: { tags }, event: 'tags_changed', subject: describeTags(parsed, before) };
  });
}

/** Returns the subject of an event, such as `shop.example.com: shops, Acme`. */
function describeTags(tags: readonly string[], { hostname }: Pick<OwnSite, 'hostname'>): string {
  return `${hostname}: ${tags.join(', ') || 'no tags'}`;
}

export const TAGS_MAX = 10;
export const TAG_CHARS_MAX = 40;

/** Control and direction characters, line breaks, and blank letters and patterns. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\u115F\u1160\u2800\u3164\uFFA0]/u;

/** Returns the form in which tags are compared: case-folded and NFKC-normalized. */
export function foldTag(tag: string): string {
  // Lower case first: ß becomes SS in upper case, but ẞ stays ẞ.
  return tag.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
}

/** Parses a tag into its normal form, without the `#` that precedes it in lists of sites. @throws InputError */
export function parseTag(text: string): string {
  const tag = text
    .normalize('NFC')
    .trim()
    .replace(/^#+\s*/, '')
    .replaceAll(/\s+/g, ' ');
  if (tag === '') throw new InputError('Enter a tag, such as shops.', 'tag');
  if (Array.from(tag).length > TAG_CHARS_MAX) {
    throw new InputError(`A tag can have at most ${TAG_CHARS_MAX} characters.`, 'tag');
  }
  if (INVISIBLE.test(tag)) throw new InputError('A tag can contain only visible characters.', 'tag');
  if (tag.includes(',')) throw new InputError('A tag cannot contain a comma.', 'tag');
  return tag;
}

/** Parses comma-separated tags and removes duplicates. @throws InputError */
export function parseTags(text: string): readonly string[] {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return addTags([], parts.map(parseTag));
}

/** Adds tags, except tags that differ only in case from existing ones. @throws InputError for too many tags */
export function addTags(tags: readonly string[], more: readonly string[]): readonly string[] {
  const all = new Map(tags.map((tag) => [foldTag(tag), tag]));
  for (const tag of more) if (!all.has(foldTag(tag))) all.set(foldTag(tag), tag);
  if (all.size > TAGS_MAX) throw new InputError(`A site can have at most ${countOf(TAGS_MAX, 'tag')}.`, 'tag');
  return [...all.values()];
}

export function removeTag(tags: readonly string[], tag: string): readonly string[] {
  return tags.filter((one) => foldTag(one) !== foldTag(tag));
}

export function serializeTags(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : JSON.stringify(tags);
}

/** @param sites JSON: `[{site_id, tags}, …]` */
const updateTags = defineQuery<never, { sites: string }>((sql, { sites }) =>
  sql.raw('UPDATE sites SET tags = input.tags FROM ? WHERE sites.id = input.site_id', [
    jsonRows(sql, sites, ['site_id', 'tags']),
  ]),
);

/**
 * Changes the tags of several sites of an account.
 * @param change returns the new tags of a site, or throws an InputError
 */
export function changeTags(
  { db, clock }: SettingsContext,
  accountId: string,
  siteIds: readonly string[],
  change: (tags: readonly string[]) => readonly string[],
): Promise<BulkOutcome> {
  return db.transaction(async (tx) => {
    const sites = await lockOwnSites(tx, { accountId, siteIds });
    const changed: { readonly site_id: string; readonly tags: string | null }[] = [];
    const subjects: string[] = [];
    const outcome = await changeEach(sites, async (site) => {
      const changedTags = change(site.tags);
      const tags = serializeTags(changedTags);
      if (tags === serializeTags(site.tags)) return false;
      changed.push({ site_id: site.id, tags });
      subjects.push(describeTags(changedTags, site));
      return true;
    });
    if (changed.length > 0) await tx.run(updateTags({ sites: JSON.stringify(changed) }));
    await recordEvents(tx, { accountId, event: 'tags_changed', now: clock.now() }, subjects);
    return outcome;
  });
}
