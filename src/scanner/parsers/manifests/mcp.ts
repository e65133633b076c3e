import type { CatalogEntry } from '../../artifacts/manifests.js';
import { type SafeText, safeText } from '../../artifacts/safe-text.js';
import { MANIFEST_LIMITS } from '../../limits.js';
import { isObject, type JsonValue } from '../json.js';
import { readCatalogPart } from './catalog.js';
import { type McpCard, type McpEndpoint, isServerCard, readServerCard } from './mcp-card.js';
import { isLocalOnly, isOlderManifest, readOlderManifest } from './mcp-older.js';
import { type ManifestReading, Part, readObject } from './shape.js';

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
  /** Advice on the document, as sentences. */
  readonly notes: readonly SafeText[];
}

/** `application/mcp-server-card+json`, and names in use before it was settled. */
const MCP_TYPE = /^application\/(?:vnd\.)?(?:mcp|modelcontextprotocol)\b/i;
/** A type that says nothing; some catalogs give it to the endpoint itself. */
const PLAIN_JSON = 'application/json';
const OLDER_FORM_NOTE = safeText`Its format is older than the server card of SEP-2127.`;

/**
 * Reads a document at one of the MCP paths.
 * @param isOlderPath the paths of earlier proposals accept any of their forms; a server card identifies itself
 */
export function readMcpManifest(text: string, url: URL, isOlderPath: boolean): ManifestReading<McpManifest> {
  const document = readObject(text, url);
  if (!(document instanceof Part)) return document;
  if (document.at('entries').value !== undefined && !isServerCard(document)) {
    const { problems, entries } = readCatalogPart(document, 'aiCatalog');
    return toMcpManifest(entries, problems);
  }
  if (isLocalOnly(document))
    return { kind: 'unrelated', detail: safeText`lists only programs that run on the user's own computer` };
  const { problems, endpoints, notes } = readCard(document, isOlderPath);
  return { kind: 'read', problems, value: { entries: [], endpoints, notes } };
}

/** Reads the target of a catalog entry. */
export function readMcpCard(text: string, url: URL): ManifestReading<McpCard> {
  const document = readObject(text, url);
  if (!(document instanceof Part)) return document;
  const card = readCard(document);
  return { kind: 'read', problems: card.problems, value: card };
}

function readCard(card: Part, isOlderPath = false): McpCard {
  const current = readServerCard(card);
  if (current.problems.length === 0 || !(isOlderPath || isOlderManifest(card))) return current;
  const older = readOlderManifest(card);
  return older.problems.length > 0 && isServerCard(card) ? current : { ...older, notes: [OLDER_FORM_NOTE] };
}

/** Reads the entries of a catalog for MCP servers. Faults of other entries do not count. */
export function toMcpManifest(
  entries: readonly CatalogEntry[],
  problems: readonly SafeText[],
): Extract<ManifestReading<McpManifest>, { kind: 'read' | 'unrelated' }> {
  const ofMcp = entries.filter(({ mediaType }) => MCP_TYPE.test(mediaType)).slice(0, MANIFEST_LIMITS.mcpEntriesMax);
  if (problems.length === 0 && ofMcp.length === 0) {
    const plain = entries.find(({ mediaType }) => mediaType === PLAIN_JSON);
    const hint = plain
      ? safeText` (${plain.name} has the type application/json, which does not mention MCP)`
      : safeText``;
    return { kind: 'unrelated', detail: safeText`is a valid catalog, but has no entry for an MCP server${hint}` };
  }
  return {
    kind: 'read',
    problems: [...problems, ...ofMcp.flatMap((entry) => entry.problems)],
    value: { entries: ofMcp.map(toMcpEntry), endpoints: [], notes: [] },
  };
}

function toMcpEntry({ name, url, file, pointer, data }: CatalogEntry): McpEntry {
  if (data === null) return { name, cardUrl: url, card: null };
  // It was read as JSON.
  const part = new Part(file, data as JsonValue, `${pointer}/data`);
  const noObject = { problems: [safeText`is not an object`], endpoints: [], notes: [] };
  return { name, cardUrl: null, card: isObject(part.value) ? readCard(part) : noObject };
}
