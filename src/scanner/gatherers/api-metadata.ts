import { found, valueOf } from '../artifacts/evidence.js';
import type {
  ApiMetadata,
  ManifestDocument,
  NamedMetadata,
  TargetState,
  FoundOpenApi,
} from '../artifacts/manifests.js';
import { type SafeText, pointToAnswer, term, safeText } from '../artifacts/safe-text.js';
import { type ApiCatalog, type CatalogTarget, readApiCatalog } from '../parsers/manifests/api-catalog.js';
import { readAuthorizationServer, readProtectedResource } from '../parsers/manifests/oauth.js';
import { detectChallenge } from '../client/challenge.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { findAdvertised, matchDocument, ownOrigins, readCatalogued, isLinked, isOneOf, readByAgents } from './named.js';
import { livenessOfFailure, metadataOf } from './endpoint-probe.js';
import {
  type ManifestDocumentReading,
  type WellKnownOptions,
  TARGETS_MAX,
  locate,
  readLinkedDocument,
  readWellKnown,
} from './manifest-document.js';
import { isSameSite } from '../artifacts/site-address.js';
import type { Fetched, SiteResponse } from '../client/visit.js';
import { type OpenApiDescription, readOpenApi } from '../parsers/manifests/openapi.js';
import { toFileFacts } from '../probe/page.js';

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

const OPENAPI_PATHS = [term('/openapi.json'), term('/openapi.yaml'), term('/swagger.json')];

/** An OpenAPI description at a usual path. */
export interface OpenApiFile extends OpenApiDescription {
  readonly path: SafeText;
  /** The requested, redirecting and final URLs. */
  readonly urls: readonly URL[];
}

/** Finds the first usual path with an OpenAPI description of the site's own API, or of one with a private server. */
export async function findOpenApi(context: CollectContext): Promise<OpenApiFile | null> {
  const validates = (response: SiteResponse): boolean => read(context, response) !== null;
  const replies = await Promise.all(
    OPENAPI_PATHS.map((path) => context.readFile(path.text, 'json', { validates, priority: 'guesses' })),
  );
  for (const [index, reply] of replies.entries()) {
    const path = OPENAPI_PATHS[index];
    if (!path || reply.kind !== 'present') continue;
    const response = reply.value;
    const description = read(context, response);
    if (description) {
      return { ...description, path: pointToAnswer(path, response.url), urls: [...response.hops, response.url] };
    }
  }
  return null;
}

function read(context: CollectContext, response: SiteResponse): OpenApiDescription | null {
  const { text, isHtml, isOverLimit } = toFileFacts(response);
  const description = isHtml || isOverLimit ? null : readOpenApi(text, response.url);
  return description && (description.isOwn || hasPrivateServer(context, description)) ? description : null;
}

function hasPrivateServer(context: CollectContext, { firstServer }: OpenApiDescription): boolean {
  return firstServer !== null && context.isPrivateLink(firstServer);
}

/** Determines whether anything that agents read on the site links to the description. */
export async function describeOpenApi(
  context: CollectContext,
  file: OpenApiFile,
  catalogs: readonly ManifestDocumentReading<ApiCatalog | null>[],
): Promise<FoundOpenApi> {
  const isNamed = await isNamedAnywhere(context, file.urls, catalogs);
  return { path: file.path, isNamed, hasPrivateServer: hasPrivateServer(context, file) };
}

/**
 * True if a catalog, a Link header, a `<link>`, a link of a sampled page or llms.txt leads to the description. Also true in doubt: for a
 * catalog that refers to its items, a broken catalog (a failure of its own), and a document that was not read to its end.
 */
async function isNamedAnywhere(
  context: CollectContext,
  urls: readonly URL[],
  catalogs: readonly ManifestDocumentReading<ApiCatalog | null>[],
): Promise<boolean> {
  if (catalogs.some((catalog) => catalog.kind !== 'absent' && (catalog.kind !== 'read' || mayName(catalog, urls))))
    return true;
  const [sample, llms] = await Promise.all([context.evidence('sample'), context.evidence('llms')]);
  if ('failed' in llms) return true;
  // An agent reads the whole text, so a bare address or inline code counts as well.
  const file = llms.ok.kind === 'present' && !llms.ok.value.isHtml ? llms.ok.value : null;
  const text = file?.text ?? '';
  if (urls.some(({ pathname }) => text.includes(pathname))) return true;
  const pages = valueOf(sample)?.pages ?? [];
  if (file?.isOverLimit === true || pages.some(({ facts }) => facts.areLinksCut)) return true;
  const [{ links }, catalogued] = await Promise.all([readByAgents(context), readCatalogued(context)]);
  return isLinked([...links, ...catalogued], (link) => isOneOf(link, urls));
}

function mayName(
  { problems, value }: Extract<ManifestDocumentReading<ApiCatalog | null>, { kind: 'read' }>,
  urls: readonly URL[],
): boolean {
  if (problems.length > 0 || value === null || value.hasItems) return true;
  return [...value.hrefs].some((href) => isOneOf(new URL(href), urls));
}
