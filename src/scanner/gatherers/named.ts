import { valueOf } from '../artifacts/evidence.js';
import { EventLoopYielder } from '../../net/event-loop.js';
import type { LlmsFile } from '../artifacts/llms.js';
import { isSameSite } from '../artifacts/site-address.js';
import { findMentions } from '../parsers/mentions.js';
import type { CollectContext } from '../probe/collector.js';

/** What an agent reads of a site on its way to anything else. */
export interface ReadByAgents {
  readonly links: readonly { readonly url: URL | null }[];
  readonly texts: readonly { readonly text: string; readonly base: URL }[];
}

/** Link headers, link elements, links and text of the sampled pages, and llms.txt. */
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

/** The addresses to which catalogs of resources for agents lead. */
export async function readCatalogued(context: CollectContext): Promise<ReadByAgents['links']> {
  const catalogs = valueOf(await context.evidence('catalogs'))?.documents ?? [];
  return catalogs.flatMap(({ state }) => (state.kind === 'read' ? state.entries : []));
}

/** Whether one of these links leads to one of the addresses. */
export async function isLinked(links: ReadByAgents['links'], urls: readonly URL[]): Promise<boolean> {
  const yielder = new EventLoopYielder();
  for (const { url } of links) {
    if (yielder.isDue) await yielder.yieldNow();
    if (url !== null && isOneOf(url, urls)) return true;
  }
  return false;
}

/** Whether something that an agent reads, catalogs apart, names this address: by a link, or as text. */
export async function isNamed(context: CollectContext, url: URL): Promise<boolean> {
  const { links, texts } = await readByAgents(context);
  const isMentioned = texts.some(({ text, base }) =>
    findMentions(text, url.pathname, base).some((mentioned) => isOneOf(mentioned, [url])),
  );
  return isMentioned || isLinked(links, [url]);
}

/** Whether an address is one of these, under any scheme and on any host of the site. */
export function isOneOf(link: URL, urls: readonly URL[]): boolean {
  return urls.some((url) => link.pathname === url.pathname && link.search === url.search && isSameSite(link, url));
}
