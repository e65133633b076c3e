import { found, valueOf } from '../artifacts/evidence.js';
import type { A2aDiscovery, CatalogEntry, ManifestDocument, TargetState } from '../artifacts/manifests.js';
import { type SafeText, pointToAnswer, safeText, term, pointTo } from '../artifacts/safe-text.js';
import { isSameSite } from '../artifacts/site-address.js';
import { isObject, type JsonValue } from '../parsers/json.js';
import { type AgentCard, type AgentInterface, readAgentCard, readAgentCardPart } from '../parsers/manifests/a2a.js';
import { Part } from '../parsers/manifests/shape.js';
import { findAdvertised } from './named.js';
import type { CollectContext, Collector } from '../probe/context.js';
import {
  type ProtocolProbe,
  probeEndpoint,
  type Answer,
  ALIVE_STATUSES,
  ask,
  isLikeControl,
  livenessOf,
  metadataOf,
} from './endpoint-probe.js';
import {
  type ManifestParser,
  type NamedReading,
  broken,
  contentOf,
  PRIVATE_DETAIL,
  TARGETS_MAX,
  readNamed,
  readWellKnown,
  withTargets,
} from './manifest-document.js';
import { distinctBy } from '../../net/keyed.js';
import { STALLS } from '../probe/outcome.js';

const CARD = term('/.well-known/agent-card.json');
/** Where A2A 0.2 placed the card (0.3 moved it). */
const OLDER_CARD = term('/.well-known/agent.json');
const ADVERTISED_CARD = term('The agent card that the home page names');
const OLDER_PATH_NOTE = term('Newer readers look for it at /.well-known/agent-card.json.');

const GRPC_NOTE = term('It offers gRPC only, which this scanner does not ask.');

/** An empty object is not a valid message, so no agent starts a task. */
const A2A_PROBE: ProtocolProbe = { accept: 'application/json, text/event-stream', requests: [{ body: '{}' }] };

const RELATIONS = new Set(['a2a', 'agent-card', 'a2a-agent-card', 'a2a-agent']);
const TYPES = new Set(['application/a2a-agent-card+json', 'application/agent-card+json']);

const readCurrentCard: ManifestParser<AgentCard> = (text, { url }) => readAgentCard(text, url, false);

/** Reads the card at both well-known paths in parallel, then probes the first interface of the one that counts. */
export const collectA2a: Collector<'a2a'> = async (context) => {
  const [current, older] = await Promise.all([
    readWellKnown(context, CARD, readCurrentCard),
    readWellKnown(context, OLDER_CARD, (text, { url }) => readAgentCard(text, url, true)),
  ]);
  const followAll = async (
    cards: readonly NamedReading<AgentCard>[],
    announcedBy: A2aDiscovery['announcedBy'],
    notes: readonly SafeText[] = [],
  ) => {
    const documents = await Promise.all(cards.map((card) => follow(context, card, notes)));
    return found<A2aDiscovery>({ documents, announcedBy });
  };
  if (!['absent', 'missing', 'unannounced'].includes(current.reading.kind)) return followAll([current], null);
  if (older.reading.kind === 'read') return followAll([older], null, [OLDER_PATH_NOTE]);
  const advertised = await findAdvertisedCard(context);
  if (advertised) return followAll([advertised], 'home');
  const cards = await readCataloguedCards(context);
  return cards.length > 0 ? followAll(cards, 'catalog') : followAll([current, older], null);
};

/** Reads the card that the home page links to: it may be anywhere (A2A 1.0 §8.2). */
async function findAdvertisedCard(context: CollectContext): Promise<NamedReading<AgentCard> | null> {
  const home = valueOf(await context.evidence('home'));
  if (!home) return null;
  const isCard = (type: string): boolean => TYPES.has(type);
  const [url] = findAdvertised(home, (rel) => RELATIONS.has(rel), isCard);
  return url ? readNamed(context, ADVERTISED_CARD, url, readCurrentCard) : null;
}

/** Reads the first agent cards of this site that catalogs link to or contain. */
async function readCataloguedCards(context: CollectContext): Promise<NamedReading<AgentCard>[]> {
  const catalogs = valueOf(await context.evidence('catalogs'))?.documents ?? [];
  const entries = catalogs.flatMap(({ path, state }) =>
    state.kind === 'read' && state.problems.length === 0
      ? state.entries
          .filter(({ mediaType, url, data }) => TYPES.has(mediaType) && (url !== null || data !== null))
          .map((entry) => ({ ...entry, name: safeText`The agent card of ${entry.name} of ${path}` }))
      : [],
  );
  const origin = await context.fileOrigin();
  const own = distinctBy(entries, ({ url, pointer, file }) => url?.href ?? `${file.href} ${pointer}`).filter(
    ({ url }) => url === null || isSameSite(url, origin) || context.isPrivateLink(url),
  );
  return Promise.all(own.slice(0, TARGETS_MAX).map((entry) => readCatalogued(context, entry)));
}

