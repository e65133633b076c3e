import { found, valueOf } from '../artifacts/evidence.js';
import {
  isFailingCatalog,
  isSoundCatalog,
  type CatalogDocument,
  type ManifestDocument,
  type McpDiscovery,
  type TargetState,
} from '../artifacts/manifests.js';
import { type SafeText, pointToAnswer, term, safeText } from '../artifacts/safe-text.js';
import {
  type McpEntry,
  type McpManifest,
  readMcpCard,
  readMcpManifest,
  toMcpManifest,
} from '../parsers/manifests/mcp.js';
import type { McpCard } from '../parsers/manifests/mcp-card.js';
import { findAdvertised } from './named.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { type Endpoint, type ProtocolProbe, askJsonRpc, probeEndpoint } from './endpoint-probe.js';
import {
  type ManifestParser,
  type NamedReading,
  CARD_ACCEPT,
  contentOf,
  PRIVATE_DETAIL,
  TARGETS_MAX,
  readNamed,
  readWellKnown,
  withTargets,
} from './manifest-document.js';
import { distinctBy } from '../../net/keyed.js';

/** Paths of MCP's own documents in order of precedence; catalogs come before them. */
const PATHS: readonly (readonly [path: SafeText, isOlder: boolean])[] = [
  [term('/.well-known/mcp/server-card.json'), false],
  // Not in any specification, but in use.
  [term('/.well-known/mcp-server-card'), false],
  [term('/.well-known/mcp.json'), true],
  [term('/.well-known/mcp'), true],
];
const ENDPOINT_CARD = term('The server card of the endpoint that the home page names');
/** Path segment below the endpoint that SEP-2127 reserves for a card. */
const CARD_SEGMENT = 'server-card';

const CURRENT_VERSION = '2026-07-28';
const OLDER_VERSION = '2025-06-18';
const CLIENT = { name: 'agent-readiness-scan', version: '1.0' };

/**
 * `server/discover` of the stateless revision (SEP-2575), else `initialize` of earlier ones. Neither calls a tool. Both accept
 * JSON and an event stream, as the Streamable HTTP transport requires of clients.
 */
const MCP_PROBE: ProtocolProbe = {
  accept: 'application/json, text/event-stream',
  requests: [
    {
      headers: { 'mcp-protocol-version': CURRENT_VERSION, 'mcp-method': 'server/discover' },
      body: requestOf('server/discover', {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': CURRENT_VERSION,
          'io.modelcontextprotocol/clientInfo': CLIENT,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      }),
    },
    { body: requestOf('initialize', { protocolVersion: OLDER_VERSION, capabilities: {}, clientInfo: CLIENT }) },
  ],
};

const NO_ENDPOINT = { endpoint: null, metadata: [] } as const;

/** A document with the faults of its cards and the endpoints that it lists. */
interface FollowedDocument {
  readonly document: NamedReading<McpManifest>;
  readonly faults: readonly TargetState[];
  readonly endpoints: readonly Endpoint[];
  /** Advice about its cards, in full sentences. */
  readonly notes: readonly SafeText[];
}

const readCurrent: ManifestParser<McpManifest> = (text, { url }) => readMcpManifest(text, url, false);
const readOlder: ManifestParser<McpManifest> = (text, { url }) => readMcpManifest(text, url, true);

