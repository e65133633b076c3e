import { distinctBy } from '../../net/keyed.js';
import { isWebScheme } from '../../net/url-gate.js';
import { valueOf } from '../artifacts/evidence.js';
import type { ManifestDocument, ManifestState, TargetState } from '../artifacts/manifests.js';
import { describeUnread, type Outcome } from '../artifacts/resource.js';
import { addPlaces, addResponsePlace, type SafeText, safeText, term } from '../artifacts/safe-text.js';
import type { SiteResponse } from '../client/visit.js';
import type { ManifestReading } from '../parsers/manifests/document.js';
import { isHtmlType, isJsonType } from '../parsers/text.js';
import type { CollectContext } from '../probe/context.js';
import { toFileFacts } from '../probe/page.js';

/** Maximum number of targets that one check probes. */
export const TARGETS_MAX = 3;

/** Detail for a private address in a public document. */
export const PRIVATE_DETAIL = term('is in a private network, which clients cannot reach');

export type ManifestParser<T> = (text: string, response: SiteResponse) => ManifestReading<T>;

type Links = readonly { readonly url: URL | null }[];

/** A document that agents look for at a fixed path. */
export interface WellKnown<T> {
  readonly path: SafeText;
  readonly parse: ManifestParser<T>;
  readonly accept?: string;
  /** Returns links, besides those on pages and in llms.txt, that may lead to the document. Default: links in catalogs. */
  readonly links?: () => Promise<Links>;
  /** Returns the URLs in WWW-Authenticate challenges, where a document must exist. */
  readonly challenges?: () => Promise<Links>;
}

const ACCEPT = 'application/json, application/linkset+json, */*;q=0.8';

/** Reads a well-known document and compares it with the control of its shape. Ignores a failure if nothing links to the document. */
export async function readWellKnown<T>(context: CollectContext, document: WellKnown<T>): Promise<ManifestDocument<T>> {
  const { path, parse, accept = ACCEPT, links = () => listCatalogLinks(context), challenges } = document;
  const options = { headers: { accept }, validates: validatorOf(parse), priority: 'guesses' } as const;
  const reply = await context.readFile(path.text, 'well-known', options);
  const url = new URL(path.text, await context.fileOrigin());
  const isDocument = await documentMatcher(context, url);
  const includesDocument = (named: Links): boolean => named.some((link) => link.url !== null && isDocument(link.url));
  const toDocument = (state: ManifestState<T>): ManifestDocument<T> => ({ path: addResponsePlace(path, url), state });

  const state = readReply(reply, parse);
  if (state.kind === 'absent') {
    const advertised = await findAdvertised(context, () => true);
    const source = advertised.some(isDocument)
      ? safeText`a header or link of the home page refers to it`
      : challenges && includesDocument(await challenges()) && safeText`a WWW-Authenticate header refers to it`;
    return toDocument(source ? { kind: 'missing', detail: safeText`does not exist, although ${source}` } : state);
  }
  const isUnsuccessful = state.kind === 'unreachable' || (reply.kind === 'unknown' && reply.isUnsuccessful === true);
  if (!isUnsuccessful || !('detail' in state)) return toDocument(state);
  if (includesDocument(await listPageLinks(context)) || includesDocument(await links())) return toDocument(state);
  const seen = state.kind === 'unreachable' ? state.detail : safeText`could not be read (${state.detail})`;
  return toDocument({ kind: 'unannounced', detail: safeText`${seen}, but nothing that we read refers to it` });
}

/** Reads a document at a URL that the site names. Reports a private address as the site's mistake. @param name of the document */
export async function readNamed<T>(
  context: CollectContext,
  name: SafeText,
  url: URL,
  parse: ManifestParser<T>,
  accept = ACCEPT,
): Promise<ManifestDocument<T>> {
  const path = addResponsePlace(name, url);
  if (context.isPrivateLink(url)) return { path, state: brokenState(PRIVATE_DETAIL) };
  const options = { headers: { accept }, validates: validatorOf(parse) };
  return { path, state: readReply(await context.read(url, 'json', options), parse) };
}

/** Reports absence as a fault. @param kind `missing` for a document that a header, `<link>` or challenge links to */
export function reportAbsence<T>(
  { path, state }: ManifestDocument<T>,
  kind: 'missing' | 'unreachable' = 'missing',
): ManifestDocument<T> {
  return { path, state: state.kind === 'absent' ? { kind, detail: safeText`does not exist` } : state };
}

