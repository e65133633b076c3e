import { distinctBy } from '../../net/keyed.js';
import { isWebScheme } from '../../net/url-gate.js';
import { valueOf } from '../artifacts/evidence.js';
import type { LlmsFile } from '../artifacts/llms.js';
import { isSameSite } from '../artifacts/site-address.js';
import { findMentions } from '../parsers/mentions.js';
import type { CollectContext } from '../probe/context.js';
import type { Home } from '../artifacts/pages.js';

/** What an agent reads on a site before it looks for further documents. */
export interface ReadByAgents {
  readonly links: readonly { readonly url: URL | null }[];
  readonly texts: readonly { readonly text: string; readonly base: URL }[];
}

/** Collects the Link headers, `<link>` elements, links and text of the sampled pages, and llms.txt. */
export async function readByAgents(context: CollectContext): Promise<ReadByAgents> {
  const [home, sample, llms, document] = await Promise.all([
    context.evidence('home'),
    context.evidence('sample'),
    context.evidence('llms'),
    context.evidence('llmsDocument'),
  ]);
  const pages = valueOf(sample)?.pages ?? [];
  const file = valueOf(llms);
  const llmsFile: readonly LlmsFile[] = file?.kind === 'present' && !file.value.isHtml ? [file.value] : [];
  return {
    links: [
      ...(valueOf(document)?.links ?? []),
      ...(valueOf(home)?.linkHeaders ?? []),
      ...pages.flatMap(({ linkHeaders, facts }) => [...linkHeaders, ...facts.headLinks, ...facts.links]),
    ],
    texts: [
      ...llmsFile.map(({ text, url }) => ({ text, base: url })),
      ...pages.map(({ facts, url }) => ({ text: facts.text, base: url })),
    ],
  };
}

/** Returns the entries of the agent catalogs. */
export async function readCatalogued(context: CollectContext): Promise<ReadByAgents['links']> {
  const catalogs = valueOf(await context.evidence('catalogs'))?.documents ?? [];
  return catalogs.flatMap(({ state }) => (state.kind === 'read' ? state.entries : []));
}

/** True if one of these links leads to the document. */
export function isLinked(links: ReadByAgents['links'], isDocument: (link: URL) => boolean): boolean {
  return links.some(({ url }) => url !== null && isDocument(url));
}

/** True if a page or llms.txt, but not a catalog, names this document by a link or in its text. */
export async function isNamed(context: CollectContext, url: URL): Promise<boolean> {
  const [{ links, texts }, isDocument] = await Promise.all([readByAgents(context), matchDocument(context, url)]);
  const isMentioned = texts.some(({ text, base }) => findMentions(text, url.pathname, base).some(isDocument));
  return isMentioned || isLinked(links, isDocument);
}

/** Returns the scanned origin and the origins that its home page redirects through: all count as the site's own. */
export async function ownOrigins(context: CollectContext): Promise<URL[]> {
  const baseline = await context.baseline();
  const reached = 'response' in baseline ? [...baseline.response.hops, baseline.response.url] : [];
  return [context.target.origin, ...reached];
}

/** Returns a test for URLs of this document on the site's own hosts. Other subdomains have documents of their own at the same path. */
export async function matchDocument(context: CollectContext, url: URL): Promise<(link: URL) => boolean> {
  const hosts = new Set([url, ...(await ownOrigins(context))].map(({ host }) => host));
  return (link) => link.pathname === url.pathname && link.search === url.search && hosts.has(link.host);
}

/** True if a link is one of these URLs, ignoring the scheme and which host of the site it is on. */
export function isOneOf(link: URL, urls: readonly URL[]): boolean {
  return urls.some((url) => link.pathname === url.pathname && link.search === url.search && isSameSite(link, url));
}

/** Finds the distinct http(s) targets of the home page's Link headers and `<link>` elements with this relation or type, in order. */
export function findAdvertised(
  home: Home,
  isRelation: (rel: string) => boolean,
  isType: (type: string) => boolean = () => false,
): URL[] {
  const links = [...home.linkHeaders, ...(home.page?.headLinks ?? [])].filter(
    ({ rel, type }) => rel.some(isRelation) || (type !== null && isType(type)),
  );
  // `data:` and `mailto:` cannot be requested and have no sibling paths.
  const urls = links.flatMap(({ url }) => (url !== null && isWebScheme(url) ? [url] : []));
  return distinctBy(urls, ({ href }) => href);
}
