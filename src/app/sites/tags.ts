import { InputError } from '../../platform/input-error.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { defineQuery, jsonRows } from '../../store/query.js';
import { recordEvents } from '../audit/audit.js';
import type { Context } from '../context.js';
import { type BulkOutcome, changeEach } from './bulk-change.js';
import { lockOwnSites } from './site.js';

export const TAGS_MAX = 10;
export const TAG_CHARS_MAX = 40;

/** Invisible characters: control and direction characters, line breaks, blank letters and patterns. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\u115F\u1160\u2800\u3164\uFFA0]/u;

/** Returns the form by which tags are compared: case-folded and NFKC-normalized. */
export function foldTag(tag: string): string {
  // In upper case ẞ stays ẞ, but ß becomes SS.
  return tag.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
}

/** Parses a tag into its normal form, without the `#` that precedes it in lists of sites. @throws InputError */
export function parseTag(text: string): string {
  const tag = text
    .normalize('NFC')
    .trim()
    .replace(/^#+\s*/, '')
    .replaceAll(/\s+/g, ' ');
  if (tag === '') throw new InputError('Give a tag, such as shops.', 'tag');
  if (Array.from(tag).length > TAG_CHARS_MAX) {
    throw new InputError(`A tag has at most ${TAG_CHARS_MAX} characters.`, 'tag');
  }
  if (INVISIBLE.test(tag)) throw new InputError('A tag can contain visible characters only.', 'tag');
  if (tag.includes(',')) throw new InputError('A tag cannot contain a comma.', 'tag');
  return tag;
}

/** Parses comma-separated tags and removes duplicates. @throws InputError */
export function parseTags(text: string): readonly string[] {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return addTags([], parts.map(parseTag));
}

/** Adds tags, except those that differ only in case from existing ones. @throws InputError for too many */
export function addTags(tags: readonly string[], more: readonly string[]): readonly string[] {
  const all = new Map(tags.map((tag) => [foldTag(tag), tag]));
  for (const tag of more) if (!all.has(foldTag(tag))) all.set(foldTag(tag), tag);
  if (all.size > TAGS_MAX) throw new InputError(`A site has at most ${countOf(TAGS_MAX, 'tag')}.`, 'tag');
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
  sql.raw('UPDATE sites SET tags = given.tags FROM ? WHERE sites.id = given.site_id', [
    jsonRows(sql, sites, ['site_id', 'tags']),
  ]),
);

/**
 * Changes the tags of several sites of an account.
 * @param change returns the new tags of a site. @throws InputError if it cannot
 */
export function changeTags(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  accountId: string,
  siteIds: readonly string[],
  change: (tags: readonly string[]) => readonly string[],
): Promise<BulkOutcome> {
  return db.transaction(async (tx) => {
    const sites = await lockOwnSites(tx, { accountId, siteIds });
    const changed: { readonly site_id: string; readonly tags: string | null }[] = [];
    const outcome = await changeEach(sites, async ({ id, tags: before }) => {
      const tags = serializeTags(change(before));
      if (tags === serializeTags(before)) return false;
      changed.push({ site_id: id, tags });
      return true;
    });
    if (changed.length > 0) await tx.run(updateTags({ sites: JSON.stringify(changed) }));
    await recordEvents(tx, { accountId, event: 'tags_changed', now: clock.now() }, outcome.done);
    return outcome;
  });
}
