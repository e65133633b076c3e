import { setImmediate } from 'node:timers/promises';
import { distinctBy } from '../../net/keyed.js';
import { isWebScheme, isSameSite, withoutFragment } from '../../net/url-gate.js';
import { evidenceOf, found, missing, valueOf } from '../artifacts/evidence.js';
import type { AnnouncedLlms, LlmsDocument, LlmsFile, LlmsLink, LlmsLinks, LlmsMarkdown } from '../artifacts/llms.js';
import type { TypedLink } from '../artifacts/pages.js';
import type { FileFacts, Outcome } from '../artifacts/resource.js';
import { safeText, type SafeText, term } from '../artifacts/safe-text.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import type { SiteResponse } from '../client/visit.js';
import { parseLlms } from '../parsers/llms.js';
import { isTemplated } from '../parsers/addresses.js';
import type { CollectContext, Collector } from '../probe/context.js';
import type { ReadOptions } from '../probe/outcome.js';
import { toFileFacts } from '../probe/page.js';
import { sampleEvenly } from './sample.js';

const MARKDOWN_TYPES: ReadonlySet<string | null> = new Set(['text/plain', 'text/markdown', 'text/x-markdown', null]);
/** Placeholders of the template at llmstxt.org and of the one in our fixes. */
const TEMPLATE =
  /NAME OF YOUR SITE|\[Link title\]\(|Optional (?:link )?details go here|Optional description goes here|Optional link details/;

/** Reads the llms.txt that the checks judge: the one at the root of the file origin, else one that pages announce. */
export const collectLlms: Collector<'llms'> = async (context) => {
  const { read, announcedAt } = await chooseLlms(context);
  if (read.kind !== 'present') return evidenceOf(term('/llms.txt'), read);
  const value: LlmsFile = { ...toFileFacts(read.value), url: read.value.url, announcedAt };
  return found({ kind: 'present', value });
};

/**
 * Parses llms.txt. Not applicable unless the body is Markdown, whatever its type: an HTML page or a file of another type (JSON, binary)
 * fails only C-LLMS-01.
 */
export const collectLlmsDocument: Collector<'llmsDocument'> = async (context) => {
  const llms = await context.evidence('llms');
  if ('failed' in llms || llms.ok.kind !== 'present' || llms.ok.value.isHtml) return NOTHING_TO_READ;
  const { read } = await chooseLlms(context);
  if (read.kind !== 'present') return NOTHING_TO_READ;
  const file = llms.ok.value;
  const text = readText(file, read.value);
  const { targets, ...markdown } = parseLlms(text ?? file.text);
  if (!MARKDOWN_TYPES.has(file.mediaType) && markdown.firstHeading === null && targets.length === 0)
    return NOTHING_TO_READ;
  return found<LlmsDocument>({
    ...markdown,
    textFault: findTextFault(text),
    characterCount: countCharacters(text ?? file.text),
    isOverLimit: file.isOverLimit,
    hasTemplateText: TEMPLATE.test(text ?? file.text),
    links: resolveLinks(targets, read.value.url, context),
  });
};

const NOTHING_TO_READ = missing(
  'NOT_APPLICABLE',
  safeText`There is no llms.txt that can be read as Markdown (see C-LLMS-01).`,
);

/** Decodes UTF-8, whatever charset the header names; null for other bytes. Our limit may have cut the last character. */
function readText({ isOverLimit }: FileFacts, { body }: SiteResponse): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body, { stream: isOverLimit });
  } catch {
    return null;
  }
}

function findTextFault(text: string | null): LlmsDocument['textFault'] {
  if (text === null) return 'not-utf8';
  if (text.includes('\0')) return 'binary';
  return text.replace(/^\uFEFF/, '').trim() === '' ? 'empty' : null;
}

/** Counts Unicode code points without a BOM. */
function countCharacters(text: string): number {
  const pairs = text.match(/[\uD800-\uDBFF]/g)?.length ?? 0;
  return text.length - pairs - (text.startsWith('\uFEFF') ? 1 : 0);
}

function resolveLinks(targets: LlmsMarkdown['targets'], base: URL, context: CollectContext): LlmsLink[] {
  return targets.map(({ line, target }) => {
    const url = target.trim() === '' ? null : URL.parse(target, base);
    const isWeb = url !== null && isWebScheme(url);
    const isFirstParty = isWeb && isSameSite(url, context.target.origin);
    return { line, url, isFirstParty, isPrivate: isWeb && context.isPrivateLink(url) };
  });
}

/** Path of the file at the root; an announced file has the same name in another folder. */
const LLMS_PATH = '/llms.txt';

/** An H1 line, which identifies the file if a site answers every path with text. */
const H1_LINE = /^\uFEFF?#[ \t]+\S/m;
const OPTIONS: ReadOptions = { validates: (response) => H1_LINE.test(toFileFacts(response).text) };