export function addTargets(
  { path, state }: ManifestDocument,
  targets: readonly TargetState[],
  notes: readonly SafeText[] = [],
): ManifestDocument {
  return { path, state: state.kind === 'read' ? { ...state, targets, notes: [...state.notes, ...notes] } : state };
}

/** Returns the content of a valid document, else null. */
export function contentOf<T>({ state }: ManifestDocument<T>): T | null {
  return state.kind === 'read' && state.problems.length === 0 ? state.value : null;
}

export function brokenState(problem: SafeText): ManifestState<never> {
  return { kind: 'read', problems: [problem], notes: [], targets: [], value: null };
}

function validatorOf<T>(parse: ManifestParser<T>): (response: SiteResponse) => boolean {
  return (response) => {
    const reading = parse(toFileFacts(response).text, response);
    return reading.kind === 'read' && reading.problems.length === 0;
  };
}

function readReply<T>(outcome: Outcome<SiteResponse>, parse: ManifestParser<T>): ManifestState<T> {
  if (outcome.kind === 'absent') return { kind: 'absent' };
  if (outcome.kind === 'unknown') return { kind: 'unknown', detail: outcome.detail };
  if (outcome.kind !== 'present') return { kind: 'unreachable', detail: describeUnread(outcome) };
  const response = outcome.value;
  const { text, isHtml, isOverLimit, mediaType } = toFileFacts(response);
  if (isHtml)
    return brokenState(addPlaces(safeText`is an HTML page, not JSON`, { file: response.url, at: { line: 1 } }));
  if (isOverLimit) return { kind: 'unknown', detail: safeText`it is larger than the 1 MiB that this scanner reads` };
  const reading = parse(text, response);
  if (reading.kind !== 'read') return reading;
  return { ...reading, targets: [], notes: reading.value === null ? [] : noteWrongType(mediaType) };
}

function noteWrongType(mediaType: string | null): SafeText[] {
  if (isJsonType(mediaType)) return [];
  const seen = isHtmlType(mediaType) ? safeText`says HTML` : safeText`does not say JSON`;
  return [safeText`Its Content-Type ${seen}. Use a JSON type such as application/json.`];
}

export async function listCatalogLinks(context: CollectContext): Promise<Links> {
  const catalogs = valueOf(await context.evidence('catalogs'))?.documents ?? [];
  return catalogs.flatMap(({ state }) => (state.kind === 'read' ? (state.value ?? []) : []));
}

/** Lists the links on pages and in llms.txt. A URL in plain text does not count as a link. */
async function listPageLinks(context: CollectContext): Promise<Links> {
  const [home, sample, document] = await Promise.all([
    context.evidence('home'),
    context.evidence('sample'),
    context.evidence('llmsDocument'),
  ]);
  const pages = valueOf(sample)?.pages ?? [];
  return [
    ...(valueOf(document)?.links ?? []),
    ...(valueOf(home)?.linkHeaders ?? []),
    ...pages.flatMap(({ linkHeaders, facts }) => [...linkHeaders, ...facts.headLinks, ...facts.links]),
  ];
}

/** Returns the scanned origin and the origins that its home page redirects through: all count as the site's own. */
export async function listOwnOrigins(context: CollectContext): Promise<URL[]> {
  const baseline = await context.baseline();
  const reached = 'response' in baseline ? [...baseline.response.hops, baseline.response.url] : [];
  return [context.target.origin, ...reached];
}

/** Returns a function that tests whether a URL is this document on one of the site's own hosts, which excludes other subdomains. */
export async function documentMatcher(context: CollectContext, url: URL): Promise<(link: URL) => boolean> {
  const hosts = new Set([url, ...(await listOwnOrigins(context))].map(({ host }) => host));
  return (link) => link.pathname === url.pathname && link.search === url.search && hosts.has(link.host);
}

/** Finds the home page's Link headers and `<link>` elements with a wanted relation or type. Returns their http(s) URLs without duplicates. */
export async function findAdvertised(
  context: CollectContext,
  isWanted: (relationOrType: string) => boolean,
): Promise<URL[]> {
  const home = valueOf(await context.evidence('home'));
  const all = [...(home?.linkHeaders ?? []), ...(home?.page?.headLinks ?? [])];
  const links = all.filter(({ rel, type }) => rel.some(isWanted) || (type !== null && isWanted(type)));
  // `data:` and `mailto:` cannot be requested and have no sibling paths.
  const urls = links.flatMap(({ url }) => (url !== null && isWebScheme(url) ? [url] : []));
  return distinctBy(urls, ({ href }) => href);
}
