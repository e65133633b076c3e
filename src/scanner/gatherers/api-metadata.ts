import { found, valueOf } from '../artifacts/evidence.js';
import type { ApiMetadata, ManifestDocument, TargetState } from '../artifacts/manifests.js';
import type { SafeText } from '../artifacts/safe-text.js';
import { pointToAnswer, term, safeText } from '../artifacts/safe-text.js';
import type { ApiCatalog, CatalogTarget } from '../parsers/manifests/api-catalog.js';
import { readApiCatalog } from '../parsers/manifests/api-catalog.js';
import { readAuthorizationServer, readProtectedResource } from '../parsers/manifests/oauth.js';
import { detectChallenge } from '../client/challenge.js';
import type { CollectContext, Collector } from '../probe/collector.js';
import { lifeOfFailure } from './endpoint-probe.js';
import type { ManifestDocumentReading, WellKnownOptions } from './manifest-document.js';
import { TARGETS_MAX, isNamedOrCatalogued, locate, readWellKnown } from './manifest-document.js';
import { isLinked } from './named.js';
import { findOpenApi, standingOf } from './open-api.js';
import type { Fetched } from '../client/visit.js';

const CATALOG = term('/.well-known/api-catalog');
const PROTECTED_RESOURCE = term('/.well-known/oauth-protected-resource');
const AUTHORIZATION_SERVERS = [
  term('/.well-known/oauth-authorization-server'),
  term('/.well-known/openid-configuration'),
];

type Reading = ManifestDocumentReading<ApiCatalog | null>;

/** Reads all documents at once, then follows the catalog's links to descriptions and documentation. */
export const collectApiMetadata: Collector<'apiMetadata'> = async (context) => {
  const reading = readWellKnown(context, CATALOG, (text, { url }) => readApiCatalog(text, url));
  const isAnnounced = async (url: URL): Promise<boolean> =>
    (await isNamedOrCatalogued(context, url)) ||
    (await isInCatalog(await reading, url)) ||
    isLinked(await listChallenged(context), [url]);
  const [catalog, others, openApi] = await Promise.all([
    reading,
    Promise.all(readOthers(context, { isAnnounced })),
    findOpenApi(context),
  ]);
  const [document, standing] = await Promise.all([
    followCatalog(context, catalog),
    openApi && standingOf(context, openApi, catalog),
  ]);
  return found<ApiMetadata>({ documents: [document, ...others], openApi: standing });
};

async function isInCatalog(catalog: Reading, url: URL): Promise<boolean> {
  const hrefs = catalog.kind === 'read' ? (catalog.value?.hrefs ?? []) : [];
  return isLinked(
    Array.from(hrefs, (href) => ({ url: new URL(href) })),
    [url],
  );
}

/** What the challenges of the site's endpoints name. */
async function listChallenged(context: CollectContext): Promise<{ readonly url: URL }[]> {
  const [mcp, a2a] = [valueOf(await context.evidence('mcp')), valueOf(await context.evidence('a2a'))];
  const documents = [...(mcp?.documents ?? []), ...(a2a?.documents ?? [])];
  const targets = documents.flatMap(({ state }) => (state.kind === 'read' ? state.targets : []));
  return [...(mcp?.metadata ?? []), ...targets.flatMap(({ metadata = [] }) => metadata)].map((url) => ({ url }));
}

function readOthers(context: CollectContext, options: WellKnownOptions): Promise<ManifestDocument>[] {
  return [
    readOther(context, PROTECTED_RESOURCE, readProtectedResource, options),
    ...AUTHORIZATION_SERVERS.map((path) => readOther(context, path, readAuthorizationServer, options)),
  ];
}

async function readOther(
  context: CollectContext,
  path: SafeText,
  parse: typeof readProtectedResource,
  options: WellKnownOptions,
): Promise<ManifestDocument> {
  const reading: Reading = await readWellKnown(context, path, parse, options);
  return {
    path: await locate(context, path),
    state: reading.kind === 'read' ? { ...withoutValue(reading), targets: [] } : reading,
  };
}

function withoutValue({ kind, problems, notes }: Extract<Reading, { kind: 'read' }>) {
  return { kind, problems, notes };
}

async function followCatalog(context: CollectContext, reading: Reading): Promise<ManifestDocument> {
  const path = await locate(context, CATALOG);
  if (reading.kind !== 'read') return { path, state: reading };
  const sound = reading.problems.length === 0 ? reading.value : null;
  const targets = (sound?.targets ?? []).slice(0, TARGETS_MAX);
  const states = await Promise.all(targets.map((target) => openTarget(context, target)));
  return { path, state: { ...withoutValue(reading), targets: states } };
}

/** Whether a description or documentation answers 2xx. One that is refused to us may be open to those who have a token. */
async function openTarget(context: CollectContext, { name, url }: CatalogTarget): Promise<TargetState> {
  const { state, detail } = describeTarget(await context.visit.fetch(url));
  return { name, state, detail: pointToAnswer(detail, url) };
}

function describeTarget(fetched: Fetched): Omit<TargetState, 'name'> {
  if ('failure' in fetched) return lifeOfFailure(fetched.failure);
  const { status } = fetched.response;
  if (status >= 200 && status < 300 && detectChallenge(fetched.response) === null) {
    return { state: 'alive', detail: safeText`is there` };
  }
  const isGone = status === 404 || status === 410 || (status >= 500 && status < 600);
  const isOpen = !isGone || detectChallenge(fetched.response) !== null;
  return { state: isOpen ? 'unknown' : 'unreachable', detail: safeText`answers with status ${status}` };
}
