import { distinctBy } from '../../net/keyed.js';
import { found, valueOf } from '../artifacts/evidence.js';
import type { ApiMetadata, ManifestDocument, NamedMetadata, TargetState } from '../artifacts/manifests.js';
import { addResponsePlace, type SafeText, safeText, term } from '../artifacts/safe-text.js';
import { isSuccess } from '../client/requests.js';
import type { SiteResponse } from '../client/visit.js';
import { type ApiCatalog, readApiCatalog } from '../parsers/manifests/api-catalog.js';
import { readAuthorizationServer, readProtectedResource } from '../parsers/manifests/oauth.js';
import { readManifest } from '../parsers/manifests/document.js';
import { isObject } from '../parsers/json.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { toFileFacts } from '../probe/page.js';
import {
  contentOf,
  findAdvertised,
  listCatalogLinks,
  type ManifestParser,
  matchDocument,
  mustExist,
  listOwnOrigins,
  readNamed,
  readWellKnown,
  TARGETS_MAX,
  addTargets,
} from './documents.js';
import { metadataOf, addUrl, stateOfFailure } from './endpoints.js';

const readCatalog: ManifestParser<ApiCatalog> = (text, { url }) => readApiCatalog(text, url);

const CATALOG = { path: term('/.well-known/api-catalog'), parse: readCatalog };
const NAMED_CATALOG = term('The API catalog that the home page refers to');
const NAMED_METADATA = term('The OAuth metadata named in WWW-Authenticate');
const PROTECTED_RESOURCE = term('/.well-known/oauth-protected-resource');
const METADATA = [
  { path: PROTECTED_RESOURCE, read: readProtectedResource },
  { path: term('/.well-known/oauth-authorization-server'), read: readAuthorizationServer },
  { path: term('/.well-known/openid-configuration'), read: readAuthorizationServer },
];

/** Reads the well-known documents and those that headers, `<link>` elements and challenges link to, then follows the links of catalogs. */
export const collectApiMetadata: Collector<'apiMetadata'> = async (context) => {
  const wellKnown = readWellKnown(context, CATALOG);
  const [catalogs, metadata, openApi] = await Promise.all([
    Promise.all([wellKnown, readNamedCatalogs(context)]),
    readMetadata(context, wellKnown),
    findOpenApi(context),
  ]);
  const documents = await Promise.all(catalogs.flat().map((catalog) => followCatalog(context, catalog)));
  return found<ApiMetadata>({ documents: [...documents, ...metadata], openApi });
};

/** Reads the API catalogs that the home page names by `rel="api-catalog"` (RFC 9727 §3), other than the well-known one. */
async function readNamedCatalogs(context: CollectContext): Promise<ManifestDocument<ApiCatalog>[]> {
  const urls = await findAdvertised(context, (rel) => rel === 'api-catalog');
  const elsewhere = await excludeWellKnown(context, CATALOG.path, urls);
  return Promise.all(
    elsewhere.map(async (url) => mustExist(await readNamed(context, NAMED_CATALOG, url, readCatalog))),
  );
}

/** Returns the first URLs that are not the one of the well-known document. */
async function excludeWellKnown(context: CollectContext, path: SafeText, urls: readonly URL[]): Promise<URL[]> {
  const isWellKnown = await matchDocument(context, new URL(path.text, await context.fileOrigin()));
  return distinctBy(urls, ({ href }) => href)
    .filter((url) => !isWellKnown(url))
    .slice(0, TARGETS_MAX);
}

/** Reads the well-known OAuth metadata, and the metadata of protected resources that challenges name elsewhere. */
async function readMetadata(
  context: CollectContext,
  catalog: Promise<ManifestDocument<ApiCatalog>>,
): Promise<ManifestDocument[]> {
  const origins = (await listOwnOrigins(context)).map(({ origin }) => origin);
  const challenges = () => listChallengeMetadata(context);
  const links = async () => {
    const { state } = await catalog;
    const hrefs = state.kind === 'read' ? [...(state.value?.hrefs ?? [])] : [];
    return [
      ...(await listCatalogLinks(context)),
      ...hrefs.map((href) => ({ url: new URL(href) })),
      ...(await challenges()),
    ];
  };
  const parserOf =
    (read: typeof readProtectedResource, own: readonly string[] = []): ManifestParser<null> =>
    (text, { url, hops }) =>
      read(text, { url, hops, origins: [...origins, ...own] });
  const wellKnown = METADATA.map(({ path, read }) =>
    readWellKnown(context, { path, parse: parserOf(read), links, challenges }),
  );
  const named = await challenges();
  const urls = named.map(({ url }) => url);
  const elsewhere = (await excludeWellKnown(context, PROTECTED_RESOURCE, urls)).map(async (url) => {
    const own = named.flatMap((one) => (one.url.href === url.href ? one.resource.origin : []));
    return mustExist(await readNamed(context, NAMED_METADATA, url, parserOf(readProtectedResource, own)));
  });
  return Promise.all([...wellKnown, ...elsewhere]);
}

