import type { SafeText } from '../../evidence/safe-text.js';
import { term, safeText } from '../../evidence/safe-text.js';
import type { JsonObject } from '../json.js';
import type { McpCard, McpEndpoint } from './mcp-card.js';
import { isServerCard, readServerCard } from './mcp-card.js';
import { isLocalOnly, isOlderManifest, readOlderManifest } from './mcp-older.js';
import type { ManifestReading } from './shape.js';
import { Problems, httpUrlOf, isArray, isObject, isTemplated, readObject, textOf } from './shape.js';

/** A catalog entry for an MCP server: its card, or the card's location. */
export interface McpEntry {
  readonly name: SafeText;
  readonly cardUrl: URL | null;
  readonly card: McpCard | null;
}

/** The contents of an MCP discovery document. */
export interface McpManifest {
  readonly entries: readonly McpEntry[];
  readonly endpoints: readonly McpEndpoint[];
}

/** Most MCP entries read: far more than are followed. */
const MCP_ENTRIES_MAX = 20;

/** `application/mcp-server-card+json`, and names in use before it was settled. */
const MCP_TYPE = /^application\/(?:vnd\.)?(?:mcp|modelcontextprotocol)\b/i;

const [SPEC_VERSION, ENTRIES, IDENTIFIER] = [term('specVersion'), term('entries'), term('identifier')];
const TYPE = term('type');

/**
 * Reads a document at one of the MCP paths.
 * @param isOlderPath the paths of earlier proposals accept any of their forms; a server card identifies itself
 */
export async function readMcpManifest(
  text: string,
  url: URL,
  isOlderPath: boolean,
): Promise<ManifestReading<McpManifest>> {
  const document = await readObject(text);
  if (!('object' in document)) return document;
  const { object } = document;
  if (object.has('entries') && !isServerCard(object)) return readCatalog(object, url);
  if (isLocalOnly(object)) {
    return { kind: 'unrelated', detail: safeText`names only programs that run on the reader's own machine` };
  }
  const { problems, endpoints } = readCard(object, url, isOlderPath);
  return { kind: 'read', problems, value: { entries: [], endpoints } };
}

/** Reads `/.well-known/ai-catalog.json`, which can only be a catalog. */
export async function readMcpCatalog(text: string, url: URL): Promise<ManifestReading<McpManifest>> {
  const document = await readObject(text);
  return 'object' in document ? readCatalog(document.object, url) : document;
}

/** Reads the target of a catalog entry. */
export async function readMcpCard(text: string, url: URL): Promise<ManifestReading<McpCard>> {
  const document = await readObject(text);
  if (!('object' in document)) return document;
  const card = readCard(document.object, url);
  return { kind: 'read', problems: card.problems, value: card };
}

function readCard(card: JsonObject, url: URL, isOlderPath = false): McpCard {
  const current = readServerCard(card);
  if (current.problems.length === 0 || !(isOlderPath || isOlderManifest(card))) return current;
  const older = readOlderManifest(card, url);
  return older.problems.length > 0 && isServerCard(card) ? current : older;
}

/**
 * Reads an AI catalog: `specVersion`, and `entries`, each with `identifier`, `type` (before 2026 `mediaType`) and exactly one of
 * `url` and `data` (AI Catalog 1.0, "Top-Level Structure" and "Catalog Entry").
 */
function readCatalog(catalog: JsonObject, base: URL): ManifestReading<McpManifest> {
  const problems = new Problems();
  problems.requireTexts(catalog, [SPEC_VERSION]);
  const entries = catalog.get('entries');
  problems.require(isArray(entries), catalog, ENTRIES);
  const mcpEntries: McpEntry[] = [];
  for (const [index, entry] of isArray(entries) ? entries.entries() : []) {
    if (problems.isFull) break;
    const name = safeText`entry ${index + 1}`;
    if (!isObject(entry)) {
      problems.add(safeText`${name} is not an object`);
      continue;
    }
    const type = textOf(entry.get('type')) ?? textOf(entry.get('mediaType'));
    problems.requireTexts(entry, [IDENTIFIER], name);
    problems.require(type !== null, entry, TYPE, name);
    checkContent(entry, name, problems);
    if (type !== null && mcpEntries.length < MCP_ENTRIES_MAX && MCP_TYPE.test(type))
      mcpEntries.push(readEntry(entry, name, base));
  }
  if (problems.list.length === 0 && mcpEntries.length === 0) {
    return { kind: 'unrelated', detail: safeText`is a valid AI catalog, but has no entry for an MCP server` };
  }
  return { kind: 'read', problems: problems.list, value: { entries: mcpEntries, endpoints: [] } };
}

function checkContent(entry: JsonObject, name: SafeText, problems: Problems): void {
  const hasUrl = entry.has('url');
  const hasData = entry.has('data');
  if (hasUrl === hasData) {
    problems.add(
      hasUrl
        ? safeText`${name} has both "url" and "data" instead of one of them`
        : safeText`${name} lacks "url" or "data"`,
    );
  } else if (hasUrl && textOf(entry.get('url')) === null) {
    problems.add(safeText`${name} has an invalid "url"`);
  }
}

function readEntry(entry: JsonObject, name: SafeText, base: URL): McpEntry {
  const data = entry.get('data');
  if (data !== undefined) {
    const noObject = { problems: [safeText`is not an object`], endpoints: [] };
    return { name, cardUrl: null, card: isObject(data) ? readCard(data, base) : noObject };
  }
  const url = entry.get('url');
  return { name, cardUrl: isTemplated(url) ? null : httpUrlOf(url, base), card: null };
}
