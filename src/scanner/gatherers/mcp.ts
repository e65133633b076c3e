import { distinctBy } from '../../net/keyed.js';
import { found, valueOf } from '../artifacts/evidence.js';
import type {
  CatalogDocument,
  CatalogEntry,
  ManifestDocument,
  McpDiscovery,
  TargetState,
} from '../artifacts/manifests.js';
import { type SafeText, safeText, term } from '../artifacts/safe-text.js';
import { isMcpEntry, type McpCard, readMcpCard, readMcpCardNode } from '../parsers/manifests/mcp.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { readCataloguedCards } from './catalogs.js';
import {
  contentOf,
  findAdvertised,
  type ManifestParser,
  mustExist,
  readNamed,
  readWellKnown,
  TARGETS_MAX,
  addTargets,
} from './documents.js';
import { askJsonRpc, type Endpoint, probeEndpoint, type Protocol } from './endpoints.js';

/** The Accept header that SEP-2127 requires for a card: a strict server answers anything else with 406. */
const CARD_ACCEPT = 'application/mcp-server-card+json, application/json';

const readCurrent: ManifestParser<McpCard> = (text, { url }) => readMcpCard(text, url);
const readOlder: ManifestParser<McpCard> = (text, { url }) => readMcpCard(text, url, true);

/** MCP's own documents in order of precedence; catalogs come before them. */
const WELL_KNOWN = [
  { path: term('/.well-known/mcp/server-card.json'), parse: readCurrent },
  // Not in any specification, but in use.
  { path: term('/.well-known/mcp-server-card'), parse: readCurrent },
  { path: term('/.well-known/mcp.json'), parse: readOlder },
  { path: term('/.well-known/mcp'), parse: readOlder },
];
const CATALOGUED = {
  name: term('server card'),
  isListed: (entry: CatalogEntry) => isMcpEntry(entry) && isFollowable(entry),
  parse: readCurrent,
  readNode: readMcpCardNode,
  accept: CARD_ACCEPT,
};
const ENDPOINT_CARD = term('The server card of the endpoint that the home page refers to');
/** Path segment below the endpoint that SEP-2127 reserves for a card. */
const CARD_SEGMENT = 'server-card';

const CURRENT_VERSION = '2026-07-28';
const OLDER_VERSION = '2025-06-18';
const CLIENT = { name: 'agent-readiness-scan', version: '1.0' };

/**
 * `server/discover` of the stateless revision (SEP-2575), else `initialize` of earlier ones. Neither calls a tool. Both accept
 * JSON and an event stream, as the Streamable HTTP transport requires of clients.
 */
const MCP: Protocol = {
  accept: 'application/json, text/event-stream',
  requests: [
    {
      headers: { 'mcp-protocol-version': CURRENT_VERSION, 'mcp-method': 'server/discover' },
      body: toJsonRpc('server/discover', {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': CURRENT_VERSION,
          'io.modelcontextprotocol/clientInfo': CLIENT,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      }),
    },
    { body: toJsonRpc('initialize', { protocolVersion: OLDER_VERSION, capabilities: {}, clientInfo: CLIENT }) },
  ],
};

