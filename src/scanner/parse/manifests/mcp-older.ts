import { safeText } from '../../evidence/safe-text.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { McpCard, McpEndpoint } from './mcp-card.js';
import { Problems, httpUrlOf, isArray, isObject, isTemplated, textOf } from './shape.js';

/** Members with one endpoint, in the proposals before SEP-2127 and in what sites made of them. */
const HOLDERS = new Set(['transport', 'server', 'mcp', 'connection']);
/** Members with several, as a list or by name (`"endpoints": {"streamable_http": …}`, `"mcpServers": {"shop": …}`). */
const COLLECTIONS = new Set(['transports', 'servers', 'mcpServers', 'connections', 'endpoints', 'remotes']);
const ADDRESSES = new Set(['endpoint', 'url', 'uri', 'href', 'mcp_endpoint', 'mcpEndpoint', 'server_url', 'serverUrl']);
const NAMES = ['name', 'title', 'server_name', 'serverName', 'displayName'];
/** Fields that identify one of these proposals, as opposed to a SEP-2127 card with missing fields. */
const MARKS = ['serverInfo', 'transport', 'transports', 'endpoint', 'endpoints', 'servers', 'mcpServers', 'server'];

const DEPTH_MAX = 4;
/** Far more servers than any site has. */
const ITEMS_MAX = 100;

export function isOlderManifest(document: JsonObject): boolean {
  return MARKS.some((mark) => document.has(mark));
}

/** Whether a document names only programs to start on the reader's machine, which a site cannot offer. */
export function isLocalOnly(document: JsonObject): boolean {
  const servers = document.get('mcpServers') ?? document.get('servers');
  if (!isObject(servers) || servers.size === 0) return false;
  return [...servers.values()].every((server) => isObject(server) && server.has('command') && !server.has('url'));
}

/**
 * Reads the older forms of an MCP manifest: `mcp.json` (a name and an `endpoint`), SEP-1649 (`serverInfo`, `transport.endpoint`,
 * which may be a path), SEP-1960 (`server_name`, `endpoints` by transport), `mcpServers` by name. They never had a common schema,
 * so only the essentials are required: a server's name and an endpoint.
 */
export function readOlderManifest(document: JsonObject, base: URL): McpCard {
  const problems = new Problems();
  if (!hasName(document)) problems.add(safeText`gives no name of a server`);
  const addresses = findAddresses(document);
  const endpoints: McpEndpoint[] = [];
  for (const address of addresses) {
    const url = isTemplated(address) ? null : httpUrlOf(address, base);
    if (url !== null && endpoints.every((endpoint) => endpoint.url.href !== url.href)) {
      endpoints.push({ name: safeText`endpoint ${endpoints.length + 1}`, url });
    }
  }
  if (endpoints.length === 0 && !addresses.some(isTemplated)) problems.add(safeText`has no absolute http(s) endpoint`);
  return { problems: problems.list, endpoints, notes: [] };
}

function hasName(document: JsonObject): boolean {
  const holders: (JsonValue | undefined)[] = [document];
  for (const key of ['serverInfo', 'server', 'mcp']) holders.push(document.get(key));
  for (const key of ['servers', 'mcpServers']) {
    const servers = document.get(key);
    if (isObject(servers) && servers.size > 0) return true;
    if (isArray(servers)) holders.push(...servers.slice(0, ITEMS_MAX));
  }
  return holders.some((holder) => isObject(holder) && NAMES.some((name) => textOf(holder.get(name)) !== null));
}

interface Held {
  readonly value: JsonValue;
  readonly isCollection: boolean;
}

/** Every address at the places that these forms use. A bare `url` at the root may be the web site's, so it comes last. */
function findAddresses(document: JsonObject): string[] {
  const addresses: string[] = [];
  let level: readonly Held[] = heldBy(document, (key) => key !== 'url');
  for (let depth = 0; depth < DEPTH_MAX; depth += 1) {
    const inner: Held[] = [];
    for (const { value, isCollection } of level) {
      if (typeof value === 'string' && isAddressLike(value)) addresses.push(value);
      else if (isArray(value)) inner.push(...value.slice(0, ITEMS_MAX).map(toSingle));
      else if (isObject(value)) {
        inner.push(...(isCollection ? [...value.values()].slice(0, ITEMS_MAX).map(toSingle) : heldBy(value)));
      }
    }
    level = inner.slice(0, ITEMS_MAX);
  }
  const root = textOf(document.get('url'));
  return root === null ? addresses : [...addresses, root];
}

function heldBy(object: JsonObject, isWanted: (key: string) => boolean = () => true): Held[] {
  const held: Held[] = [];
  for (const [key, value] of object) {
    const isCollection = COLLECTIONS.has(key);
    if ((isCollection || HOLDERS.has(key) || ADDRESSES.has(key)) && isWanted(key)) held.push({ value, isCollection });
  }
  return held;
}

function toSingle(value: JsonValue): Held {
  return { value, isCollection: false };
}

/** An absolute http(s) URL, a template of one, or a path from the root. */
function isAddressLike(value: string): boolean {
  return /^(?:https?:\/\/|\/(?!\/)|\{)/i.test(value);
}
