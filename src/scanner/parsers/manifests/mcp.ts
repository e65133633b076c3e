import type { CatalogEntry } from '../../artifacts/manifests.js';
import { type SafeText, safeText } from '../../artifacts/safe-text.js';
import { distinctBy } from '../../../net/keyed.js';
import { MANIFEST_LIMITS } from '../../limits.js';
import { isTemplated } from '../addresses.js';
import { isArray, isObject } from '../json.js';
import { inlineResource } from './catalog.js';
import { type ManifestReading, type JsonNode, readManifest } from './document.js';
import { ADDRESS, listOf, objectOf, TEXT, validatorOf } from './schema.js';

/** The card of an MCP server, or an older document about one. */
export interface McpCard {
  readonly problems: readonly SafeText[];
  /** Its URLs that can be probed; templates are excluded. */
  readonly endpoints: readonly { readonly name: SafeText; readonly url: URL }[];
  /** Advice on the card, as sentences. */
  readonly notes: readonly SafeText[];
}

/** A catalog entry for an MCP server: its card, or the card's location. */
export interface McpEntry {
  readonly name: SafeText;
  readonly cardUrl: URL | null;
  readonly card: McpCard | null;
}

/** `application/mcp-server-card+json`, and the names in use before it. */
const MCP_TYPE = /^application\/(?:vnd\.)?(?:mcp|modelcontextprotocol)\b/i;
/** A generic type, which some catalogs give to the endpoint itself. */
const PLAIN_JSON = 'application/json';

/** Returns the entries of a catalog for MCP servers, with their problems. Faults of other entries do not count. */
export function readMcpEntries(
  entries: readonly CatalogEntry[],
  problems: readonly SafeText[],
): ManifestReading<{ readonly entries: readonly McpEntry[] }> {
  const mcpEntries = entries
    .filter(({ mediaType }) => MCP_TYPE.test(mediaType))
    .slice(0, MANIFEST_LIMITS.mcpEntriesMax);
  if (problems.length === 0 && mcpEntries.length === 0) {
    const plain = entries.find(({ mediaType }) => mediaType === PLAIN_JSON);
    const hint = plain
      ? safeText` (${plain.name} has the type application/json, which does not mention MCP)`
      : safeText``;
    return { kind: 'unrelated', detail: safeText`is a valid catalog, but has no entry for an MCP server${hint}` };
  }
  const read = mcpEntries.map((entry): McpEntry => {
    const { name, url, data } = entry;
    return data === null ? { name, cardUrl: url, card: null } : { name, cardUrl: null, card: readInlineCard(entry) };
  });
  return {
    kind: 'read',
    problems: [...problems, ...mcpEntries.flatMap((entry) => entry.problems)],
    value: { entries: read },
  };
}

function readInlineCard(entry: CatalogEntry): McpCard {
  const part = inlineResource(entry);
  return part ? readCardNode(part, false) : { problems: [safeText`is not an object`], endpoints: [], notes: [] };
}

/**
 * Reads the card of a server.
 * @param isOlderPath true at a path of an earlier proposal, where any older form is accepted; elsewhere, the form must identify itself
 */
export function readMcpCard(text: string, url: URL, isOlderPath = false): ManifestReading<McpCard> {
  return readManifest(text, url, (document) => {
    if (isLocalOnly(document))
      return { kind: 'unrelated', detail: safeText`lists only programs that run on the user's own computer` };
    const card = readCardNode(document, isOlderPath);
    return { kind: 'read', problems: card.problems, value: card };
  });
}

/** True if a document names only programs to start on the reader's machine, which a site cannot offer. */
function isLocalOnly(document: JsonNode): boolean {
  const servers = document.at('mcpServers').value ?? document.at('servers').value;
  if (!isObject(servers) || servers.size === 0) return false;
  return [...servers.values()].every((server) => isObject(server) && server.has('command') && !server.has('url'));
}

function readCardNode(card: JsonNode, isOlderPath: boolean): McpCard {
  const current = readServerCard(card);
  const isOlder = isOlderPath || card.steps.some((member) => OLDER_MEMBER.test(String(member)));
  if (current.problems.length === 0 || !isOlder) return current;
  const older = readOlderCard(card);
  return older.problems.length > 0 && isServerCard(card) ? current : older;
}

