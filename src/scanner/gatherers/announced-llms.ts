import { distinctBy } from '../../net/keyed.js';
import { isWebScheme } from '../../net/url-gate.js';
import { found, valueOf } from '../artifacts/evidence.js';
import type { AnnouncedLlms } from '../artifacts/llms.js';
import type { TypedLink } from '../artifacts/pages.js';
import type { Outcome } from '../artifacts/resource.js';
import { isSameSite, withoutFragment } from '../artifacts/site-address.js';
import { type SafeText, safeText } from '../artifacts/safe-text.js';
import type { SiteResponse } from '../client/visit.js';
import { toFileFacts } from '../probe/page.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { LLMS_PATH, readLlms } from './llms.js';

/** Announced files that are read. */
const ANNOUNCED_MAX = 3;

type Announcement = Omit<AnnouncedLlms, 'state'>;

/**
 * Reads the files, other than the one at the root, that pages announce as their llms.txt (`rel="describedby"`, llms.txt v2). Order: the home
 * page's Link headers and `<link>` elements, then those of the other pages.
 */
export const collectAnnouncedLlms: Collector<'announcedLlms'> = async (context) => {
  const announcements = await findAnnouncements(context);
  return found(await Promise.all(announcements.map((announcement) => readAnnounced(context, announcement))));
};

async function findAnnouncements(context: CollectContext): Promise<Announcement[]> {
  const [home, sample, root] = await Promise.all([
    context.evidence('home'),
    context.evidence('sample'),
    context.fileOrigin(),
  ]);
  const homeHeaders = valueOf(home)?.linkHeaders ?? [];
  const [, ...others] = valueOf(sample)?.pages ?? [];
  const all = [
    ...inHeaders(homeHeaders, 1),
    ...inElements(valueOf(home)?.page?.headLinks ?? [], 1),
    ...others.flatMap(({ linkHeaders, position }) => inHeaders(linkHeaders, position)),
    ...others.flatMap(({ facts, position }) => inElements(facts.headLinks, position)),
  ];
  const atRoot = new URL(LLMS_PATH, root).href;
  const further = all.filter(({ url }) => withoutFragment(url) !== atRoot && isSameSite(url, root));
  return distinctBy(further, ({ url }) => withoutFragment(url)).slice(0, ANNOUNCED_MAX);
}

function inHeaders(links: readonly TypedLink[], page: number): Announcement[] {
  return links.flatMap((link, index) => announcementOf(link, page, safeText`Link header, entry ${index + 1}`));
}

function inElements(links: readonly TypedLink[], page: number): Announcement[] {
  return links.flatMap((link, index) => announcementOf(link, page, safeText`link element ${index + 1}`));
}

function announcementOf({ rel, url }: TypedLink, page: number, where: SafeText): Announcement[] {
  if (url === null || !rel.includes('describedby')) return [];
  const place = page === 1 ? safeText`the home page's ${where}` : safeText`page ${page}'s ${where}`;
  return isWebScheme(url) && url.pathname.endsWith(LLMS_PATH) ? [{ url, place }] : [];
}

async function readAnnounced(context: CollectContext, announcement: Announcement): Promise<AnnouncedLlms> {
  return { ...announcement, state: stateOf(await readLlms(context, announcement.url)) };
}

function stateOf(outcome: Outcome<SiteResponse>): AnnouncedLlms['state'] {
  if (outcome.kind === 'absent' || outcome.kind === 'unknown') return outcome.kind;
  if (outcome.kind !== 'present') return 'failing';
  return toFileFacts(outcome.value).isHtml ? 'html' : 'text';
}
