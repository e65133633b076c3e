import type { SafeText } from '../../evidence/safe-text.js';
import { term, safeText } from '../../evidence/safe-text.js';
import type { JsonObject } from '../json.js';
import { Problems, httpUrlOf, isArray, isObject, isTemplated, textOf } from './shape.js';

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
/** The schema's limit, which no client is known to enforce. */
const DESCRIPTION_CHARS_MAX = 100;
/** The only published version of the schema. */
const SCHEMA_VERSION = 1;
const TEXTS = [term('version'), term('description')];
const [SCHEMA_FIELD, NAME_FIELD, REMOTES, TYPE, URL_FIELD] = [
  term('$schema'),
  term('name'),
  term('remotes'),
  term('type'),
  term('url'),
];

/**
 * Reads a server card by the schema of SEP-2127: `$schema`, `name` as namespace/name, `version`, `description`; `remotes` is
 * optional there, each with `type` and `url`.
 */
export function readServerCard(card: JsonObject): McpCard {
  const problems = new Problems();
  const schema = SCHEMA.exec(textOf(card.get('$schema')) ?? '');
  problems.require(schema !== null, card, SCHEMA_FIELD);
  const name = textOf(card.get('name')) ?? '';
  problems.require(name.length <= NAME_CHARS_MAX && NAME.test(name), card, NAME_FIELD);
  problems.requireTexts(card, TEXTS);
  const notes = [...noteVersion(schema?.[1]), ...noteDescription(card)];
  const remotes = card.get('remotes');
  if (remotes === undefined || remotes === null) return { problems: problems.list, endpoints: [], notes };
  problems.require(isArray(remotes), card, REMOTES);
  const endpoints: McpEndpoint[] = [];
  for (const [index, remote] of isArray(remotes) ? remotes.entries() : []) {
    if (problems.isFull) break;
    const where = safeText`remote ${index + 1}`;
    if (!isObject(remote)) {
      problems.add(safeText`${where} is not an object`);
      continue;
    }
    problems.requireTexts(remote, [TYPE], where);
    const url = httpUrlOf(remote.get('url'));
    const isTemplate = isTemplated(remote.get('url'));
    problems.require(url !== null || isTemplate, remote, URL_FIELD, where);
    if (url !== null && !isTemplate) endpoints.push({ name: where, url });
  }
  return { problems: problems.list, endpoints, notes };
}

function noteVersion(version: string | undefined): SafeText[] {
  if (version === undefined || Number(version) === SCHEMA_VERSION) return [];
  return [
    safeText`Its "$schema" names version ${Number(version)} of the schema; ${SCHEMA_VERSION} is the published one.`,
  ];
}

function noteDescription(card: JsonObject): SafeText[] {
  const text = textOf(card.get('description')) ?? '';
  return isLonger(text, DESCRIPTION_CHARS_MAX)
    ? [safeText`Its description has more than the ${DESCRIPTION_CHARS_MAX} characters of the schema: shorten it.`]
    : [];
}

/** By code points, as JSON Schema counts. */
function isLonger(text: string, charsMax: number): boolean {
  return Array.from(text.slice(0, 2 * charsMax + 2)).length > charsMax;
}

/** Whether a document claims to be a SEP-2127 card. */
export function isServerCard(document: JsonObject): boolean {
  return document.has('remotes') || (textOf(document.get('$schema')) ?? '').includes('server-card.schema.json');
}
