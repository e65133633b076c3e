import type { CatalogEntry } from '../../artifacts/manifests.js';
import { type SafeText, safeText, term } from '../../artifacts/safe-text.js';
import { MANIFEST_LIMITS } from '../../limits.js';
import { isTemplated } from '../addresses.js';
import { isArray, isObject, type JsonValue } from '../json.js';
import { parseMediaType } from '../text.js';
import { type ManifestReading, JsonNode, readManifest } from './document.js';
import { objectOf, STRINGS, TEXT, validatorOf } from './schema.js';

/** `ard`: Agentic Resource Discovery; `aiCatalog`: the earlier format, which MCP's card extension still reads. */
type CatalogDialect = 'ard' | 'aiCatalog';

/** "urn:air:", the publisher's domain, and one or more further parts (ARD 0.91 §4; a URN's first parts ignore case, RFC 8141 §3.1). */
const IDENTIFIER_URN = '^[Uu][Rr][Nn]:[Aa][Ii][Rr]:[A-Za-z0-9.-]+:[A-Za-z0-9._-](?::?[A-Za-z0-9._-])*$';

const findSchemaProblems = {
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

/**
 * Reads the entries of a catalog: an object with an array `entries` and any other members (ARD 0.91 §4–5.1). An entry has `identifier`,
 * `type` and exactly one of `url` and `data`. ARD also requires `displayName` and a `urn:air:` identifier; an AI catalog may use `mediaType`
 * instead of `type`. So valid ARD is also a valid AI catalog. The problems of an entry are stored with it.
 */
export function readCatalog(text: string, url: URL, dialect: CatalogDialect): ManifestReading<readonly CatalogEntry[]> {
  return readManifest(text, url, (catalog) => ({
    kind: 'read',
    problems: isArray(catalog.at('entries').value) ? [] : [catalog.memberFault(safeText`entries`)],
    value: catalog
      .items('entries', safeText`entry`)
      .slice(0, MANIFEST_LIMITS.entriesMax)
      .map((entry) => readEntry(entry, dialect)),
  }));
}

function readEntry(entry: JsonNode, dialect: CatalogDialect): CatalogEntry {
  const { file, pointer } = entry;
  const name = entry.addPointer(entry.name ?? safeText`entry`);
  if (!isObject(entry.value)) {
    const problems = [entry.fault(safeText`is not an object`)];
    return { name, mediaType: '', url: null, file, pointer, data: null, problems };
  }
  const type = entry.at('type').text ?? entry.at('mediaType').text;
  const address = entry.at('url');
  const url = address.webUrl(file);
  const problems = [...findSchemaProblems[dialect](entry)];
  if (dialect === 'aiCatalog' && type === null) problems.push(entry.memberFault(safeText`type`));
  problems.push(...findContentProblems(entry));
  if (address.text !== null && !isTemplated(address.text) && url === null)
    problems.push(address.fault(safeText`has a "url" that is not a web address`));
  const mediaType = type === null ? '' : (parseMediaType(type).essence ?? '');
  return { name, mediaType, url, file, pointer, data: entry.at('data').value ?? null, problems };
}

/** Checks that an entry has either `url` or `data`, and that it is not null. */
function findContentProblems(entry: JsonNode): SafeText[] {
  const [url, data] = [entry.at('url'), entry.at('data')];
  if (url.value === undefined && data.value === undefined) return [entry.fault(safeText`lacks "url" or "data"`)];
  if (url.value !== undefined && data.value !== undefined)
    return [entry.fault(safeText`has both "url" and "data" instead of one of them`)];
  const field = url.value === undefined ? term('data') : term('url');
  const content = entry.at(field.text);
  return content.value === null ? [content.fault(safeText`has nothing in "${field}"`)] : [];
}

/** Returns the resource inside an entry; null if it is not an object. */
export function inlineResource({ file, pointer, data }: CatalogEntry): JsonNode | null {
  // `data` came from parsed JSON.
  const part = new JsonNode(file, data as JsonValue, `${pointer}/data`);
  return isObject(part.value) ? part : null;
}
