import type { CatalogEntry } from '../../artifacts/manifests.js';
import { term, safeText } from '../../artifacts/safe-text.js';
import type { JsonObject, JsonValue } from '../json.js';
import { MANIFEST_LIMITS } from '../../limits.js';
import { parseMediaType } from '../media-type.js';
import {
  type ManifestReading,
  type NamedPart,
  Problems,
  httpUrlOf,
  isArray,
  isObject,
  isTemplated,
  partOf,
  readObject,
  textOf,
} from './shape.js';
import { ManifestSchema, objectOf, STRINGS, TEXT } from './schema.js';

/** `ard`: Agentic Resource Discovery; `aiCatalog`: the catalogs before it, from which MCP's own card extension still reads. */
export type CatalogDialect = 'ard' | 'aiCatalog';

export interface Catalog {
  /** The first ones, up to our limit. */
  readonly entries: readonly CatalogEntry[];
}

/** "urn:air:", the publisher's domain, and one or more further parts (ARD 0.91 §4; a URN's first parts ignore case, RFC 8141 §3.1). */
const IDENTIFIER_URN = '^[Uu][Rr][Nn]:[Aa][Ii][Rr]:[A-Za-z0-9.-]+:[A-Za-z0-9._-](?::?[A-Za-z0-9._-])*$';

const ENTRY = {
  ard: new ManifestSchema(
    objectOf('identifier type displayName', {
      identifier: { type: 'string', pattern: IDENTIFIER_URN, maxLength: 2_048 },
      type: TEXT,
      displayName: TEXT,
      url: TEXT,
      representativeQueries: STRINGS,
    }),
  ),
  aiCatalog: new ManifestSchema(objectOf('identifier', { identifier: TEXT, url: TEXT })),
};
const ENTRIES = term('entries');
const TYPE = term('type');

export function readCatalog(text: string, base: URL, dialect: CatalogDialect): ManifestReading<Catalog> {
  const document = readObject(text, base);
  return 'object' in document ? readCatalogObject(document.object, base, dialect) : document;
}

/**
 * Reads a catalog: an object with an array `entries`, other members of any kind (ARD 0.91 §4–5.1). An entry has `identifier`,
 * `type` and exactly one of `url` and `data`. ARD also asks for `displayName` and an `urn:air:` identifier, where an AI catalog
 * may say `mediaType` for `type`; so what is valid ARD is a valid AI catalog. The faults of an entry stay with it.
 */
export function readCatalogObject(catalog: JsonObject, base: URL, dialect: CatalogDialect): ManifestReading<Catalog> {
  const problems = new Problems({ file: base, pointer: '' });
  const listed = catalog.get('entries');
  problems.require(isArray(listed), catalog, ENTRIES);
  const entries: CatalogEntry[] = [];
  for (const [index, entry] of isArray(listed) ? listed.slice(0, MANIFEST_LIMITS.entriesMax).entries() : []) {
    const part = partOf(problems.root, safeText`entry ${index + 1}`, 'entries', index);
    entries.push(readEntry(entry, part, base, dialect));
  }
  return { kind: 'read', problems: problems.list, value: { entries } };
}

function readEntry(entry: JsonValue, part: NamedPart, base: URL, dialect: CatalogDialect): CatalogEntry {
  const problems = new Problems({ file: base, pointer: part.pointer });
  const { pointer } = part;
  const name = problems.locate(part.name, pointer);
  const nothing = { name, mediaType: '', url: null, file: base, pointer, data: null } as const;
  if (!isObject(entry)) {
    problems.add(safeText`${part.name} is not an object`, part);
    return { ...nothing, problems: problems.list };
  }
  const type = textOf(entry.get('type')) ?? textOf(entry.get('mediaType'));
  ENTRY[dialect].check(entry, problems, part);
  if (dialect === 'aiCatalog') problems.require(type !== null, entry, TYPE, part);
  checkContent(entry, part, problems);
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
    problems: problems.list,
  };
}

function checkContent(entry: JsonObject, part: NamedPart, problems: Problems): void {
  const hasUrl = entry.has('url');
  const { name } = part;
  if (hasUrl === entry.has('data')) {
    const fault = hasUrl ? safeText`has both "url" and "data" instead of one of them` : safeText`lacks "url" or "data"`;
    problems.add(safeText`${name} ${fault}`, part);
  } else if (entry.get(hasUrl ? 'url' : 'data') === null) {
    const field = hasUrl ? term('url') : term('data');
    problems.add(safeText`${name} has nothing in "${field}"`, partOf(part, name, field.text));
  }
}
