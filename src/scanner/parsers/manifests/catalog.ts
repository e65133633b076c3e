import type { CatalogEntry } from '../../artifacts/manifests.js';
import { type SafeText, safeText, term } from '../../artifacts/safe-text.js';
import { MANIFEST_LIMITS } from '../../limits.js';
import { isArray, isObject } from '../json.js';
import { parseMediaType } from '../media-type.js';
import { objectOf, STRINGS, TEXT, validatorOf } from './schema.js';
import { isTemplated, type ManifestReading, type Part, readManifest } from './shape.js';

/** `ard`: Agentic Resource Discovery; `aiCatalog`: the catalogs before it, from which MCP's own card extension still reads. */
export type CatalogDialect = 'ard' | 'aiCatalog';

export interface Catalog {
  /** The first ones, up to our limit. */
  readonly entries: readonly CatalogEntry[];
}

/** "urn:air:", the publisher's domain, and one or more further parts (ARD 0.91 §4; a URN's first parts ignore case, RFC 8141 §3.1). */
const IDENTIFIER_URN = '^[Uu][Rr][Nn]:[Aa][Ii][Rr]:[A-Za-z0-9.-]+:[A-Za-z0-9._-](?::?[A-Za-z0-9._-])*$';

const FIND_PROBLEMS = {
  ard: validatorOf(
    objectOf('identifier type displayName', {
      identifier: { type: 'string', pattern: IDENTIFIER_URN, maxLength: 2_048 },
      type: TEXT,
      displayName: TEXT,
      url: TEXT,
      representativeQueries: STRINGS,
    }),
  ),
  aiCatalog: validatorOf(objectOf('identifier', { identifier: TEXT, url: TEXT })),
};

/** Reads a catalog at this URL; see {@link readCatalogPart}. */
export function readCatalog(text: string, base: URL, dialect: CatalogDialect): ManifestReading<Catalog> {
  return readManifest(text, base, (catalog) => {
    const { problems, entries } = readCatalogPart(catalog, dialect);
    return { problems, value: { entries } };
  });
}

/**
 * Reads a catalog: an object with an array `entries`, other members of any kind (ARD 0.91 §4–5.1). An entry has `identifier`,
 * `type` and exactly one of `url` and `data`. ARD also asks for `displayName` and an `urn:air:` identifier, where an AI catalog
 * may say `mediaType` for `type`; so what is valid ARD is a valid AI catalog. The faults of an entry stay with it.
 */
export function readCatalogPart(
  catalog: Part,
  dialect: CatalogDialect,
): Catalog & { readonly problems: readonly SafeText[] } {
  const entries = catalog.items('entries', safeText`entry`).slice(0, MANIFEST_LIMITS.entriesMax);
  return {
    problems: isArray(catalog.at('entries').value) ? [] : [catalog.faultOf(safeText`entries`)],
    entries: entries.map((entry) => readEntry(entry, dialect)),
  };
}

function readEntry(entry: Part, dialect: CatalogDialect): CatalogEntry {
  const { file, pointer } = entry;
  const name = entry.pointFrom(entry.name ?? safeText`entry`);
  if (!isObject(entry.value)) {
    const problems = [entry.fault(safeText`is not an object`)];
    return { name, mediaType: '', url: null, file, pointer, data: null, problems };
  }
  const type = entry.at('type').text ?? entry.at('mediaType').text;
  const address = entry.at('url');
  const url = address.webUrl(file);
  const problems = [...FIND_PROBLEMS[dialect](entry)];
  if (dialect === 'aiCatalog' && type === null) problems.push(entry.faultOf(safeText`type`));
  problems.push(...findContentProblems(entry));
  if (address.text !== null && !isTemplated(address.text) && url === null)
    problems.push(address.fault(safeText`has a "url" that is not a web address`));
  const mediaType = type === null ? '' : (parseMediaType(type).essence ?? '');
  return { name, mediaType, url, file, pointer, data: entry.at('data').value ?? null, problems };
}

/** An entry has either an address or its content. */
function findContentProblems(entry: Part): SafeText[] {
  const [url, data] = [entry.at('url'), entry.at('data')];
  if (url.value === undefined && data.value === undefined) return [entry.fault(safeText`lacks "url" or "data"`)];
  if (url.value !== undefined && data.value !== undefined)
    return [entry.fault(safeText`has both "url" and "data" instead of one of them`)];
  const field = url.value === undefined ? term('data') : term('url');
  const content = entry.at(field.text);
  return content.value === null ? [content.fault(safeText`has nothing in "${field}"`)] : [];
}
