import { found, valueOf } from '../../evidence/evidence.js';
import type { ApiMetadata, ManifestDocument, TargetState } from '../../evidence/manifests.js';
import { describeFailure } from '../../evidence/failure.js';
import { isSameSite } from '../../evidence/site-address.js';
import type { SafeText } from '../../evidence/safe-text.js';
import { yieldToEventLoop, EventLoopYielder } from '../../evidence/event-loop.js';
import { term, safeText } from '../../evidence/safe-text.js';
import type { ApiCatalog, CatalogTarget } from '../../parse/manifests/api-catalog.js';
import { readApiCatalog } from '../../parse/manifests/api-catalog.js';
import { readAuthorizationServer, readProtectedResource } from '../../parse/manifests/oauth.js';
import { isOwnOpenApi } from '../../parse/manifests/openapi.js';
import { detectChallenge } from '../context/challenge.js';
import type { CollectContext, Collector } from './collector.js';
import { toFileFacts } from '../context/file-facts.js';
import type { ManifestDocumentReading } from './manifest-document.js';
import { TARGETS_MAX, readWellKnown } from './manifest-document.js';
import { STALLS, UNSURE } from '../context/outcome.js';
import type { Fetched, SiteResponse } from '../fetch/visit.js';

const CATALOG = term('/.well-known/api-catalog');
const PROTECTED_RESOURCE = term('/.well-known/oauth-protected-resource');
const AUTHORIZATION_SERVERS = [
  term('/.well-known/oauth-authorization-server'),
  term('/.well-known/openid-configuration'),
];
const OPENAPI_PATHS = [term('/openapi.json'), term('/openapi.yaml'), term('/swagger.json')];

type Reading = ManifestDocumentReading<ApiCatalog | null>;

/** Reads all documents at once, then follows the catalog's links to descriptions and documentation. */
export const collectApiMetadata: Collector<'apiMetadata'> = async (context) => {
  const [catalog, others, openApi] = await Promise.all([
    readWellKnown(context, CATALOG, (text, { url }) => readApiCatalog(text, url)),
    Promise.all(readOthers(context)),
    findOpenApi(context),
  ]);
  const [document, isNamed] = await Promise.all([
    followCatalog(context, catalog),
    openApi ? isNamedAnywhere(context, openApi.urls, catalog) : true,
  ]);
  return found<ApiMetadata>({
    documents: [document, ...others],
    openApi: openApi && { path: openApi.path, isNamed },
  });
};

function readOthers(context: CollectContext): Promise<ManifestDocument>[] {
  return [
    readOther(context, PROTECTED_RESOURCE, readProtectedResource),
    ...AUTHORIZATION_SERVERS.map((path) => readOther(context, path, readAuthorizationServer)),
  ];
}

async function readOther(
  context: CollectContext,
  path: SafeText,
  parse: typeof readProtectedResource,
): Promise<ManifestDocument> {
  const reading: Reading = await readWellKnown(context, path, (text, response) =>
    parse(text, [...response.hops, response.url]),
  );
  return { path, state: reading.kind === 'read' ? { ...withoutValue(reading), targets: [] } : reading };
}

function withoutValue({ kind, problems, notes }: Extract<Reading, { kind: 'read' }>) {
  return { kind, problems, notes };
}

async function followCatalog(context: CollectContext, reading: Reading): Promise<ManifestDocument> {
  if (reading.kind !== 'read') return { path: CATALOG, state: reading };
  const sound = reading.problems.length === 0 ? reading.value : null;
  const targets = (sound?.targets ?? []).slice(0, TARGETS_MAX);
  const states = await Promise.all(targets.map((target) => openTarget(context, target)));
  return { path: CATALOG, state: { ...withoutValue(reading), targets: states } };
}

