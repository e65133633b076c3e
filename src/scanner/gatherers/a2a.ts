import { distinctBy } from '../../net/keyed.js';
import { found, valueOf } from '../artifacts/evidence.js';
import type { A2aDiscovery, CatalogEntry, ManifestDocument, TargetState } from '../artifacts/manifests.js';
import { addPlaces, type SafeText, safeText, term } from '../artifacts/safe-text.js';
import { isSameSite } from '../../net/url-gate.js';
import { type AgentCard, type AgentInterface, readAgentCard, readAgentCardNode } from '../parsers/manifests/a2a.js';
import { inlineResource } from '../parsers/manifests/catalog.js';
import type { CollectContext, Collector } from '../probe/context.js';
import {
  brokenState,
  contentOf,
  findAdvertised,
  type ManifestParser,
  PRIVATE_DETAIL,
  readNamed,
  readWellKnown,
  TARGETS_MAX,
  addTargets,
} from './documents.js';
import {
  ALIVE_STATUSES,
  fetchStart,
  isSilent,
  metadataOf,
  addUrl,
  probeEndpoint,
  type Protocol,
  classifyGet,
} from './endpoints.js';

const readCurrent: ManifestParser<AgentCard> = (text, { url }) => readAgentCard(text, url, false);
const readOlder: ManifestParser<AgentCard> = (text, { url }) => readAgentCard(text, url, true);

const CURRENT = { path: term('/.well-known/agent-card.json'), parse: readCurrent };
/** The path of the card in A2A 0.2; 0.3 moved it. */
const OLDER = { path: term('/.well-known/agent.json'), parse: readOlder };
const ADVERTISED_CARD = term('The agent card that the home page refers to');
const OLDER_PATH_NOTE = term('Newer clients look for it at /.well-known/agent-card.json.');
const GRPC_NOTE = term('It offers only gRPC, which this scanner does not test.');

/** An empty object is not a valid message, so no agent starts a task. */
const A2A: Protocol = { accept: 'application/json, text/event-stream', requests: [{ body: '{}' }] };

const TYPES = new Set(['application/a2a-agent-card+json', 'application/agent-card+json']);
const ADVERTISED_AS = new Set(['a2a', 'agent-card', 'a2a-agent-card', 'a2a-agent', ...TYPES]);

type Card = ManifestDocument<AgentCard>;

/** Finds the agent cards, then probes the first interface of each. */
export const collectA2a: Collector<'a2a'> = async (context) => {
  const { cards, announcedBy, notes = [] } = await findCards(context);
  const documents = cards.map(async (card) => {
    const { interfaces = [], isGrpcOnly = false, notes: cardNotes = [] } = contentOf(card) ?? {};
    const targets = interfaces.slice(0, 1).map((first) => probeInterface(context, first));
    return addTargets(card, await Promise.all(targets), [...notes, ...(isGrpcOnly ? [GRPC_NOTE] : []), ...cardNotes]);
  });
  return found<A2aDiscovery>({ documents: await Promise.all(documents), announcedBy });
};

interface FoundCards extends Pick<A2aDiscovery, 'announcedBy'> {
  readonly cards: readonly Card[];
  readonly notes?: readonly SafeText[];
}

/** Returns the well-known card, else the one that the home page links to, since it may be anywhere (A2A 1.0 §8.2), else those of catalogs. */
async function findCards(context: CollectContext): Promise<FoundCards> {
  const [current, older] = await Promise.all([readWellKnown(context, CURRENT), readWellKnown(context, OLDER)]);
  if (!['absent', 'missing', 'unannounced'].includes(current.state.kind))
    return { cards: [current], announcedBy: null };
  if (older.state.kind === 'read') return { cards: [older], announcedBy: null, notes: [OLDER_PATH_NOTE] };
  const [url] = await findAdvertised(context, (relationOrType) => ADVERTISED_AS.has(relationOrType));
  if (url) return { cards: [await readNamed(context, ADVERTISED_CARD, url, readCurrent)], announcedBy: 'home' };
  const cards = await readCataloguedCards(context);
  return cards.length > 0 ? { cards, announcedBy: 'catalog' } : { cards: [current, older], announcedBy: null };
}

