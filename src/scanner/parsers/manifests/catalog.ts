import { EventLoopYielder } from '../../../net/event-loop.js';
import type { CatalogEntry } from '../../artifacts/manifests.js';
import { term, safeText } from '../../artifacts/safe-text.js';
import type { JsonObject, JsonValue } from '../json.js';
import { parseMediaType } from '../media-type.js';
import type { ManifestReading, NamedPart } from './shape.js';
import {
  Problems,
  httpUrlOf,
  isArray,
  isObject,
  isTemplated,
  isTextArray,
  partOf,
  readObject,
  textOf,
} from './shape.js';

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
  const document = await readObject(text, base);
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
  const problems = new Problems({ file: base, pointer: '' });
  const listed = catalog.get('entries');
  problems.require(isArray(listed), catalog, ENTRIES);
  const entries: CatalogEntry[] = [];
  const yielder = new EventLoopYielder();
  for (const [index, entry] of isArray(listed) ? listed.slice(0, ENTRIES_MAX).entries() : []) {
    if (yielder.isDue) await yielder.yieldNow();
    const part = partOf(problems.root, safeText`entry ${index + 1}`, 'entries', index);
    entries.push(readEntry(entry, part, base, dialect));
  }
  return { kind: 'read', problems: problems.list, value: { entries } };
}

function readEntry(entry: JsonValue, part: NamedPart, base: URL, dialect: CatalogDialect): CatalogEntry {
  const problems = new Problems({ file: base, pointer: part.pointer });
  const { pointer } = part;
  const name = problems.locate(part.name, pointer);
  const nothing = { name, mediaType: '', url: null, file: base, pointer, data: null, queries: 'good' } as const;
  if (!isObject(entry)) {
    problems.add(safeText`${part.name} is not an object`, part);
    return { ...nothing, problems: problems.list };
  }
  const type = textOf(entry.get('type')) ?? textOf(entry.get('mediaType'));
  problems.require(textOf(entry.get('identifier')) !== null, entry, IDENTIFIER, part);
  problems.require(textOf(dialect === 'ard' ? entry.get('type') : type) !== null, entry, TYPE, part);
  checkContent(entry, part, problems);
  if (dialect === 'ard') checkArd(entry, part, problems);
  const url = entry.get('url');
  const address = isTemplated(url) ? null : httpUrlOf(url, base);
  if (textOf(url) !== null && !isTemplated(url) && address === null) {
    problems.add(safeText`${part.name} has a "url" that is not a web address`, partOf(part, part.name, 'url'));
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

function checkArd(entry: JsonObject, part: NamedPart, problems: Problems): void {
  const identifier = textOf(entry.get('identifier'));
  const isUrn = identifier !== null && identifier.length <= IDENTIFIER_CHARS_MAX && IDENTIFIER_URN.test(identifier);
  if (identifier !== null) problems.require(isUrn, entry, IDENTIFIER, part);
  problems.requireTexts(entry, [DISPLAY_NAME], part);
  const queries = entry.get('representativeQueries');
  problems.require(queries === undefined || isTextArray(queries), entry, QUERIES, part);
}

function checkContent(entry: JsonObject, part: NamedPart, problems: Problems): void {
  const hasUrl = entry.has('url');
  const { name } = part;
  if (hasUrl === entry.has('data')) {
    const fault = hasUrl ? safeText`has both "url" and "data" instead of one of them` : safeText`lacks "url" or "data"`;
    problems.add(safeText`${name} ${fault}`, part);
  } else if (hasUrl) problems.require(textOf(entry.get('url')) !== null, entry, URL_FIELD, part);
  else if (entry.get('data') === null)
    problems.add(safeText`${name} has nothing in "data"`, partOf(part, name, 'data'));
}

/** ARD 0.91 asks for 2 to 5 of them, which is advice. */
function judgeQueries(queries: JsonValue | undefined): CatalogEntry['queries'] {
  if (queries === undefined) return 'absent';
  const length = isArray(queries) ? queries.length : 0;
  return length >= QUERIES_MIN && length <= QUERIES_MAX ? 'good' : 'odd';
}