/** The server card of SEP-2127. No client enforces the schema's limits on the length of texts. */
const findCardProblems = validatorOf(
  objectOf('$schema name version description', {
    $schema: {
      type: 'string',
      pattern: '^https://static\\.modelcontextprotocol\\.io/schemas/v\\d{1,4}/server-card\\.schema\\.json$',
    },
    name: { type: 'string', maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    version: TEXT,
    description: TEXT,
    remotes: listOf('remote', objectOf('type url', { type: { enum: ['sse', 'streamable-http'] }, url: ADDRESS })),
  }),
);

/**
 * Version ranges, which the schema refuses: a comparator (`^1.2.3`, `~1.2.3`, `>=1.2.3`) or a wildcard (`1.x`, `1.*`). It allows any other
 * version, semantic or not.
 */
const RANGE = /^\s*(?:[<>^~]=?\s*v?\d|v?\d[\d.]*(?<=\d)\.[xX*][.xX*]*\s*$)/;

function readServerCard(card: JsonNode): McpCard {
  const problems = [...findCardProblems(card)];
  const version = card.at('version');
  if (RANGE.test(version.text ?? '')) problems.push(version.fault(safeText`has a range in "version", not one version`));
  const endpoints = card.items('remotes', safeText`remote`).flatMap((remote) => {
    const address = remote.at('url');
    const url = address.webUrl();
    return url === null ? [] : [{ name: address.addPointer(remote.name ?? safeText`remote`), url }];
  });
  return { problems, endpoints, notes: [] };
}

/** True if a document claims to be a SEP-2127 card. */
function isServerCard(document: JsonNode): boolean {
  const schema = document.at('$schema').text ?? '';
  return document.at('remotes').value !== undefined || schema.includes('server-card.schema.json');
}

/** A member that identifies one of the proposals before SEP-2127, as opposed to a card with missing fields. */
const OLDER_MEMBER = /^(?:serverInfo|server|servers|mcpServers|transports?|endpoints?)$/;
/** Members in which older documents, including variants in use, have endpoints: as an object, a collection, or an address. */
const ENDPOINT_MEMBER =
  /^(?:mcp|mcpServers|servers?|transports?|connections?|endpoints?|remotes|ur[il]|href|(?:mcp_?|server_?)(?:endpoint|url))$/i;
const OLDER_DEPTH_MAX = 4;

/**
 * Reads the older forms of an MCP manifest: `mcp.json` (a name and an `endpoint`), SEP-1649 (`transport.endpoint`, which may be a path),
 * SEP-1960 (`endpoints` by transport), `mcpServers` by name. They never had a common schema, so only an endpoint is required.
 */
function readOlderCard(document: JsonNode): McpCard {
  const addresses = findAddresses(document, false, OLDER_DEPTH_MAX).slice(0, MANIFEST_LIMITS.serversMax);
  // A `url` at the root may be the web site's, so it comes last.
  const siteUrl = document.at('url').pointer;
  const found = [
    ...addresses.filter(({ pointer }) => pointer !== siteUrl),
    ...addresses.filter(({ pointer }) => pointer === siteUrl),
  ].flatMap((part) => {
    const url = part.webUrl(document.file);
    return url === null ? [] : [{ part, url }];
  });
  const endpoints = distinctBy(found, ({ url }) => url.href).map(({ part, url }, index) => ({
    name: part.addPointer(safeText`endpoint ${index + 1}`),
    url,
  }));
  const hasEndpoint = endpoints.length > 0 || addresses.some(({ value }) => isTemplated(value));
  return {
    problems: hasEndpoint ? [] : [document.fault(safeText`has no absolute http(s) endpoint`)],
    endpoints,
    notes: [safeText`Its format is older than the server card of SEP-2127.`],
  };
}

/** Returns the addresses in a node. In a collection, any member may have one. */
function findAddresses(part: JsonNode, isCollection: boolean, depthLeft: number): JsonNode[] {
  if (part.text !== null) return isAddress(part) ? [part] : [];
  if (depthLeft === 0) return [];
  const isAnyWanted = isCollection || isArray(part.value);
  return part.steps
    .filter((step) => isAnyWanted || ENDPOINT_MEMBER.test(String(step)))
    .flatMap((step) => findAddresses(part.at(step), !isAnyWanted && String(step).endsWith('s'), depthLeft - 1));
}

/** True for an absolute http(s) URL or a template of one; also for `/path`, unless the member is called a URL. */
function isAddress({ text, pointer }: JsonNode): boolean {
  return /^(?:https?:\/\/|\{)/i.test(text ?? '') || (/^\/(?!\/)/.test(text ?? '') && !/ur[il]$/i.test(pointer));
}
