import { found, valueOf } from '../../evidence/evidence.js';
import type { ManifestDocument, McpDiscovery, TargetState } from '../../evidence/manifests.js';
import type { SafeText } from '../../evidence/safe-text.js';
import { term, safeText } from '../../evidence/safe-text.js';
import type { McpEntry, McpManifest } from '../../parse/manifests/mcp.js';
import { readMcpCard, readMcpCatalog, readMcpManifest } from '../../parse/manifests/mcp.js';
import { findAdvertised } from './advertised.js';
import type { CollectContext, Collector } from './collector.js';
import type { Endpoint, OwnWay } from './endpoint-probe.js';
import { answersJsonRpc, probeEndpoint } from './endpoint-probe.js';
import type { ManifestDocumentReading, ManifestParser } from './manifest-document.js';
import { TARGETS_MAX, readNamed, readWellKnown } from './manifest-document.js';

/** The paths of MCP discovery documents, in order of precedence. */
const PATHS: readonly (readonly [path: SafeText, parse: ManifestParser<McpManifest>])[] = [
  [term('/.well-known/ai-catalog.json'), (text, { url }) => readMcpCatalog(text, url)],
  [term('/.well-known/mcp/server-card.json'), (text, { url }) => readMcpManifest(text, url, false)],
  [term('/.well-known/mcp.json'), (text, { url }) => readMcpManifest(text, url, true)],
  [term('/.well-known/mcp'), (text, { url }) => readMcpManifest(text, url, true)],
];

const CURRENT_VERSION = '2026-07-28';
const OLDER_VERSION = '2025-06-18';
const CLIENT = { name: 'agent-readiness-scan', version: '1.0' };

/**
 * `server/discover` of the stateless revision (SEP-2575), else the `initialize` of earlier ones. Neither calls a tool; both
 * accept JSON and an event stream, as the Streamable HTTP transport demands of a client.
 */
const OWN_WAY: OwnWay = {
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

/** A document, the faults of the cards that it names, and the endpoints that it leads to. */
interface Leads {
  readonly path: SafeText;
  readonly reading: ManifestDocumentReading<McpManifest>;
  readonly faults: readonly TargetState[];
  readonly endpoints: readonly Endpoint[];
}

/** Reads all discovery documents at once, then the cards that catalogs name, then probes the first endpoints. */
export const collectMcp: Collector<'mcp'> = async (context) => {
  const readings = await Promise.all(
    PATHS.map(async ([path, parse]) => ({ path, reading: await readWellKnown(context, path, parse) })),
  );
  let cardsLeft = TARGETS_MAX;
  const leads = await Promise.all(
    readings.map(({ path, reading }) => {
      const entries = entriesOf(reading).slice(0, cardsLeft);
      cardsLeft -= entries.length;
      return findLeads(context, path, reading, entries);
    }),
  );
  const states = await probeFirst(context, leads);
  const documents = leads.map((lead) => toDocument(lead, states));
  const isAbsent = documents.every(({ state }) => state.kind === 'absent' || state.kind === 'unrelated');
  return found<McpDiscovery>({ documents, isAdvertised: isAbsent && (await isAdvertised(context)) });
};

/** The content of a valid document; one with problems already fails. */
function soundValue(reading: ManifestDocumentReading<McpManifest>): McpManifest | null {
  return reading.kind === 'read' && reading.problems.length === 0 ? reading.value : null;
}

function entriesOf(reading: ManifestDocumentReading<McpManifest>): readonly McpEntry[] {
  return soundValue(reading)?.entries ?? [];
}

async function findLeads(
  context: CollectContext,
  path: SafeText,
  reading: ManifestDocumentReading<McpManifest>,
  entries: readonly McpEntry[],
): Promise<Leads> {
  const cards = await Promise.all(entries.map((entry) => followEntry(context, entry)));
  return {
    path,
    reading,
    faults: cards.flatMap(({ fault }) => fault ?? []),
    endpoints: [...cards.flatMap(({ endpoints }) => endpoints), ...(soundValue(reading)?.endpoints ?? [])],
  };
}

/** Probes the first endpoint of each document, then further ones, each address once and at most 3 in all. */
async function probeFirst(context: CollectContext, leads: readonly Leads[]): Promise<Map<string, TargetState>> {
  const ordered = [
    ...leads.flatMap(({ endpoints }) => endpoints.slice(0, 1)),
    ...leads.flatMap((lead) => lead.endpoints),
  ];
  const distinct = new Map<string, Endpoint>();
  for (const endpoint of ordered) if (!distinct.has(endpoint.url.href)) distinct.set(endpoint.url.href, endpoint);
  const probes = [...distinct].slice(0, TARGETS_MAX).map(async ([href, endpoint]) => {
    return [href, await probeEndpoint(context, endpoint, OWN_WAY)] as const;
  });
  return new Map(await Promise.all(probes));
}

function toDocument({ path, reading, faults, endpoints }: Leads, states: Map<string, TargetState>): ManifestDocument {
  if (reading.kind !== 'read') return { path, state: reading };
  const { kind, problems, notes } = reading;
  const asked = endpoints.flatMap(({ name, url }) => {
    const state = states.get(url.href);
    return state ? [{ ...state, name }] : [];
  });
  const [unasked] = asked.length === 0 ? endpoints : [];
  const open: TargetState[] = unasked
    ? [{ name: unasked.name, state: 'unknown', detail: safeText`is one endpoint too many to be asked` }]
    : [];
  return { path, state: { kind, problems, notes, targets: [...asked, ...open, ...faults] } };
}

interface FollowedEntry {
  readonly fault: TargetState | null;
  readonly endpoints: readonly Endpoint[];
}

/** The endpoints of an entry's card, or the faults of the card itself. */
async function followEntry(context: CollectContext, { name, card, cardUrl }: McpEntry): Promise<FollowedEntry> {
  const theCard = safeText`the card of ${name}`;
  const faulty = (state: TargetState['state'], detail: SafeText): FollowedEntry => ({
    fault: { name: theCard, state, detail },
    endpoints: [],
  });
  let read = card;
  if (cardUrl) {
    const reading = await readNamed(context, cardUrl, (text, { url }) => readMcpCard(text, url));
    if (reading.kind === 'absent') return faulty('unreachable', safeText`is not there`);
    if (reading.kind === 'unreachable') return faulty('unreachable', reading.detail);
    if (reading.kind !== 'read') return faulty('unknown', safeText`could not be checked: ${reading.detail}`);
    if (reading.problems[0]) return faulty('invalid', reading.problems[0]);
    read = reading.value;
  }
  if (read?.problems[0]) return faulty('invalid', read.problems[0]);
  const endpoints = (read?.endpoints ?? []).map((endpoint) => ({
    ...endpoint,
    name: safeText`${endpoint.name} of ${theCard}`,
  }));
  return { fault: null, endpoints };
}

/** Whether the home page names an MCP endpoint that answers JSON-RPC. */
async function isAdvertised(context: CollectContext): Promise<boolean> {
  const home = valueOf(await context.evidence('home'));
  if (!home) return false;
  const urls = findAdvertised(home, (rel) => rel === 'mcp' || rel.startsWith('mcp-')).slice(0, TARGETS_MAX);
  const answers = await Promise.all(urls.map((url) => answersJsonRpc(context, url, OWN_WAY)));
  return answers.includes(true);
}

function requestOf(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}
