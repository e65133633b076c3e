import { safeText } from '../../artifacts/safe-text.js';
import { MANIFEST_LIMITS } from '../../limits.js';
import { distinctBy } from '../../../net/keyed.js';
import { isArray, isObject } from '../json.js';
import type { McpCard } from './mcp-card.js';
import { isTemplated, type Part } from './shape.js';

/** Members with one endpoint, in the proposals before SEP-2127 and in what sites made of them. */
const HOLDERS = ['transport', 'server', 'mcp', 'connection'];
/** Members with several, as a list or by name (`"endpoints": {"streamable_http": …}`, `"mcpServers": {"shop": …}`). */
const COLLECTIONS = new Set(['transports', 'servers', 'mcpServers', 'connections', 'endpoints', 'remotes']);
const ADDRESSES = ['endpoint', 'url', 'uri', 'href', 'mcp_endpoint', 'mcpEndpoint', 'server_url', 'serverUrl'];
const KNOWN = new Set([...HOLDERS, ...COLLECTIONS, ...ADDRESSES]);
const NAMES = ['name', 'title', 'server_name', 'serverName', 'displayName'];
/** Fields that identify one of these proposals, as opposed to a SEP-2127 card with missing fields. */
const MARKS = ['serverInfo', 'transport', 'transports', 'endpoint', 'endpoints', 'servers', 'mcpServers', 'server'];

/** An absolute http(s) URL, a template of one, or a path from the root. */
const ADDRESS = /^(?:https?:\/\/|\/(?!\/)|\{)/i;
const DEPTH_MAX = 4;

export function isOlderManifest(document: Part): boolean {
  return MARKS.some((mark) => document.at(mark).value !== undefined);
}

/** True if a document names only programs to start on the reader's machine, which a site cannot offer. */
export function isLocalOnly(document: Part): boolean {
  const servers = document.at('mcpServers').value ?? document.at('servers').value;
  if (!isObject(servers) || servers.size === 0) return false;
  return [...servers.values()].every((server) => isObject(server) && server.has('command') && !server.has('url'));
}

/**
 * Reads the older forms of an MCP manifest: `mcp.json` (a name and an `endpoint`), SEP-1649 (`serverInfo`, `transport.endpoint`,
 * which may be a path), SEP-1960 (`server_name`, `endpoints` by transport), `mcpServers` by name. They never had a common schema,
 * so only the essentials are required: a server's name and an endpoint.
 */
export function readOlderManifest(document: Part): McpCard {
  const addresses = findAddresses(document);
  const found = addresses.flatMap((part) => {
    const url = part.webUrl(document.file);
    return url === null ? [] : [{ part, url }];
  });
  const endpoints = distinctBy(found, ({ url }) => url.href).map(({ part, url }, index) => ({
    name: part.pointFrom(safeText`endpoint ${index + 1}`),
    url,
  }));
  const hasEndpoint = endpoints.length > 0 || addresses.some(({ value }) => isTemplated(value));
  return {
    problems: [
      ...(hasName(document) ? [] : [document.fault(safeText`has no server name`)]),
      ...(hasEndpoint ? [] : [document.fault(safeText`has no absolute http(s) endpoint`)]),
    ],
    endpoints,
    notes: [],
  };
}

function hasName(document: Part): boolean {
  const lists = [document.at('servers'), document.at('mcpServers')];
  if (lists.some(({ value }) => isObject(value) && value.size > 0)) return true;
  const holders = [
    document,
    ...['serverInfo', 'server', 'mcp'].map((key) => document.at(key)),
    ...['servers', 'mcpServers'].flatMap((key) => document.items(key, safeText`server`)),
  ];
  return holders.some((holder) => NAMES.some((name) => holder.at(name).text !== null));
}

interface Member {
  readonly part: Part;
  readonly isCollection: boolean;
}

/** Returns every address at the places that these forms use. A bare `url` at the root may be the web site's, so it comes last. */
function findAddresses(document: Part): Part[] {
  const addresses: Part[] = [];
  let level: Member[] = [{ part: document, isCollection: false }];
  for (let depth = 0; depth < DEPTH_MAX; depth += 1) {
    level = level.flatMap(membersOf).slice(0, MANIFEST_LIMITS.serversMax);
    addresses.push(...level.map(({ part }) => part).filter(({ text }) => text !== null && ADDRESS.test(text)));
  }
  const isSite = ({ pointer }: Part): boolean => pointer === document.at('url').pointer;
  return [...addresses.filter((part) => !isSite(part)), ...addresses.filter(isSite)];
}

/** Returns the items of a collection or a list, or the members of an object that may hold an address. */
function membersOf({ part, isCollection }: Member): Member[] {
  const { value } = part;
  const isAnyWanted = isCollection || isArray(value);
  const steps = isArray(value) ? [...value.keys()] : isObject(value) ? [...value.keys()] : [];
  return steps
    .filter((step) => isAnyWanted || KNOWN.has(String(step)))
    .map((step) => ({ part: part.at(step), isCollection: !isAnyWanted && COLLECTIONS.has(String(step)) }));
}
