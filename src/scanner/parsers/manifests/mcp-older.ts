import { safeText } from '../../artifacts/safe-text.js';
import { type JsonObject, type JsonValue, stepTo } from '../json.js';
import type { McpCard, McpEndpoint } from './mcp-card.js';
import type { Source } from './shape.js';
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

/** True if a document names only programs to start on the reader's machine, which a site cannot offer. */
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
export function readOlderManifest(document: JsonObject, source: Source): McpCard {
  const problems = new Problems(source);
  if (!hasName(document)) problems.add(safeText`gives no name of a server`);
  const addresses = findAddresses(document, problems.root.pointer);
  const endpoints: McpEndpoint[] = [];
  for (const { value, pointer } of addresses) {
    const url = isTemplated(value) ? null : httpUrlOf(value, source.file);
    if (url !== null && endpoints.every((endpoint) => endpoint.url.href !== url.href)) {
      endpoints.push({ name: problems.locate(safeText`endpoint ${endpoints.length + 1}`, pointer), url });
    }
  }
  if (endpoints.length === 0 && !addresses.some(({ value }) => isTemplated(value)))
    problems.add(safeText`has no absolute http(s) endpoint`);
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
  readonly pointer: string;
  readonly isCollection: boolean;
}

/** Every address at the places that these forms use. A bare `url` at the root may be the web site's, so it comes last. */
function findAddresses(document: JsonObject, pointer: string): Held[] {
  const addresses: Held[] = [];
  let level: readonly Held[] = heldBy(document, pointer, (key) => key !== 'url');
  for (let depth = 0; depth < DEPTH_MAX; depth += 1) {
    const inner: Held[] = [];
    for (const held of level) {
      const { value, pointer, isCollection } = held;
      if (typeof value === 'string' && isAddressLike(value)) addresses.push(held);
      else if (isArray(value)) inner.push(...toSingles(value.entries(), pointer));
      else if (isObject(value)) inner.push(...(isCollection ? toSingles(value, pointer) : heldBy(value, pointer)));
    }
    level = inner.slice(0, ITEMS_MAX);
  }
  const value = textOf(document.get('url'));
  return value === null ? addresses : [...addresses, { value, pointer: pointer + stepTo('url'), isCollection: false }];
}

function heldBy(object: JsonObject, pointer: string, isWanted: (key: string) => boolean = () => true): Held[] {
  const held: Held[] = [];
  for (const [key, value] of object) {
    const isCollection = COLLECTIONS.has(key);
    if ((isCollection || HOLDERS.has(key) || ADDRESSES.has(key)) && isWanted(key))
      held.push({ value, pointer: pointer + stepTo(key), isCollection });
  }
  return held;
}

/** The first of these, each under its name or index. */
function toSingles(items: Iterable<readonly [string | number, JsonValue]>, pointer: string): Held[] {
  const singles: Held[] = [];
  for (const [name, value] of items) {
    if (singles.length >= ITEMS_MAX) break;
    singles.push({ value, pointer: pointer + stepTo(name), isCollection: false });
  }
  return singles;
}

/** An absolute http(s) URL, a template of one, or a path from the root. */
function isAddressLike(value: string): boolean {
  return /^(?:https?:\/\/|\/(?!\/)|\{)/i.test(value);
}
