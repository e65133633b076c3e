import { valueOf } from '../artifacts/evidence.js';
import { yieldToEventLoop } from '../../net/event-loop.js';
import type { FoundOpenApi } from '../artifacts/manifests.js';
import type { SafeText } from '../artifacts/safe-text.js';
import { pointToAnswer, term } from '../artifacts/safe-text.js';
import type { ApiCatalog } from '../parsers/manifests/api-catalog.js';
import type { OpenApiDescription } from '../parsers/manifests/openapi.js';
import { readOpenApi } from '../parsers/manifests/openapi.js';
import { toFileFacts } from '../probe/file-facts.js';
import type { SiteResponse } from '../client/visit.js';
import { readApiDocs } from './api-docs.js';
import type { CollectContext } from '../probe/collector.js';
import type { ManifestDocumentReading } from './manifest-document.js';
import { isLinked, isOneOf, readByAgents, readCatalogued } from './named.js';

const OPENAPI_PATHS = [term('/openapi.json'), term('/openapi.yaml'), term('/swagger.json')];

/** A description at a usual path. */
export interface OpenApiFile extends OpenApiDescription {
  readonly path: SafeText;
  /** The requested address, the redirecting ones and the final one. */
  readonly urls: readonly URL[];
}

/** The first usual path with an OpenAPI description of the site's own API, or of one that only its developer can call. */
export async function findOpenApi(context: CollectContext): Promise<OpenApiFile | null> {
  const validates = async (response: SiteResponse): Promise<boolean> => (await read(context, response)) !== null;
  const replies = await Promise.all(OPENAPI_PATHS.map((path) => context.readFile(path.text, 'json', { validates })));
  for (const [index, reply] of replies.entries()) {
    const path = OPENAPI_PATHS[index];
    if (!path || 'failed' in reply || reply.ok.kind !== 'present') continue;
    const response = reply.ok.value;
    const description = await read(context, response);
    if (description) {
      return { ...description, path: pointToAnswer(path, response.url), urls: [...response.hops, response.url] };
    }
  }
  return null;
}

async function read(context: CollectContext, response: SiteResponse): Promise<OpenApiDescription | null> {
  const { text, isHtml, isOverLimit } = await toFileFacts(response);
  await yieldToEventLoop();
  const description = isHtml || isOverLimit ? null : await readOpenApi(text, response.url);
  return description && (description.isOwn || hasPrivateServer(context, description)) ? description : null;
}

function hasPrivateServer(context: CollectContext, { firstServer }: OpenApiDescription): boolean {
  return firstServer !== null && context.isPrivateLink(firstServer);
}

/** How the description stands to what agents read of the site. */
export async function standingOf(
  context: CollectContext,
  file: OpenApiFile,
  catalog: ManifestDocumentReading<ApiCatalog | null>,
): Promise<FoundOpenApi> {
  const base = { path: file.path, hasPrivateServer: hasPrivateServer(context, file) };
  if (await isNamedAnywhere(context, file.urls, catalog)) return { ...base, standing: 'named' };
  if (!file.isOwn) return { ...base, standing: 'unoffered' };
  const docs = await readApiDocs(context);
  if (docs === null) return { ...base, standing: 'unoffered' };
  const isNamed = docs.links.some((url) => isOneOf(url, file.urls));
  return { ...base, standing: isNamed ? 'named' : 'unnamed' };
}

/**
 * Whether a catalog of APIs or of resources for agents, a Link header, `<link>`, a link of a sampled page or llms.txt leads an agent to the description. A catalog
 * that leaves descriptions to its items may name it too; and a broken or unreadable catalog is a separate defect that this would
 * only echo. A document that was not fully read may also name it.
 */
async function isNamedAnywhere(
  context: CollectContext,
  urls: readonly URL[],
  catalog: ManifestDocumentReading<ApiCatalog | null>,
): Promise<boolean> {
  if (catalog.kind !== 'absent' && (catalog.kind !== 'read' || mayName(catalog, urls))) return true;
  const [sample, llms] = await Promise.all([context.evidence('sample'), context.evidence('llms')]);
  if ('failed' in llms) return true;
  // An agent reads the whole text, so a bare address or inline code counts as well.
  const file = llms.ok.kind === 'present' && !llms.ok.value.isHtml ? llms.ok.value : null;
  const text = file?.text ?? '';
  if (urls.some(({ pathname }) => text.includes(pathname))) return true;
  const pages = valueOf(sample)?.pages ?? [];
  if (file?.isOverLimit === true || pages.some(({ facts }) => facts.areLinksCut)) return true;
  const [{ links }, catalogued] = await Promise.all([readByAgents(context), readCatalogued(context)]);
  return isLinked([...links, ...catalogued], urls);
}

function mayName(
  { problems, value }: Extract<ManifestDocumentReading<ApiCatalog | null>, { kind: 'read' }>,
  urls: readonly URL[],
): boolean {
  if (problems.length > 0 || value === null || value.hasItems || value.isCut) return true;
  return [...value.hrefs].some((href) => isOneOf(new URL(href), urls));
}
