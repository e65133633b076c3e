import { EventLoopYielder } from '../../evidence/event-loop.js';
import type { CatalogEntry } from '../../evidence/manifests.js';
import type { SafeText } from '../../evidence/safe-text.js';
import { term, safeText } from '../../evidence/safe-text.js';
import type { JsonObject, JsonValue } from '../json.js';
import { parseMediaType } from '../media-type.js';
import type { ManifestReading } from './shape.js';
import { Problems, httpUrlOf, isArray, isObject, isTemplated, isTextArray, readObject, textOf } from './shape.js';

/** `ard`: Agentic Resource Discovery; `aiCatalog`: the catalogs before it, from which MCP's own card extension still reads. */
export type CatalogDialect = 'ard' | 'aiCatalog';

export interface Catalog {
  /** The first {@link ENTRIES_MAX}. */
  readonly entries: readonly CatalogEntry[];
}

/** Far more entries than any honest catalog has. */
const ENTRIES_MAX = 500;

/** "urn:air:", the publisher's domain, and one or more further parts (ARD 0.91 §4; a URN's first parts ignore case, RFC 8141 §3.1). */
const IDENTIFIER_URN = /^urn:air:[A-Za-z0-9.-]+:[A-Za-z0-9._-](?::?[A-Za-z0-9._-])*$/i;
const IDENTIFIER_CHARS_MAX = 2_048;
const [QUERIES_MIN, QUERIES_MAX] = [2, 5];

const [ENTRIES, IDENTIFIER, DISPLAY_NAME, TYPE] = [
  term('entries'),
  term('identifier'),
  term('displayName'),
  term('type'),
];
const [URL_FIELD, QUERIES] = [term('url'), term('representativeQueries')];

export async function readCatalog(text: string, base: URL, dialect: CatalogDialect): Promise<ManifestReading<Catalog>> {
  const document = await readObject(text);
  return 'object' in document ? readCatalogObject(document.object, base, dialect) : document;
}

/**
 * Reads a catalog: an object with an array `entries`, other members of any kind (ARD 0.91 §4–5.1). An entry has `identifier`,
 * `type` and exactly one of `url` and `data`. ARD also asks for `displayName` and an `urn:air:` identifier, where an AI catalog
 * may say `mediaType` for `type`; so what is valid ARD is a valid AI catalog. The faults of an entry stay with it.
 */
export async function readCatalogObject(
  catalog: JsonObject,
  base: URL,
  dialect: CatalogDialect,
): Promise<ManifestReading<Catalog>> {
  const problems = new Problems();
  const listed = catalog.get('entries');
  problems.require(isArray(listed), catalog, ENTRIES);
  const entries: CatalogEntry[] = [];
  const yielder = new EventLoopYielder();
  for (const [index, entry] of isArray(listed) ? listed.slice(0, ENTRIES_MAX).entries() : []) {
    if (yielder.isDue) await yielder.yieldNow();
    entries.push(readEntry(entry, safeText`entry ${index + 1}`, base, dialect));
  }
  return { kind: 'read', problems: problems.list, value: { entries } };
}

function readEntry(entry: JsonValue, name: SafeText, base: URL, dialect: CatalogDialect): CatalogEntry {
  const nothing = { name, mediaType: '', url: null, base, data: null, queries: 'good' } as const;
  if (!isObject(entry)) return { ...nothing, problems: [safeText`${name} is not an object`] };
  const type = textOf(entry.get('type')) ?? textOf(entry.get('mediaType'));
  const problems = new Problems();
  problems.require(textOf(entry.get('identifier')) !== null, entry, IDENTIFIER, name);
  problems.require(textOf(dialect === 'ard' ? entry.get('type') : type) !== null, entry, TYPE, name);
  checkContent(entry, name, problems);
  if (dialect === 'ard') checkArd(entry, name, problems);
  const url = entry.get('url');
  const address = isTemplated(url) ? null : httpUrlOf(url, base);
  if (textOf(url) !== null && !isTemplated(url) && address === null) {
    problems.add(safeText`${name} has a "url" that is no web address`);
  }
  return {
    ...nothing,
    mediaType: type === null ? '' : (parseMediaType(type).essence ?? ''),
    url: address,
    data: entry.get('data') ?? null,
    queries: dialect === 'ard' ? judgeQueries(entry.get('representativeQueries')) : 'good',
    problems: problems.list,
  };
}

function checkArd(entry: JsonObject, name: SafeText, problems: Problems): void {
  const identifier = textOf(entry.get('identifier'));
  const isUrn = identifier !== null && identifier.length <= IDENTIFIER_CHARS_MAX && IDENTIFIER_URN.test(identifier);
  if (identifier !== null) problems.require(isUrn, entry, IDENTIFIER, name);
  problems.requireTexts(entry, [DISPLAY_NAME], name);
  const queries = entry.get('representativeQueries');
  problems.require(queries === undefined || isTextArray(queries), entry, QUERIES, name);
}

function checkContent(entry: JsonObject, name: SafeText, problems: Problems): void {
  const hasUrl = entry.has('url');
  if (hasUrl === entry.has('data')) {
    problems.add(
      hasUrl
        ? safeText`${name} has both "url" and "data" instead of one of them`
        : safeText`${name} lacks "url" or "data"`,
    );
  } else if (hasUrl) problems.require(textOf(entry.get('url')) !== null, entry, URL_FIELD, name);
  else if (entry.get('data') === null) problems.add(safeText`${name} has nothing in "data"`);
}

/** ARD 0.91 asks for 2 to 5 of them, which is advice. */
function judgeQueries(queries: JsonValue | undefined): CatalogEntry['queries'] {
  if (queries === undefined) return 'absent';
  const length = isArray(queries) ? queries.length : 0;
  return length >= QUERIES_MIN && length <= QUERIES_MAX ? 'good' : 'odd';
}
