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
import type { CollectContext, Collector } from '../probe/context.js';
import { findAdvertised, matchDocument, ownOrigins, readCatalogued, isLinked, isOneOf, readByAgents } from './named.js';
import { livenessOfFailure, metadataOf } from './endpoint-probe.js';
import {
  type ManifestParser,
  type NamedReading,
  type WellKnownOptions,
  contentOf,
  TARGETS_MAX,
  readLinkedDocument,
  readWellKnown,
  withTargets,
} from './manifest-document.js';
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

type NamedCatalog = NamedReading<ApiCatalog>;

const readCatalog: ManifestParser<ApiCatalog> = (text, { url }) => readApiCatalog(text, url);

/** Reads the well-known documents and those that headers, `<link>` elements and challenges link to, then follows the links of catalogs. */
export const collectApiMetadata: Collector<'apiMetadata'> = async (context) => {
  const wellKnown = readWellKnown(context, CATALOG, readCatalog);
  const challenges = () => listChallengeMetadata(context);
  const links = async () => [...(await readCatalogued(context)), ...linksOf(await wellKnown), ...(await challenges())];
  const [atWellKnown, named, metadata, openApi] = await Promise.all([
    wellKnown,
    readNamedCatalogs(context),
    readMetadata(context, { links, challenges }),
    findOpenApi(context),
  ]);
  const catalogs = [atWellKnown, ...named];
  const [documents, described] = await Promise.all([
    Promise.all(catalogs.map((catalog) => followCatalog(context, catalog))),
    openApi && describeOpenApi(context, openApi, catalogs),
  ]);
  return found<ApiMetadata>({ documents: [...documents, ...metadata], openApi: described });
};

/** Reads the API catalogs that the home page names by `rel="api-catalog"` (RFC 9727 §3), other than the well-known one. */
async function readNamedCatalogs(context: CollectContext): Promise<NamedCatalog[]> {
  const home = valueOf(await context.evidence('home'));
  const isWellKnown = await matchDocument(context, new URL(CATALOG.text, await context.fileOrigin()));
  const urls = home ? findAdvertised(home, (rel) => rel === 'api-catalog') : [];
  const elsewhere = urls.filter((url) => !isWellKnown(url)).slice(0, TARGETS_MAX);
  return Promise.all(elsewhere.map((url) => readLinkedDocument(context, NAMED_CATALOG, url, readCatalog)));
}

function linksOf({ reading }: NamedCatalog): { readonly url: URL }[] {
  const hrefs = reading.kind === 'read' ? (reading.value?.hrefs ?? []) : [];
  return Array.from(hrefs, (href) => ({ url: new URL(href) }));
}

/** Reads the well-known OAuth metadata, and the metadata of protected resources that challenges name elsewhere. */
async function readMetadata(context: CollectContext, options: WellKnownOptions): Promise<ManifestDocument[]> {
  const origins = (await ownOrigins(context)).map(({ origin }) => origin);
  const parserOf =
    (parse: typeof readProtectedResource, own: readonly string[] = []): ManifestParser<null> =>
    (text, { url, hops }) =>
      parse(text, { url, hops, origins: [...origins, ...own] });
  const wellKnown = [
    readWellKnown(context, PROTECTED_RESOURCE, parserOf(readProtectedResource), options),
    ...AUTHORIZATION_SERVERS.map((path) => readWellKnown(context, path, parserOf(readAuthorizationServer), options)),
  ];
  const isWellKnown = await matchDocument(context, new URL(PROTECTED_RESOURCE.text, await context.fileOrigin()));
  const named = (await listChallengeMetadata(context)).filter(({ url }) => !isWellKnown(url));
  const elsewhere = [...Map.groupBy(named, ({ url }) => url.href)].slice(0, TARGETS_MAX).map(([href, challenges]) => {
    const own = challenges.map(({ resource }) => resource.origin);
    return readLinkedDocument(context, NAMED_METADATA, new URL(href), parserOf(readProtectedResource, own));
  });
  return (await Promise.all([...wellKnown, ...elsewhere])).map((document) => withTargets(document));
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
  return [
    ...('response' in baseline ? metadataOf({ fetched: baseline }) : []),
    ...(mcp?.metadata ?? []),
    ...targets.flatMap(({ metadata = [] }) => metadata),
  ];
}

async function followCatalog(context: CollectContext, catalog: NamedCatalog): Promise<ManifestDocument> {
  const targets = (contentOf(catalog)?.targets ?? []).slice(0, TARGETS_MAX);
  return withTargets(catalog, await Promise.all(targets.map((target) => probeTarget(context, target))));
}

/** Checks if a description or documentation returns 2xx. One that refuses us may accept clients with a token. */
async function probeTarget(context: CollectContext, { name, url }: CatalogTarget): Promise<TargetState> {
  const { state, detail } = describeTarget(await context.visit.fetch(url));
  return { name, state, detail: pointToAnswer(detail, url) };
}

function describeTarget(fetched: Fetched): Omit<TargetState, 'name'> {
  if ('failure' in fetched) return livenessOfFailure(fetched);
  const { status } = fetched.response;
  if (status >= 200 && status < 300 && fetched.response.challenge === null) {
    return { state: 'alive', detail: safeText`is there` };
  }
  const isGone = status === 404 || status === 410 || (status >= 500 && status < 600);
  const isOpen = !isGone || fetched.response.challenge !== null;
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
  catalogs: readonly NamedCatalog[],
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
  catalogs: readonly NamedCatalog[],
): Promise<boolean> {
  if (catalogs.some((catalog) => mayName(catalog, urls))) return true;
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

function mayName(catalog: NamedCatalog, urls: readonly URL[]): boolean {
  if (catalog.reading.kind === 'absent') return false;
  const content = contentOf(catalog);
  if (content === null || content.hasItems || content.isCut) return true;
  return [...content.hrefs].some((href) => isOneOf(new URL(href), urls));
}
