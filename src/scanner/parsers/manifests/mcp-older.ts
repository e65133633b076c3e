import { safeText } from '../../artifacts/safe-text.js';
import { type JsonObject, type JsonValue, stepTo } from '../json.js';
import { MANIFEST_LIMITS } from '../../limits.js';
import type { McpCard, McpEndpoint } from './mcp-card.js';
import { type Source, Problems, httpUrlOf, isArray, isObject, isTemplated, textOf } from './shape.js';

/** Members with one endpoint, in the proposals before SEP-2127 and in what sites made of them. */
const HOLDERS = ['transport', 'server', 'mcp', 'connection'];
/** Members with several, as a list or by name (`"endpoints": {"streamable_http": …}`, `"mcpServers": {"shop": …}`). */
const COLLECTIONS = new Set(['transports', 'servers', 'mcpServers', 'connections', 'endpoints', 'remotes']);
const ADDRESSES = ['endpoint', 'url', 'uri', 'href', 'mcp_endpoint', 'mcpEndpoint', 'server_url', 'serverUrl'];
const KNOWN = new Set([...HOLDERS, ...COLLECTIONS, ...ADDRESSES]);
const NAMES = ['name', 'title', 'server_name', 'serverName', 'displayName'];
/** Fields that identify one of these proposals, as opposed to a SEP-2127 card with missing fields. */
const MARKS = ['serverInfo', 'transport', 'transports', 'endpoint', 'endpoints', 'servers', 'mcpServers', 'server'];

const DEPTH_MAX = 4;

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
    if (isArray(servers)) holders.push(...servers.slice(0, MANIFEST_LIMITS.serversMax));
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
  const others = new Map([...document].filter(([key]) => key !== 'url'));
  let level: readonly Held[] = [{ value: others, pointer, isCollection: false }];
  for (let depth = 0; depth < DEPTH_MAX; depth += 1) {
    level = level.flatMap(childrenOf).slice(0, MANIFEST_LIMITS.serversMax);
    addresses.push(...level.filter(({ value }) => typeof value === 'string' && isAddressLike(value)));
  }
  const value = textOf(document.get('url'));
  return value === null ? addresses : [...addresses, { value, pointer: pointer + stepTo('url'), isCollection: false }];
}

/** The items of a collection or a list, or the members of an object that may hold an address. */
function childrenOf({ value, pointer, isCollection }: Held): Held[] {
  const isAnyWanted = isCollection || isArray(value);
  const members: readonly (readonly [string | number, JsonValue])[] = isArray(value)
    ? [...value.entries()]
    : [...(isObject(value) ? value : [])];
  return members
    .filter(([name]) => isAnyWanted || KNOWN.has(String(name)))
    .map(([name, member]) => ({
      value: member,
      pointer: pointer + stepTo(name),
      isCollection: !isAnyWanted && COLLECTIONS.has(String(name)),
    }));
}

/** An absolute http(s) URL, a template of one, or a path from the root. */
function isAddressLike(value: string): boolean {
  return /^(?:https?:\/\/|\/(?!\/)|\{)/i.test(value);
}
