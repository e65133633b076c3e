import { distinctBy } from '../../net/keyed.js';
import { found, valueOf } from '../artifacts/evidence.js';
import {
  type CatalogDocument,
  type ManifestDocument,
  type McpDiscovery,
  type TargetState,
} from '../artifacts/manifests.js';
import { addResponsePlace, type SafeText, safeText, term } from '../artifacts/safe-text.js';
import { type McpCard, type McpEntry, readMcpCard, readMcpEntries } from '../parsers/manifests/mcp.js';
import type { CollectContext, Collector } from '../probe/context.js';
import {
  contentOf,
  findAdvertised,
  type ManifestParser,
  readNamed,
  readWellKnown,
  TARGETS_MAX,
  addTargets,
} from './documents.js';
import { probeJsonRpc, type Endpoint, probeEndpoint, type Protocol } from './endpoints.js';

/** The Accept header that SEP-2127 requires for a card: a strict server answers anything else with 406. */
const CARD_ACCEPT = 'application/mcp-server-card+json, application/json';

/** The content of a card, or the entries of a catalog. */
type McpDocument = Partial<McpCard> & { readonly entries?: readonly McpEntry[] };

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
  const [catalogs, cards] = await Promise.all([
    context.evidence('catalogs'),
    Promise.all(WELL_KNOWN.map((document) => readWellKnown(context, { ...document, accept: CARD_ACCEPT }))),
  ]);
  const documents = await followAll(context, [...readCatalogs(valueOf(catalogs)?.documents ?? []), ...cards]);
  const noEndpoint: McpDiscovery = { documents, endpoint: null, metadata: [] };
  if (documents.some(isConclusive)) return found(noEndpoint);
  const advertised = (await findAdvertised(context, (rel) => rel === 'mcp' || rel.startsWith('mcp-'))).slice(
    0,
    TARGETS_MAX,
  );
  const card = advertised[0] && (await readEndpointCard(context, advertised[0]));
  // Nothing announces this card, so only a valid one counts.
  if (card && contentOf(card)) {
    return found<McpDiscovery>({ ...noEndpoint, documents: [...documents, ...(await followAll(context, [card]))] });
  }
  if (!documents.every(({ state: { kind } }) => ['absent', 'missing', 'unrelated', 'unannounced'].includes(kind)))
    return found(noEndpoint);
  const answers = await Promise.all(advertised.map((url) => probeJsonRpc(context, url, MCP)));
  const endpoint = advertised.find((_, index) => answers[index]?.isJsonRpc === true) ?? null;
  return found<McpDiscovery>({ documents, endpoint, metadata: answers.flatMap(({ metadata }) => metadata) });
};

/** True for a valid document that has a live endpoint or lists none. No further URLs are then tried. */
function isConclusive({ state }: ManifestDocument): boolean {
  if (state.kind !== 'read' || state.problems.length > 0) return false;
  return state.targets.length === 0 || state.targets.some((target) => target.state === 'alive');
}

/** Returns the MCP entries of the catalogs. Ignores an announced catalog that fails if another one can be read. */
function readCatalogs(catalogs: readonly CatalogDocument[]): ManifestDocument<McpDocument>[] {
  const isValid = ({ state }: CatalogDocument): boolean => state.kind === 'read' && state.problems.length === 0;
  const isFailing = ({ state: { kind } }: CatalogDocument): boolean =>
    kind === 'missing' || kind === 'unreachable' || kind === 'read';
  const hasValid = catalogs.some(isValid);
  return catalogs
    .filter((catalog) => isValid(catalog) || !(hasValid && catalog.isAnnounced && isFailing(catalog)))
    .map(({ path, state }) => {
      if (state.kind !== 'read') return { path, state };
      const reading = readMcpEntries(state.value ?? [], state.problems);
      return { path, state: reading.kind === 'read' ? { ...state, ...reading } : reading };
    });
}

