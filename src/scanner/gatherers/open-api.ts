import { valueOf } from '../artifacts/evidence.js';
import type { FoundOpenApi } from '../artifacts/manifests.js';
import type { SafeText } from '../artifacts/safe-text.js';
import { pointToAnswer, term } from '../artifacts/safe-text.js';
import type { ApiCatalog } from '../parsers/manifests/api-catalog.js';
import type { OpenApiDescription } from '../parsers/manifests/openapi.js';
import { readOpenApi } from '../parsers/manifests/openapi.js';
import { toFileFacts } from '../probe/file-facts.js';
import type { SiteResponse } from '../client/visit.js';
import type { CollectContext } from '../probe/collector.js';
import type { ManifestDocumentReading } from './manifest-document.js';
import { isLinked, isOneOf, readByAgents, readCatalogued } from './named.js';

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
    if (!path || 'failed' in reply || reply.ok.kind !== 'present') continue;
    const response = reply.ok.value;
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
  if (problems.length > 0 || value === null || value.hasItems || value.isCut) return true;
  return [...value.hrefs].some((href) => isOneOf(new URL(href), urls));
}