function toJsonRpc(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** Reads all discovery documents in parallel, then the cards that catalogs list, then probes the first endpoints. */
export const collectMcp: Collector<'mcp'> = async (context) => {
  const [catalogs, catalogued, cards] = await Promise.all([
    context.evidence('catalogs'),
    readCataloguedCards(context, CATALOGUED),
    Promise.all(WELL_KNOWN.map((document) => readWellKnown(context, { ...document, accept: CARD_ACCEPT }))),
  ]);
  const documents = [
    ...judgeCatalogs(valueOf(catalogs)?.documents ?? []),
    ...(await probeAll(context, [...catalogued.map((card) => mustExist(card, 'unreachable')), ...cards])),
  ];
  const noEndpoint: McpDiscovery = { documents, endpoint: null, metadata: [] };
  if (documents.some(isConclusive)) return found(noEndpoint);
  const advertised = (await findAdvertised(context, (rel) => rel === 'mcp' || rel.startsWith('mcp-'))).slice(
    0,
    TARGETS_MAX,
  );
  const card = advertised[0] && (await readEndpointCard(context, advertised[0]));
  // Nothing announced this card, so only a valid one counts.
  if (card && contentOf(card)) {
    return found<McpDiscovery>({ ...noEndpoint, documents: [...documents, ...(await probeAll(context, [card]))] });
  }
  if (!documents.every(({ state: { kind } }) => ['absent', 'missing', 'unrelated', 'unannounced'].includes(kind)))
    return found(noEndpoint);
  const answers = await Promise.all(advertised.map((url) => askJsonRpc(context, url, MCP)));
  const endpoint = advertised.find((_, index) => answers[index]?.isJsonRpc === true) ?? null;
  return found<McpDiscovery>({ documents, endpoint, metadata: answers.flatMap(({ metadata }) => metadata) });
};

/** True for a valid document with a live endpoint or without any, after which no further URLs are tried. */
function isConclusive({ state }: ManifestDocument): boolean {
  if (state.kind !== 'read' || state.problems.length > 0) return false;
  const { targets = [] } = state;
  return targets.length === 0 || targets.some((target) => target.state === 'alive');
}

/** Returns the catalogs without their cards. Ignores an announced catalog that fails if another one can be read. */
function judgeCatalogs(catalogs: readonly CatalogDocument[]): ManifestDocument[] {
  const hasSound = catalogs.some(isSound);
  const isFailing = ({ state: { kind } }: CatalogDocument): boolean =>
    kind === 'missing' || kind === 'unreachable' || kind === 'read';
  return catalogs
    .filter((catalog) => isSound(catalog) || !(hasSound && catalog.isAnnounced && isFailing(catalog)))
    .flatMap(({ path, state }): ManifestDocument[] => {
      const entries = contentOf({ path, state });
      if (state.kind !== 'read' || entries === null) return [{ path, state }];
      const listed = entries.filter(isMcpEntry);
      const problems = listed.flatMap((entry) => entry.problems);
      if (problems.length > 0) return [{ path, state: { ...state, problems } }];
      if (listed.some(isFollowable)) return [];
      if (listed.length > 0) return [{ path, state }];
      return [{ path, state: { kind: 'unrelated', detail: describeUnrelated(entries) } }];
    });
}

function isFollowable({ url, data, problems }: CatalogEntry): boolean {
  return problems.length === 0 && (url !== null || data !== null);
}

function isSound({ state }: CatalogDocument): boolean {
  return state.kind === 'read' && state.problems.length === 0;
}

function describeUnrelated(entries: readonly CatalogEntry[]): SafeText {
  // Some catalogs give this type to the endpoint itself.
  const plain = entries.find(({ mediaType }) => mediaType === 'application/json');
  const hint = plain
    ? safeText` (${plain.name} has the type application/json, which does not mention MCP)`
    : safeText``;
  return safeText`is a valid catalog, but has no entry for an MCP server${hint}`;
}

function readEndpointCard(context: CollectContext, endpoint: URL): Promise<ManifestDocument<McpCard>> {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${CARD_SEGMENT}`;
  url.search = '';
  return readNamed(context, ENDPOINT_CARD, url, readCurrent, CARD_ACCEPT);
}

const NOT_ASKED = safeText`was not tested, because there are more endpoints than this scanner tests`;

/** Probes the first endpoint of each document, then further ones: each URL once. */
async function probeAll(
  context: CollectContext,
  documents: readonly ManifestDocument<McpCard>[],
): Promise<ManifestDocument[]> {
  const listed = documents.map((document) => contentOf(document)?.endpoints ?? []);
  const all = [...listed.flatMap((endpoints) => endpoints.slice(0, 1)), ...listed.flat()];
  const probed = distinctBy(all, ({ url }) => url.href).slice(0, TARGETS_MAX);
  const states = await Promise.all(probed.map((endpoint) => probeEndpoint(context, endpoint, MCP)));
  return documents.map((document, at) => {
    const [first, ...others] = listed[at] ?? [];
    const stateOf = ({ name, url }: Endpoint): TargetState | null => {
      const state = states[probed.findIndex((one) => one.url.href === url.href)];
      return state ? { ...state, name } : null;
    };
    const firstState = first && (stateOf(first) ?? { name: first.name, state: 'unknown' as const, detail: NOT_ASKED });
    const targets = [...(firstState ? [firstState] : []), ...others.flatMap((endpoint) => stateOf(endpoint) ?? [])];
    return addTargets(document, targets, contentOf(document)?.notes);
  });
}