function readEndpointCard(context: CollectContext, endpoint: URL): Promise<ManifestDocument<McpCard>> {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${CARD_SEGMENT}`;
  url.search = '';
  return readNamed(context, ENDPOINT_CARD, url, readCurrent, CARD_ACCEPT);
}

/** An entry's endpoints, the faults of its card, and advice in full sentences. */
interface EntryContents {
  readonly faults: readonly TargetState[];
  readonly endpoints: readonly Endpoint[];
  readonly notes: readonly SafeText[];
}

const CARD_NOT_READ: TargetState = {
  name: term('a further card'),
  state: 'unknown',
  detail: safeText`was not read, because there are more cards than this scanner reads`,
};
const NOT_TESTED = safeText`was not tested, because there are more endpoints than this scanner tests`;

/** Reads the cards that the documents list, and probes their endpoints. */
async function followAll(
  context: CollectContext,
  documents: readonly ManifestDocument<McpDocument>[],
): Promise<ManifestDocument[]> {
  // A catalog may be served at two URLs: each card counts once.
  const cards = new Set<string | McpEntry>();
  const admitCard = (entry: McpEntry): boolean => {
    const key = entry.cardUrl?.href ?? entry;
    if (!cards.has(key) && cards.size >= TARGETS_MAX) return false;
    cards.add(key);
    return true;
  };
  const followed = await Promise.all(
    documents.map(async (document) => {
      const content = contentOf(document);
      const entries = content?.entries ?? [];
      const chosen = entries.filter(admitCard);
      const parts = await Promise.all(chosen.map((entry) => readEntry(context, entry)));
      const isCut = entries.length > chosen.length;
      return {
        document,
        faults: [...parts.flatMap(({ faults }) => faults), ...(isCut ? [CARD_NOT_READ] : [])],
        endpoints: [...parts.flatMap(({ endpoints }) => endpoints), ...(content?.endpoints ?? [])],
        notes: [...(content?.notes ?? []), ...parts.flatMap(({ notes }) => notes)],
      };
    }),
  );
  // The first endpoint of each document comes before further ones. Each URL is probed once.
  const firsts = followed.flatMap(({ endpoints }) => endpoints.slice(0, 1));
  const all = [...firsts, ...followed.flatMap(({ endpoints }) => endpoints)];
  const probed = distinctBy(all, ({ url }) => url.href).slice(0, TARGETS_MAX);
  const states = await Promise.all(probed.map((endpoint) => probeEndpoint(context, endpoint, MCP)));
  return followed.map(({ document, faults, endpoints, notes }) => {
    const targets = endpoints.flatMap(({ name, url }): TargetState[] => {
      const state = states[probed.findIndex((endpoint) => endpoint.url.href === url.href)];
      return state ? [{ ...state, name }] : [];
    });
    const [first] = endpoints;
    if (first && targets.length === 0) targets.push({ name: first.name, state: 'unknown', detail: NOT_TESTED });
    return addTargets(document, [...targets, ...faults], notes);
  });
}

/** Returns the endpoints of an entry's card, or the card's fault. */
async function readEntry(context: CollectContext, { name, card, cardUrl }: McpEntry): Promise<EntryContents> {
  const cardName = cardUrl ? addResponsePlace(safeText`the card of ${name}`, cardUrl) : safeText`the card of ${name}`;
  const fault = (state: TargetState['state'], detail: SafeText): EntryContents => ({
    faults: [{ name: cardName, state, detail }],
    endpoints: [],
    notes: [],
  });
  let content = card;
  if (cardUrl) {
    const { state } = await readNamed(context, cardName, cardUrl, readCurrent, CARD_ACCEPT);
    if (state.kind === 'absent') return fault('unreachable', safeText`does not exist`);
    if (state.kind === 'unreachable') return fault('unreachable', state.detail);
    if (state.kind === 'unrelated') return fault('invalid', state.detail);
    if (state.kind !== 'read') return fault('unknown', safeText`could not be checked: ${state.detail}`);
    if (state.problems[0]) return fault('invalid', state.problems[0]);
    content = state.value;
  }
  const { endpoints = [], notes = [], problems = [] } = content ?? {};
  if (problems[0]) return fault('invalid', problems[0]);
  return {
    faults: [],
    endpoints: endpoints.map(({ name: endpoint, url }) => ({ url, name: safeText`${endpoint} of ${cardName}` })),
    notes: notes.map((note) => safeText`About ${cardName}: ${note}`),
  };
}
