import { found, valueOf } from '../artifacts/evidence.js';
import type { ApiMetadata, ManifestDocument, NamedMetadata, TargetState } from '../artifacts/manifests.js';
import { addResponsePlace, type SafeText, safeText, term } from '../artifacts/safe-text.js';
import { isSuccess } from '../client/requests.js';
import type { SiteResponse } from '../client/visit.js';
import { type ApiCatalog, readApiCatalog } from '../parsers/manifests/api-catalog.js';
import { readAuthorizationServer, readProtectedResource } from '../parsers/manifests/oauth.js';
import { isOpenApi } from '../parsers/manifests/openapi.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { toFileFacts } from '../probe/page.js';
import {
  contentOf,
  findAdvertised,
  listCatalogLinks,
  type ManifestParser,
  documentMatcher,
  reportAbsence,
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
  const isWellKnown = await documentMatcher(context, new URL(CATALOG.path.text, await context.fileOrigin()));
  const urls = await findAdvertised(context, (rel) => rel === 'api-catalog');
  const elsewhere = urls.filter((url) => !isWellKnown(url)).slice(0, TARGETS_MAX);
  return Promise.all(
    elsewhere.map(async (url) => reportAbsence(await readNamed(context, NAMED_CATALOG, url, readCatalog))),
  );
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
  const isWellKnown = await documentMatcher(context, new URL(PROTECTED_RESOURCE.text, await context.fileOrigin()));
  const named = (await challenges()).filter(({ url }) => !isWellKnown(url));
  const elsewhere = [...Map.groupBy(named, ({ url }) => url.href)].slice(0, TARGETS_MAX).map(async ([href, all]) => {
    const own = all.map(({ resource }) => resource.origin);
    const parse = parserOf(readProtectedResource, own);
    return reportAbsence(await readNamed(context, NAMED_METADATA, new URL(href), parse));
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
  const targets = documents.flatMap(({ state }) => (state.kind === 'read' ? state.targets : []));
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

/** Returns the first common path that serves an OpenAPI description, or null. */
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
