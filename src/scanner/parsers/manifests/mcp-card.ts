import { type SafeText, term, safeText } from '../../artifacts/safe-text.js';
import type { JsonObject } from '../json.js';
import { ADDRESS, listOf, ManifestSchema, objectOf, TEXT } from './schema.js';
import { type Source, Problems, httpUrlOf, isArray, isObject, isTemplated, partOf, textOf } from './shape.js';

/** A URL of an MCP server that can be probed; templates are excluded. */
export interface McpEndpoint {
  readonly name: SafeText;
  readonly url: URL;
}

export interface McpCard {
  readonly problems: readonly SafeText[];
  readonly endpoints: readonly McpEndpoint[];
  /** Advice on the card, as sentences. */
  readonly notes: readonly SafeText[];
}

/**
 * The schema's URI, in any of its versions: the schema of the server card (SEP-2127) requires a `vN` segment, and the version
 * moves with each breaking change.
 */
const SCHEMA = /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/v(\d{1,4})\/server-card\.schema\.json$/;
/** The only published version of the schema. */
const SCHEMA_VERSION = 1;
/** The schema's limits on length, which no client is known to enforce. */
const LENGTHS = [
  { field: term('description'), charsMax: 100 },
  { field: term('version'), charsMax: 255 },
];

const SERVER_CARD = new ManifestSchema(
  objectOf('$schema name version description', {
    $schema: { type: 'string', pattern: SCHEMA.source },
    name: { type: 'string', maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    version: TEXT,
    description: TEXT,
    remotes: listOf('remote', objectOf('type url', { type: { enum: ['sse', 'streamable-http'] }, url: ADDRESS })),
  }),
);

/** Reads a server card by the schema of SEP-2127. */
export function readServerCard(card: JsonObject, source: Source): McpCard {
  const problems = new Problems(source);
  SERVER_CARD.check(card, problems);
  const version = term('version');
  if (RANGE.test(textOf(card.get('version')) ?? ''))
    problems.add(safeText`has a range in "${version}", not one version`, partOf(problems.root, version, version.text));
  const remotes = card.get('remotes');
  const endpoints: McpEndpoint[] = [];
  for (const [index, remote] of isArray(remotes) ? remotes.entries() : []) {
    const address = isObject(remote) ? remote.get('url') : undefined;
    const url = isTemplated(address) ? null : httpUrlOf(address);
    if (url === null) continue;
    const where = partOf(problems.root, safeText`remote ${index + 1}`, 'remotes', index, 'url');
    endpoints.push({ name: problems.locate(where.name, where.pointer), url });
  }
  return { problems: problems.list, endpoints, notes: [...noteSchema(card), ...noteLengths(card)] };
}

/**
 * The forms of versions that the schema refuses as ranges: a comparator before it (`^1.2.3`, `~1.2.3`, `>=1.2.3`), or parts that may be
 * anything (`1.x`, `1.*`). It allows any other version, semantic or not.
 */
const RANGE = /^\s*(?:[<>^~]=?\s*v?\d|v?\d[\d.]*(?<=\d)\.[xX*][.xX*]*\s*$)/;

function noteSchema(card: JsonObject): SafeText[] {
  const version = Number(SCHEMA.exec(textOf(card.get('$schema')) ?? '')?.[1] ?? SCHEMA_VERSION);
  if (version === SCHEMA_VERSION) return [];
  return [safeText`Its "$schema" names version ${version} of the schema; ${SCHEMA_VERSION} is the published one.`];
}

function noteLengths(card: JsonObject): SafeText[] {
  return LENGTHS.filter(({ field, charsMax }) => isLonger(textOf(card.get(field.text)) ?? '', charsMax)).map(
    ({ field, charsMax }) =>
      safeText`Its "${field}" has more than the ${charsMax} characters of the schema: shorten it.`,
  );
}

/** By code points, as JSON Schema counts. */
function isLonger(text: string, charsMax: number): boolean {
  return Array.from(text.slice(0, 2 * charsMax + 2)).length > charsMax;
}

/** True if a document claims to be a SEP-2127 card. */
export function isServerCard(document: JsonObject): boolean {
  return document.has('remotes') || (textOf(document.get('$schema')) ?? '').includes('server-card.schema.json');
}