/** Reads the llms.txt at the root, or an announced one. Every caller sends the same request, so each file is fetched once. */
function readLlms(context: CollectContext, announced?: URL): Promise<Outcome<SiteResponse>> {
  return announced ? context.read(announced, 'txt', OPTIONS) : context.readFile(LLMS_PATH, 'txt', OPTIONS);
}

interface ChosenLlms extends Pick<LlmsFile, 'announcedAt'> {
  readonly read: Outcome<SiteResponse>;
}

/**
 * Chooses the llms.txt that the checks judge: the file at the root, which covers the home page; else the first readable announced one (v2
 * has no fixed path, so an error at the root is then no failure); else the response at the root.
 */
async function chooseLlms(context: CollectContext): Promise<ChosenLlms> {
  const root = await readLlms(context);
  const atRoot = { read: root, announcedAt: null };
  if (root.kind === 'present') return atRoot;
  const announced = valueOf(await context.evidence('announcedLlms')) ?? [];
  const chosen = announced.find(({ state }) => state === 'text');
  return chosen ? { read: await readLlms(context, chosen.url), announcedAt: chosen.announcedAt } : atRoot;
}

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
    ...selectAnnouncements(homeHeaders, 1, describeHeader),
    ...selectAnnouncements(valueOf(home)?.page?.headLinks ?? [], 1, describeElement),
    ...others.flatMap(({ linkHeaders, position }) => selectAnnouncements(linkHeaders, position, describeHeader)),
    ...others.flatMap(({ facts, position }) => selectAnnouncements(facts.headLinks, position, describeElement)),
  ];
  const atRoot = new URL(LLMS_PATH, root).href;
  const further = all.filter(({ url }) => withoutFragment(url) !== atRoot && isSameSite(url, root));
  return distinctBy(further, ({ url }) => withoutFragment(url)).slice(0, ANNOUNCED_MAX);
}

const describeHeader = (position: number): SafeText => safeText`Link header (entry ${position})`;
const describeElement = (position: number): SafeText => safeText`link element ${position}`;

function selectAnnouncements(
  links: readonly TypedLink[],
  page: number,
  describe: (position: number) => SafeText,
): Announcement[] {
  return links.flatMap(({ rel, url }, index) => {
    const isAnnounced =
      url !== null && rel.includes('describedby') && isWebScheme(url) && url.pathname.endsWith(LLMS_PATH);
    if (!isAnnounced) return [];
    const link = describe(index + 1);
    return [{ url, announcedAt: page === 1 ? safeText`the home page's ${link}` : safeText`page ${page}'s ${link}` }];
  });
}

async function readAnnounced(context: CollectContext, announcement: Announcement): Promise<AnnouncedLlms> {
  return { ...announcement, state: stateOf(await readLlms(context, announcement.url)) };
}

function stateOf(outcome: Outcome<SiteResponse>): AnnouncedLlms['state'] {
  if (outcome.kind === 'present') return toFileFacts(outcome.value).isHtml ? 'dead' : 'text';
  return outcome.kind === 'absent' ? 'dead' : 'unknown';
}

const NO_LINK_AT_START = missing(
  'UNDETERMINED',
  safeText`llms.txt has no link to the site's own domain in its first 100,000 characters. This scanner reads no further.`,
);

/** Number of links that are always followed. Further links are sampled evenly. */
const FIRST_LINKS = 5;

interface Target {
  readonly line: number;
  readonly url: URL;
}

/** Follows a deterministic sample of the distinct first-party links of llms.txt. */
export const collectLlmsLinks: Collector<'llmsLinks'> = async (context) => {
  const document = await context.evidence('llmsDocument');
  if ('failed' in document) return document;
  // Requests under other agents' names must start first. Otherwise a rate limit caused by many links could look like a refused agent.
  await context.evidence('robots');
  await setImmediate();
  const targets = findTargets(document.ok);
  if (targets.length === 0 && !document.ok.isFullyParsed) return NO_LINK_AT_START;
  const checked = await Promise.all(
    chooseSample(targets).map(async ({ line, url }) => ({
      line,
      state: await context.probeLink(url, { priority: 'llmsLinks' }),
    })),
  );
  return found<LlmsLinks>({ firstPartyCount: targets.length, checked });
};

/** Returns first-party links without duplicates, ignoring fragments. Skips links with a placeholder, such as `/users/{id}`. */
function findTargets({ links }: LlmsDocument): Target[] {
  const own = links.flatMap(({ line, url, isFirstParty }) =>
    url === null || !isFirstParty || isTemplated(url.href) ? [] : { line, url },
  );
  return distinctBy(own, ({ url }) => withoutFragment(url));
}

/** Returns all links up to 20; else the first 5, and 15 evenly spaced ones from the sixth to the last. */
function chooseSample<T>(all: readonly T[]): readonly T[] {
  const { llmsLinksMax } = SCAN_LIMITS;
  return [...all.slice(0, FIRST_LINKS), ...sampleEvenly(all.slice(FIRST_LINKS), llmsLinksMax - FIRST_LINKS)];
}
