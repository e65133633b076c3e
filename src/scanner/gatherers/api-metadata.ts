import { found, valueOf } from '../artifacts/evidence.js';
import type { ApiMetadata, ManifestDocument, NamedMetadata, TargetState } from '../artifacts/manifests.js';
import type { SafeText } from '../artifacts/safe-text.js';
import { pointToAnswer, term, safeText } from '../artifacts/safe-text.js';
import type { ApiCatalog, CatalogTarget } from '../parsers/manifests/api-catalog.js';
import { readApiCatalog } from '../parsers/manifests/api-catalog.js';
import { readAuthorizationServer, readProtectedResource } from '../parsers/manifests/oauth.js';
import { detectChallenge } from '../client/challenge.js';
import type { CollectContext, Collector } from '../probe/collector.js';
import { findAdvertised } from './advertised.js';
import { livenessOfFailure, metadataOf } from './endpoint-probe.js';
import type { ManifestDocumentReading, WellKnownOptions } from './manifest-document.js';
import { TARGETS_MAX, locate, readLinkedDocument, readWellKnown } from './manifest-document.js';
import { matchDocument, ownOrigins, readCatalogued } from './named.js';
import { isSameSite } from '../artifacts/site-address.js';
import { describeOpenApi, findOpenApi } from './open-api.js';
import type { Fetched, SiteResponse } from '../client/visit.js';

const CATALOG = term('/.well-known/api-catalog');
const NAMED_CATALOG = term('The API catalog that the home page names');
const NAMED_METADATA = term('The OAuth metadata named in WWW-Authenticate');
const PROTECTED_RESOURCE = term('/.well-known/oauth-protected-resource');
const AUTHORIZATION_SERVERS = [
  term('/.well-known/oauth-authorization-server'),
  term('/.well-known/openid-configuration'),
];

type Reading = ManifestDocumentReading<ApiCatalog | null>;

/** Reads the well-known documents and those that headers, `<link>` elements and challenges link to, then follows the links of catalogs. */
export const collectApiMetadata: Collector<'apiMetadata'> = async (context) => {
  const reading = readWellKnown(context, CATALOG, (text, { url }) => readApiCatalog(text, url));
  const challenges = () => listChallengeMetadata(context);
  const links = async () => [...(await readCatalogued(context)), ...linksOf(await reading), ...(await challenges())];
  const [atWellKnown, named, others, metadata, openApi] = await Promise.all([
    reading,
    readNamedCatalogs(context),
    Promise.all(readOthers(context, { links, challenges })),
    readNamedMetadata(context),
    findOpenApi(context),
  ]);
  const catalogs: NamedCatalog[] = [{ path: await locate(context, CATALOG), reading: atWellKnown }, ...named];
  const readings = catalogs.map((catalog) => catalog.reading);
  const [documents, described] = await Promise.all([
    Promise.all(catalogs.map((catalog) => followCatalog(context, catalog))),
    openApi && describeOpenApi(context, openApi, readings),
  ]);
  return found<ApiMetadata>({ documents: [...documents, ...others, ...metadata], openApi: described });
};

interface NamedCatalog {
  readonly path: SafeText;
  readonly reading: Reading;
}

/** Reads the API catalogs that the home page names by `rel="api-catalog"` (RFC 9727 §3), other than the well-known one. */
async function readNamedCatalogs(context: CollectContext): Promise<NamedCatalog[]> {
  const home = valueOf(await context.evidence('home'));
  const isWellKnown = await matchDocument(context, new URL(CATALOG.text, await context.fileOrigin()));
  const urls = home ? findAdvertised(home, (rel) => rel === 'api-catalog') : [];
  const elsewhere = urls.filter((url) => !isWellKnown(url)).slice(0, TARGETS_MAX);
  return Promise.all(
    elsewhere.map(async (url) => ({
      path: pointToAnswer(NAMED_CATALOG, url),
      reading: await readLinkedDocument(context, url, (text, response) => readApiCatalog(text, response.url)),
    })),
  );
}