async function readCatalogued(
  context: CollectContext,
  { name, url, file, pointer, data }: CatalogEntry,
): Promise<NamedReading<AgentCard>> {
  if (url && context.isPrivateLink(url)) return { path: pointToAnswer(name, url), reading: broken(PRIVATE_DETAIL) };
  if (url) return readNamed(context, name, url, readCurrentCard);
  // The catalog was parsed as JSON.
  const part = new Part(file, data as JsonValue, `${pointer}/data`);
  const card = isObject(part.value) ? readAgentCardPart(part) : null;
  return { path: name, reading: card?.kind === 'read' ? { ...card, notes: [] } : broken(safeText`is not an object`) };
}

async function follow(
  context: CollectContext,
  document: NamedReading<AgentCard>,
  notes: readonly SafeText[],
): Promise<ManifestDocument> {
  const card = contentOf(document);
  const first = card?.interfaces[0];
  const targets = first ? [await probeInterface(context, first)] : [];
  const grpcNotes = card?.isGrpcOnly === true ? [GRPC_NOTE] : [];
  const own = document.reading.kind === 'read' ? (document.reading.value?.notes ?? []) : [];
  return withTargets(document, targets, [...notes, ...grpcNotes, ...own]);
}

/** An agent that speaks HTTP+JSON gets no POST, since even an empty object may start a task there. */
async function probeInterface(context: CollectContext, first: AgentInterface): Promise<TargetState> {
  // A private address in a public file is a mistake of the site.
  if (context.isPrivateLink(first.url)) return { name: first.name, state: 'invalid', detail: PRIVATE_DETAIL };
  return first.binding === 'jsonRpc' ? probeEndpoint(context, first, A2A_PROBE) : probeRest(context, first);
}

const ACCEPT = 'application/json';
const NOT_IMPLEMENTED = 501;
/** An agent without an extended card or task list may return 501, a status that proxies do not produce. */
const ALIVE_TO_GET: ReadonlySet<number> = new Set([...ALIVE_STATUSES, NOT_IMPLEMENTED]);

/**
 * Checks by GET alone if an agent with the HTTP+JSON binding is alive. Its base URL need not exist, and the paths of operations depend on
 * what it supports, so 404 everywhere proves nothing. It is dead if every response is a server error or no connection is possible.
 */
export async function probeRest(context: CollectContext, agent: AgentInterface): Promise<TargetState> {
  const { name } = agent;
  let last: Answer | null = null;
  let isFailing = true;
  const addresses = addressesOf(agent);
  for (const url of addresses) {
    // A server error may be temporary, so the first URL is retried.
    last = await ask(context, url, { headers: { accept: ACCEPT }, attempts: last === null ? 'standard' : 'once' });
    const liveness = livenessOf(last, ALIVE_TO_GET);
    if (liveness === 'alive' && !(await isLikeControl(context, url, last, ACCEPT))) {
      return { name, state: 'alive', detail: safeText`answers`, metadata: metadataOf(last) };
    }
    if (typeof liveness === 'object') {
      return { name, state: isSilent(last) ? 'unknown' : liveness.state, detail: pointToAnswer(liveness.detail, url) };
    }
    isFailing &&= statusOf(last) >= 500;
  }
  const status = last === null ? 0 : statusOf(last);
  const [state, detail] = isFailing
    ? (['unreachable', safeText`answers with the server error ${status} on every try`] as const)
    : (['unknown', safeText`cannot be seen at the addresses that accept GET`] as const);
  return { name, state, detail: pointTo(detail, ...addresses.map((file) => ({ file, at: null }))) };
}

/**
 * Lists URLs that may answer GET. A2A 1.0 (a2a.proto, HTTP rules): `{url}[/{tenant}]/extendedAgentCard` and `/tasks`; A2A 0.3 §3.5.3:
 * under `/v1`. Every agent accepts POST at `/message:send`, where many answer GET with 405.
 */
function addressesOf({ url, binding, isOlderRest, tenant }: AgentInterface): readonly URL[] {
  if (binding !== 'rest') return [url];
  const base = url.pathname.replace(/\/$/, '');
  const older = base.endsWith('/v1') ? base : `${base}/v1`;
  const current = tenant === null ? base : `${base}/${tenant}`;
  const paths = isOlderRest
    ? [`${older}/card`, `${older}/tasks`, `${older}/message:send`]
    : [`${current}/extendedAgentCard`, `${current}/tasks`, `${current}/message:send`];
  return [...paths.map((path) => withPath(url, path)), url];
}

function withPath(url: URL, path: string): URL {
  const copy = new URL(url);
  copy.pathname = path;
  return copy;
}

/** True after a stall or reset: an endpoint may be slow for requests that no client sends. */
function isSilent({ fetched }: Answer): boolean {
  return 'failure' in fetched && (STALLS.has(fetched.failure) || fetched.failure === 'reset');
}

function statusOf({ fetched }: Answer): number {
  return 'response' in fetched ? fetched.response.status : 0;
}