/** Reads the first agent cards of this site that catalogs link to or contain. */
async function readCataloguedCards(context: CollectContext): Promise<Card[]> {
  const catalogs = valueOf(await context.evidence('catalogs'))?.documents ?? [];
  const origin = await context.fileOrigin();
  const isOwn = ({ url, data }: CatalogEntry): boolean =>
    url === null ? data !== null : isSameSite(url, origin) || context.isPrivateLink(url);
  const entries = catalogs.flatMap(({ path, state }) =>
    (contentOf({ path, state }) ?? [])
      .filter((entry) => TYPES.has(entry.mediaType) && isOwn(entry))
      .map((entry) => ({ ...entry, name: safeText`The agent card of ${entry.name} of ${path}` })),
  );
  const distinct = distinctBy(entries, ({ url, pointer, file }) => url?.href ?? `${file.href} ${pointer}`);
  const read = async (entry: CatalogEntry): Promise<Card> =>
    entry.url ? readNamed(context, entry.name, entry.url, readCurrent) : readInlineCard(entry);
  return Promise.all(distinct.slice(0, TARGETS_MAX).map(read));
}

function readInlineCard(entry: CatalogEntry): Card {
  const card = inlineResource(entry);
  const reading = card && readAgentCardNode(card);
  const state = reading ? { ...reading, notes: [], targets: [] } : brokenState(safeText`is not an object`);
  return { path: entry.name, state };
}

/** Sends no POST to an HTTP+JSON agent, since even an empty object may start a task there. */
function probeInterface(context: CollectContext, agent: AgentInterface): Promise<TargetState> {
  return agent.binding === 'jsonRpc' ? probeEndpoint(context, agent, A2A) : probeRest(context, agent);
}

const ACCEPT = 'application/json';
/** An agent without an extended card or task list may return 501 (not implemented), a status that proxies do not produce. */
const ALIVE_TO_GET: ReadonlySet<number> = new Set([...ALIVE_STATUSES, 501]);

/**
 * Checks by GET alone if an agent with the HTTP+JSON binding is alive. Its base URL need not exist, and the paths of operations depend on
 * what it supports, so 404 everywhere proves nothing. It is dead if every response is a server error or no connection is possible.
 */
async function probeRest(context: CollectContext, agent: AgentInterface): Promise<TargetState> {
  const { name } = agent;
  if (context.isPrivateLink(agent.url)) return { name, state: 'invalid', detail: PRIVATE_DETAIL };
  const urls = restUrlsOf(agent);
  const statuses: number[] = [];
  for (const url of urls) {
    // A server error may be temporary, so the first URL is retried.
    const attempts = statuses.length === 0 ? 'standard' : 'once';
    const fetched = await fetchStart(context, url, { headers: { accept: ACCEPT }, attempts });
    const result = addUrl(await classifyGet(context, url, fetched, ACCEPT, ALIVE_TO_GET), url);
    if (result.state === 'alive') return { name, ...result, metadata: metadataOf(fetched) };
    if (isSilent(fetched)) return { name, ...result, state: 'unknown' };
    if ('failure' in fetched || result.state === 'unknown') return { name, ...result };
    statuses.push(fetched.response.status);
  }
  const places = urls.map((file) => ({ file, at: null }));
  if (statuses.some((status) => status < 500)) {
    return {
      name,
      state: 'unknown',
      detail: addPlaces(safeText`could not be tested at the addresses that accept GET`, ...places),
    };
  }
  const failing = safeText`returns the server error ${statuses.at(-1) ?? 0} every time`;
  return { name, state: 'unreachable', detail: addPlaces(failing, ...places) };
}

/**
 * Lists URLs that may answer GET. A2A 1.0 (a2a.proto, HTTP rules): `{url}[/{tenant}]/extendedAgentCard` and `/tasks`; A2A 0.3 §3.5.3:
 * under `/v1`. Every agent accepts POST at `/message:send`, where many answer GET with 405.
 */
function restUrlsOf({ url, binding, isOlderRest, tenant }: AgentInterface): readonly URL[] {
  if (binding !== 'rest') return [url];
  const base = url.pathname.replace(/\/$/, '');
  const current = tenant === null ? base : `${base}/${tenant}`;
  const older = base.endsWith('/v1') ? base : `${base}/v1`;
  const paths = isOlderRest
    ? [`${older}/card`, `${older}/tasks`, `${older}/message:send`]
    : [`${current}/extendedAgentCard`, `${current}/tasks`, `${current}/message:send`];
  return [...paths.map((pathname) => Object.assign(new URL(url), { pathname })), url];
}