/** Reads the metadata of protected resources that challenges name, other than the well-known document. */
async function readNamedMetadata(context: CollectContext): Promise<ManifestDocument[]> {
  const isWellKnown = await matchDocument(context, new URL(PROTECTED_RESOURCE.text, await context.fileOrigin()));
  const named = (await listChallengeMetadata(context)).filter(({ url }) => !isWellKnown(url));
  const byUrl = [...Map.groupBy(named, ({ url }) => url.href)].slice(0, TARGETS_MAX);
  const origins = (await ownOrigins(context)).map(({ origin }) => origin);
  return Promise.all(
    byUrl.map(async ([href, challenges]) => {
      const url = new URL(href);
      const own = [...origins, ...challenges.map(({ resource }) => resource.origin)];
      const reading = await readLinkedDocument(context, url, (text, response) =>
        readProtectedResource(text, { url: response.url, hops: response.hops, origins: own }),
      );
      return { path: pointToAnswer(NAMED_METADATA, url), state: stateOf(reading) };
    }),
  );
}

function linksOf(catalog: Reading): { readonly url: URL }[] {
  const hrefs = catalog.kind === 'read' ? (catalog.value?.hrefs ?? []) : [];
  return Array.from(hrefs, (href) => ({ url: new URL(href) }));
}

/** Lists the metadata documents that WWW-Authenticate challenges of the home page and of the site's endpoints name. */
async function listChallengeMetadata(context: CollectContext): Promise<NamedMetadata[]> {
  const [baseline, mcp, a2a] = await Promise.all([
    context.baseline(),
    context.evidence('mcp').then(valueOf),
    context.evidence('a2a').then(valueOf),
  ]);
  const documents = [...(mcp?.documents ?? []), ...(a2a?.documents ?? [])];
  const targets = documents.flatMap(({ state }) => (state.kind === 'read' ? state.targets : []));
  const isHere = 'response' in baseline && isSameSite(baseline.response.url, context.target.origin);
  return [
    ...(isHere ? metadataOf({ fetched: baseline }) : []),
    ...(mcp?.metadata ?? []),
    ...targets.flatMap(({ metadata = [] }) => metadata),
  ];
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
  const origins = (await ownOrigins(context)).map(({ origin }) => origin);
  const parseServed = (text: string, { url, hops }: SiteResponse) => parse(text, { url, hops, origins });
  const reading: Reading = await readWellKnown(context, path, parseServed, options);
  return { path: await locate(context, path), state: stateOf(reading) };
}

function stateOf(reading: Reading): ManifestDocument['state'] {
  return reading.kind === 'read' ? { ...withoutValue(reading), targets: [] } : reading;
}

function withoutValue({ kind, problems, notes }: Extract<Reading, { kind: 'read' }>) {
  return { kind, problems, notes };
}

async function followCatalog(context: CollectContext, { path, reading }: NamedCatalog): Promise<ManifestDocument> {
  if (reading.kind !== 'read') return { path, state: reading };
  const sound = reading.problems.length === 0 ? reading.value : null;
  const targets = (sound?.targets ?? []).slice(0, TARGETS_MAX);
  const states = await Promise.all(targets.map((target) => probeTarget(context, target)));
  return { path, state: { ...withoutValue(reading), targets: states } };
}

/** Checks if a description or documentation returns 2xx. One that refuses us may accept clients with a token. */
async function probeTarget(context: CollectContext, { name, url }: CatalogTarget): Promise<TargetState> {
  const { state, detail } = describeTarget(await context.visit.fetch(url));
  return { name, state, detail: pointToAnswer(detail, url) };
}

function describeTarget(fetched: Fetched): Omit<TargetState, 'name'> {
  if ('failure' in fetched) return livenessOfFailure(fetched);
  const { status } = fetched.response;
  if (status >= 200 && status < 300 && detectChallenge(fetched.response) === null) {
    return { state: 'alive', detail: safeText`is there` };
  }
  const isGone = status === 404 || status === 410 || (status >= 500 && status < 600);
  const isOpen = !isGone || detectChallenge(fetched.response) !== null;
  return { state: isOpen ? 'unknown' : 'unreachable', detail: safeText`answers with status ${status}` };
}