/** Reads all discovery documents in parallel, then the cards that catalogs list, then probes the first endpoints. */
export const collectMcp: Collector<'mcp'> = async (context) => {
  const [catalogs, cards] = await Promise.all([
    context.evidence('catalogs'),
    Promise.all(
      PATHS.map(([path, isOlder]) =>
        readWellKnown(context, path, isOlder ? readOlder : readCurrent, { accept: CARD_ACCEPT }),
      ),
    ),
  ]);
  const documents = await follow(context, [...readCatalogs(valueOf(catalogs)?.documents ?? []), ...cards]);
  if (documents.some(isConclusive)) return found<McpDiscovery>({ documents, ...NO_ENDPOINT });
  const advertised = await findEndpoints(context);
  const own = await readEndpointCard(context, advertised);
  if (own) return found<McpDiscovery>({ documents: [...documents, ...own], ...NO_ENDPOINT });
  if (!documents.every(({ state: { kind } }) => ['absent', 'missing', 'unrelated', 'unannounced'].includes(kind)))
    return found<McpDiscovery>({ documents, ...NO_ENDPOINT });
  const answers = await Promise.all(advertised.map((url) => askJsonRpc(context, url, MCP_PROBE)));
  const endpoint = advertised.find((_, index) => answers[index]?.isJsonRpc === true) ?? null;
  return found<McpDiscovery>({ documents, endpoint, metadata: answers.flatMap(({ metadata }) => metadata) });
};

/** True for a valid document with a live endpoint or without any, after which no further URLs are tried. */
function isConclusive({ state }: ManifestDocument): boolean {
  if (state.kind !== 'read' || state.problems.length > 0) return false;
  return state.targets.length === 0 || state.targets.some((target) => target.state === 'alive');
}

/** Returns the MCP part of the catalogs. Ignores an announced catalog that fails if another one can be read. */
function readCatalogs(catalogs: readonly CatalogDocument[]): NamedReading<McpManifest>[] {
  const hasSound = catalogs.some(isSoundCatalog);
  return catalogs
    .filter((catalog) => !(hasSound && catalog.isAnnounced && isFailingCatalog(catalog)))
    .map(({ path, state }) => {
      if (state.kind !== 'read') return { path, reading: state };
      const reading = toMcpManifest(state.entries, state.problems);
      return { path, reading: reading.kind === 'read' ? { ...reading, notes: state.notes } : reading };
    });
}