/** Lists the metadata documents that WWW-Authenticate challenges of the home page and of the site's endpoints name. */
async function listChallengeMetadata(context: CollectContext): Promise<NamedMetadata[]> {
  const [baseline, mcp, a2a] = await Promise.all([
    context.baseline(),
    context.evidence('mcp').then(valueOf),
    context.evidence('a2a').then(valueOf),
  ]);
  const documents = [...(mcp?.documents ?? []), ...(a2a?.documents ?? [])];
  const targets = documents.flatMap(({ state }) => (state.kind === 'read' ? (state.targets ?? []) : []));
  return [
    ...('response' in baseline ? metadataOf(baseline) : []),
    ...(mcp?.metadata ?? []),
    ...targets.flatMap(({ metadata = [] }) => metadata),
  ];
}

async function followCatalog(
  context: CollectContext,
  catalog: ManifestDocument<ApiCatalog>,
): Promise<ManifestDocument> {
  const targets = (contentOf(catalog)?.targets ?? []).slice(0, TARGETS_MAX);
  return addTargets(catalog, await Promise.all(targets.map((target) => probeTarget(context, target))));
}

/** Checks if a description or documentation returns 2xx. A server that refuses us may accept clients with a token. */
async function probeTarget(
  { visit }: CollectContext,
  { name, url }: ApiCatalog['targets'][number],
): Promise<TargetState> {
  const fetched = await visit.fetch(url);
  if ('failure' in fetched) return { name, ...addUrl(stateOfFailure(fetched), url) };
  const { status, challenge } = fetched.response;
  const isChallenged = challenge !== null;
  if (isSuccess(status) && !isChallenged)
    return { name, state: 'alive', detail: addResponsePlace(safeText`exists`, url) };
  const isGone = !isChallenged && (status === 404 || status === 410 || (status >= 500 && status < 600));
  const detail = addResponsePlace(safeText`returns status ${status}`, url);
  return { name, state: isGone ? 'unreachable' : 'unknown', detail };
}

const OPENAPI_PATHS = [term('/openapi.json'), term('/openapi.yaml'), term('/swagger.json')];

/** Returns the first usual path with an OpenAPI description, or null. */
async function findOpenApi(context: CollectContext): Promise<SafeText | null> {
  const isDescription = (response: SiteResponse): boolean => {
    const { text, isHtml, isOverLimit } = toFileFacts(response);
    return !isHtml && !isOverLimit && isOpenApi(text, response.url);
  };
  const results = OPENAPI_PATHS.map(async (path) => {
    const reply = await context.readFile(path.text, 'json', { validates: isDescription, priority: 'guesses' });
    return reply.kind === 'present' && isDescription(reply.value) ? addResponsePlace(path, reply.value.url) : null;
  });
  return (await Promise.all(results)).find((path) => path !== null) ?? null;
}

const VERSION = /^(?:3\.\d{1,3}\.\d{1,3}|2\.0$)/;
const YAML_VERSION = /^(?:openapi|swagger)[ \t]*:[ \t]*["']?(?:3\.\d|2\.0)/m;
/** The key `paths`, and below it a first path, indented or quoted. */
const YAML_PATHS = /^paths[ \t]*:[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n){0,20}[ \t]+["']?\//m;

/** True for an OpenAPI description (3.x, or Swagger 2.0) with a path: JSON with a title, or what looks like one in YAML. */
export function isOpenApi(text: string, url: URL): boolean {
  if (!text.trimStart().startsWith('{')) return YAML_VERSION.test(text) && YAML_PATHS.test(text);
  const reading = readManifest(text, url, (root) => {
    const version = root.at('openapi').text ?? root.at('swagger').text ?? '';
    const paths = root.at('paths').value;
    const hasPath = isObject(paths) && [...paths.keys()].some((path) => path.startsWith('/'));
    const value = VERSION.test(version) && typeof root.at('info').at('title').value === 'string' && hasPath;
    return { kind: 'read', problems: [], value };
  });
  return reading.kind === 'read' && reading.value === true;
}
