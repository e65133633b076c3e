import type { SafeText } from '../../artifacts/safe-text.js';
import { term, safeText } from '../../artifacts/safe-text.js';
import type { JsonObject } from '../json.js';
import type { Source } from './shape.js';
import { Problems, httpUrlOf, isArray, isObject, isTemplated, partOf, textOf } from './shape.js';

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
const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const NAME_CHARS_MAX = 200;
const NUMBER = /^\d+$/;
/** A part of a version that stands for any. */
const ANY_PART = /^[xX*]$/;
const VERSION_CHARS_MAX = 255;
/** The schema's limits on length, which no client is known to enforce. */
const LENGTHS = [
  { field: term('description'), charsMax: 100 },
  { field: term('version'), charsMax: VERSION_CHARS_MAX },
];
/** The transports of the schema. */
const TRANSPORTS: ReadonlySet<string> = new Set(['sse', 'streamable-http']);
/** The only published version of the schema. */
const SCHEMA_VERSION = 1;
const [VERSION, TEXTS] = [term('version'), [term('version'), term('description')]];
const [SCHEMA_FIELD, NAME_FIELD, REMOTES, TYPE, URL_FIELD] = [
  term('$schema'),
  term('name'),
  term('remotes'),
  term('type'),
  term('url'),
];

/**
 * Reads a server card by the schema of SEP-2127: `$schema`, `name` as namespace/name, `version`, `description`; `remotes` is
 * optional there, each with `type` (`sse` or `streamable-http`) and `url`.
 */
export function readServerCard(card: JsonObject, source: Source): McpCard {
  const problems = new Problems(source);
  const schema = SCHEMA.exec(textOf(card.get('$schema')) ?? '');
  problems.require(schema !== null, card, SCHEMA_FIELD);
  const name = textOf(card.get('name')) ?? '';
  problems.require(name.length <= NAME_CHARS_MAX && NAME.test(name), card, NAME_FIELD);
  problems.requireTexts(card, TEXTS);
  if (isRange(textOf(card.get('version')) ?? ''))
    problems.add(safeText`has a range in "${VERSION}", not one version`, partOf(problems.root, VERSION, VERSION.text));
  const notes = [...noteSchema(schema?.[1]), ...noteLengths(card)];
  const remotes = card.get('remotes');
  if (remotes === undefined || remotes === null) return { problems: problems.list, endpoints: [], notes };
  problems.require(isArray(remotes), card, REMOTES);
  const endpoints: McpEndpoint[] = [];
  for (const [index, remote] of isArray(remotes) ? remotes.entries() : []) {
    if (problems.isFull) break;
    const where = partOf(problems.root, safeText`remote ${index + 1}`, 'remotes', index);
    if (!isObject(remote)) {
      problems.add(safeText`${where.name} is not an object`, where);
      continue;
    }
    problems.require(TRANSPORTS.has(textOf(remote.get('type')) ?? ''), remote, TYPE, where);
    const url = httpUrlOf(remote.get('url'));
    const isTemplate = isTemplated(remote.get('url'));
    problems.require(url !== null || isTemplate, remote, URL_FIELD, where);
    const name = problems.locate(where.name, partOf(where, where.name, 'url').pointer);
    if (url !== null && !isTemplate) endpoints.push({ name, url });
  }
  return { problems: problems.list, endpoints, notes };
}

/**
 * Whether a version has one of the forms that the schema refuses as ranges: a comparator before it (`^1.2.3`, `~1.2.3`, `>=1.2.3`), or
 * parts that may be anything (`1.x`, `1.*`). It allows any other version, semantic or not.
 */
function isRange(version: string): boolean {
  const text = version.trim();
  if (/^[<>^~]=?\s*v?\d/.test(text)) return true;
  if (text.length > VERSION_CHARS_MAX) return false;
  const [first = '', ...others] = text.replace(/^v/, '').split('.');
  const anyAt = others.findIndex((part) => ANY_PART.test(part));
  const isInOrder = others.every((part, index) => (index < anyAt ? NUMBER : ANY_PART).test(part));
  return anyAt >= 0 && NUMBER.test(first) && isInOrder;
}

function noteSchema(version: string | undefined): SafeText[] {
  if (version === undefined || Number(version) === SCHEMA_VERSION) return [];
  return [
    safeText`Its "$schema" names version ${Number(version)} of the schema; ${SCHEMA_VERSION} is the published one.`,
  ];
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

/** Whether a document claims to be a SEP-2127 card. */
export function isServerCard(document: JsonObject): boolean {
  return document.has('remotes') || (textOf(document.get('$schema')) ?? '').includes('server-card.schema.json');
}