/** Reads the card of the first advertised endpoint and probes it; null without a valid card. */
async function readEndpointCard(
  context: CollectContext,
  endpoints: readonly URL[],
): Promise<ManifestDocument[] | null> {
  const [first] = endpoints;
  if (!first || context.isPrivateLink(first)) return null;
  const url = new URL(first);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${CARD_SEGMENT}`;
  url.search = '';
  const card = await readNamed(context, ENDPOINT_CARD, url, readCurrent, CARD_ACCEPT);
  // Nothing announced this card, so only a valid one counts.
  return contentOf(card) ? follow(context, [card]) : null;
}

async function follow(
  context: CollectContext,
  documents: readonly NamedReading<McpManifest>[],
): Promise<ManifestDocument[]> {
  // A catalog may be served at two URLs: each card counts once.
  const cards = new Set<string | McpEntry>();
  const isFollowed = (entry: McpEntry): boolean => {
    const card = entry.cardUrl?.href ?? entry;
    if (!cards.has(card) && cards.size >= TARGETS_MAX) return false;
    cards.add(card);
    return true;
  };
  const followed = await Promise.all(documents.map((document) => followDocument(context, document, isFollowed)));
  const states = await probeFirst(context, followed);
  return followed.map((one) => toDocument(one, states));
}

const NOT_FOLLOWED: TargetState = {
  name: term('a further card'),
  state: 'unknown',
  detail: safeText`was not read, since there are more cards than this scanner reads`,
};

async function followDocument(
  context: CollectContext,
  document: NamedReading<McpManifest>,
  isFollowed: (entry: McpEntry) => boolean,
): Promise<FollowedDocument> {
  const { entries = [], endpoints = [], notes = [] } = contentOf(document) ?? {};
  const chosen = entries.filter(isFollowed);
  const cards = await Promise.all(chosen.map((entry) => followEntry(context, entry)));
  return {
    document,
    faults: [...cards.flatMap(({ fault }) => fault ?? []), ...(entries.length > chosen.length ? [NOT_FOLLOWED] : [])],
    endpoints: [...cards.flatMap((card) => card.endpoints), ...endpoints],
    notes: [...notes, ...cards.flatMap((card) => card.notes)],
  };
}

/** Probes the first endpoint of each document, then further ones: each URL once, at most 3 in total. */
async function probeFirst(
  context: CollectContext,
  followed: readonly FollowedDocument[],
): Promise<Map<string, TargetState>> {
  const ordered = [
    ...followed.flatMap(({ endpoints }) => endpoints.slice(0, 1)),
    ...followed.flatMap((one) => one.endpoints),
  ];
  const distinct = distinctBy(ordered, ({ url }) => url.href).slice(0, TARGETS_MAX);
  const probes = distinct.map(async (endpoint) => [endpoint.url.href, await probePublic(context, endpoint)] as const);
  return new Map(await Promise.all(probes));
}

/** Probes an endpoint. A private address in a public file is a mistake of the site. */
async function probePublic(context: CollectContext, endpoint: Endpoint): Promise<TargetState> {
  return context.isPrivateLink(endpoint.url)
    ? { name: endpoint.name, state: 'invalid', detail: PRIVATE_DETAIL }
    : probeEndpoint(context, endpoint, MCP_PROBE);
}

function toDocument(
  { document, faults, endpoints, notes }: FollowedDocument,
  states: ReadonlyMap<string, TargetState>,
): ManifestDocument {
  const asked = endpoints.flatMap(({ name, url }) => {
    const state = states.get(url.href);
    return state ? [{ ...state, name }] : [];
  });
  const [unasked] = asked.length === 0 ? endpoints : [];
  const detail = safeText`was not asked, since there are more endpoints than this scanner asks`;
  const open: TargetState[] = unasked ? [{ name: unasked.name, state: 'unknown', detail }] : [];
  return withTargets(document, [...asked, ...open, ...faults], notes);
}

interface FollowedEntry {
  readonly fault: TargetState | null;
  readonly endpoints: readonly Endpoint[];
  readonly notes: readonly SafeText[];
}

/** Returns the endpoints of an entry's card, or the card's fault. */
async function followEntry(context: CollectContext, { name, card, cardUrl }: McpEntry): Promise<FollowedEntry> {
  const theCard = cardUrl ? pointToAnswer(safeText`the card of ${name}`, cardUrl) : safeText`the card of ${name}`;
  const read = cardUrl ? await readCard(context, theCard, cardUrl) : card;
  const problem = read && 'problems' in read ? read.problems[0] : undefined;
  if (problem) return { fault: { name: theCard, state: 'invalid', detail: problem }, endpoints: [], notes: [] };
  if (read && 'state' in read) return { fault: read, endpoints: [], notes: [] };
  const endpoints = (read?.endpoints ?? []).map((endpoint) => ({
    ...endpoint,
    name: safeText`${endpoint.name} of ${theCard}`,
  }));
  return { fault: null, endpoints, notes: (read?.notes ?? []).map((note) => safeText`Of ${theCard}: ${note}`) };
}

/** Reads a card, or returns why it cannot be read. */
async function readCard(context: CollectContext, name: SafeText, url: URL): Promise<McpCard | TargetState | null> {
  if (context.isPrivateLink(url)) return { name, state: 'invalid', detail: PRIVATE_DETAIL };
  const parse: ManifestParser<McpCard> = (text, response) => readMcpCard(text, response.url);
  const { reading } = await readNamed(context, name, url, parse, CARD_ACCEPT);
  switch (reading.kind) {
    case 'absent':
      return { name, state: 'unreachable', detail: safeText`is not there` };
    case 'unreachable':
      return { name, state: 'unreachable', detail: reading.detail };
    case 'read':
      return reading.problems[0] ? { name, state: 'invalid', detail: reading.problems[0] } : reading.value;
    default:
      return { name, state: 'unknown', detail: safeText`could not be checked: ${reading.detail}` };
  }
}

/** Returns the MCP endpoints that the home page links to. */
async function findEndpoints(context: CollectContext): Promise<URL[]> {
  const home = valueOf(await context.evidence('home'));
  if (!home) return [];
  return findAdvertised(home, (rel) => rel === 'mcp' || rel.startsWith('mcp-')).slice(0, TARGETS_MAX);
}

function requestOf(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}