/** Whether a description or documentation answers 2xx. One that is refused to us may be open to those who have a token. */
async function openTarget(context: CollectContext, { name, url }: CatalogTarget): Promise<TargetState> {
  const fetched = await context.visit.fetch(url);
  if ('failure' in fetched) return { name, ...describeBroken(fetched.failure) };
  const { status } = fetched.response;
  if (status >= 200 && status < 300 && detectChallenge(fetched.response) === null) {
    return { name, state: 'alive', detail: safeText`is there` };
  }
  const isGone = status === 404 || status === 410 || (status >= 500 && status < 600);
  const isOpen = !isGone || detectChallenge(fetched.response) !== null;
  return { name, state: isOpen ? 'unknown' : 'unreachable', detail: safeText`answers with status ${status}` };
}

function describeBroken(
  failure: Extract<Fetched, { failure: unknown }>['failure'],
): Pick<TargetState, 'state' | 'detail'> {
  if (STALLS.has(failure)) return { state: 'unreachable', detail: safeText`gives no answer in time` };
  const detail = safeText`cannot be reached: ${describeFailure(failure)}`;
  return { state: UNSURE.has(failure) ? 'unknown' : 'unreachable', detail };
}

interface FoundOpenApi {
  readonly path: SafeText;
  /** The requested address, the redirecting ones and the final one. */
  readonly urls: readonly URL[];
}

/** The first usual path with an OpenAPI description of the site's own API. */
async function findOpenApi(context: CollectContext): Promise<FoundOpenApi | null> {
  const replies = await Promise.all(
    OPENAPI_PATHS.map((path) => context.readFile(path.text, 'json', { validates: isDescription })),
  );
  for (const [index, reply] of replies.entries()) {
    const path = OPENAPI_PATHS[index];
    if (!path || 'failed' in reply || reply.ok.kind !== 'present' || !(await isDescription(reply.ok.value))) continue;
    return { path, urls: [...reply.ok.value.hops, reply.ok.value.url] };
  }
  return null;
}

async function isDescription(response: SiteResponse): Promise<boolean> {
  const { text, isHtml, isOverLimit } = await toFileFacts(response);
  await yieldToEventLoop();
  return !isHtml && !isOverLimit && (await isOwnOpenApi(text, response.url));
}

/**
 * Whether a catalog, a Link header, `<link>`, a link of a sampled page or llms.txt leads an agent to the description. A catalog
 * that leaves descriptions to its items may name it too; and a broken or unreadable catalog is a separate defect that this would
 * only echo. A document that was not fully read may also name it.
 */
async function isNamedAnywhere(context: CollectContext, urls: readonly URL[], catalog: Reading): Promise<boolean> {
  if (catalog.kind !== 'absent' && (catalog.kind !== 'read' || mayName(catalog, urls))) return true;
  const [home, sample, llms] = await Promise.all([
    context.evidence('home'),
    context.evidence('sample'),
    context.evidence('llms'),
  ]);
  if ('failed' in llms) return true;
  // An agent reads the whole text, so a bare address or inline code counts as well.
  const file = llms.ok.kind === 'present' && !llms.ok.value.isHtml ? llms.ok.value : null;
  const text = file?.text ?? '';
  if (urls.some(({ pathname }) => text.includes(pathname))) return true;
  const pages = valueOf(sample)?.pages.map(({ facts }) => facts) ?? [];
  if (file?.isOverLimit === true || pages.some(({ areLinksCut }) => areLinksCut)) return true;
  const links = [...(valueOf(home)?.linkHeaders ?? []), ...pages.flatMap((page) => [...page.headLinks, ...page.links])];
  const yielder = new EventLoopYielder();
  for (const { url } of links) {
    if (yielder.isDue) await yielder.yieldNow();
    if (url !== null && isOneOf(url, urls)) return true;
  }
  return false;
}

function mayName({ problems, value }: Extract<Reading, { kind: 'read' }>, urls: readonly URL[]): boolean {
  if (problems.length > 0 || value === null || value.hasItems || value.isCut) return true;
  return [...value.hrefs].some((href) => isOneOf(new URL(href), urls));
}

/** Whether an address is one of these, under any scheme and on any host of the site. */
function isOneOf(link: URL, urls: readonly URL[]): boolean {
  return urls.some((url) => link.pathname === url.pathname && link.search === url.search && isSameSite(link, url));
}
