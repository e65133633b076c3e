import { found } from '../artifacts/evidence.js';
import { describeFailedFetch } from '../artifacts/resource.js';
import {
  isMarkdown,
  type MarkdownNegotiation,
  type NegotiatedPage,
  type NegotiatedReply,
  PAGE_ACCEPT,
  VERSION_ACCEPT,
} from '../artifacts/markdown.js';
import type { SamplePage } from '../artifacts/pages.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { safeText } from '../artifacts/safe-text.js';
import { isHtmlType } from '../parsers/text.js';
import { countWords } from '../parsers/html.js';
import { fingerprintOf } from '../probe/control.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { toFileFacts } from '../probe/page.js';
import type { Fetched, FetchOptions, SiteResponse } from '../client/visit.js';

/** Last characters searched for `</html>`, which comments may follow. */
const PAGE_END_CHARS = 1_000;
const INCONCLUSIVE_STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 429, 451]);

/** Requests the sampled pages as Markdown, and the Markdown versions that they link to. If there are none, guesses their URLs. */
export const collectMarkdown: Collector<'markdown'> = async (context) => {
  const sample = await context.evidence('sample');
  if ('failed' in sample) return sample;
  const sampled = sample.ok.pages.slice(0, SCAN_LIMITS.markdownPagesMax);
  const pages = await Promise.all(sampled.map((page) => negotiate(context, page)));
  const isOffered = pages.some(({ markdown, alternate }) => isMarkdown(markdown) || isMarkdown(alternate));
  const twins = await Promise.all(
    isOffered ? [] : sampled.slice(0, TWINS_MAX).map(({ url }) => findTwin(context, url)),
  );
  return found<MarkdownNegotiation>({ pages: pages.map((page, index) => ({ ...page, twin: twins[index] ?? null })) });
};

type Negotiated = Omit<NegotiatedPage, 'twin'>;

/** Requests Markdown, then HTML, unless the first reply was HTML. A cache may mix up the two. */
async function negotiate(context: CollectContext, page: SamplePage): Promise<Negotiated> {
  const request = (accept: string, isRepeat: boolean) =>
    fetchReply(context, page.url, { headers: { accept }, ...(isRepeat && { isRepeat }) });
  const requestBoth = async () => {
    const markdown = await request(PAGE_ACCEPT, false);
    const mayBeMarkdown = markdown.kind === 'answered' && markdown.status === 200 && !markdown.isHtml;
    return { markdown, html: mayBeMarkdown ? await request('text/html', true) : null };
  };
  const [replies, alternate] = await Promise.all([requestBoth(), fetchAlternate(context, page)]);
  return { position: page.position, served: page.facts.served, ...replies, alternate };
}

/** Maximum number of pages whose Markdown versions we guess. */
const TWINS_MAX = 2;

/** Finds a page's twin: a Markdown version at one of the URLs that llms.txt v2 suggests. */
async function findTwin(context: CollectContext, page: URL): Promise<NegotiatedReply | null> {
  const replies = twinUrls(page).map(async (url) => {
    const outcome = await context.read(url, 'md', { attempts: 'once', priority: 'guesses' });
    return outcome.kind === 'present' ? toReply({ response: outcome.value }, url) : null;
  });
  return (await Promise.all(replies)).find(isMarkdown) ?? null;
}

/** `/guide.html` → `/guide.md` and `/guide.html.md`; `/guide/` → `/guide/index.md` and `/guide/index.html.md`. */
function twinUrls({ origin, pathname }: URL): URL[] {
  const page = pathname.endsWith('/') ? `${pathname}index` : pathname.replace(/\.html?$/i, '');
  return [`${page}.md`, `${page}.html.md`].map((path) => new URL(origin + path));
}

async function fetchAlternate(
  context: CollectContext,
  { linkHeaders, facts }: SamplePage,
): Promise<NegotiatedReply | null> {
  const link = [...linkHeaders, ...facts.headLinks].find(
    ({ rel, type, url }) => url !== null && type === 'text/markdown' && rel.includes('alternate'),
  );
  if (link?.url) return fetchReply(context, link.url, { headers: { accept: VERSION_ACCEPT } });
  if (!facts.areLinksCut) return null;
  if (facts.isMalformed)
    return {
      kind: 'unknown',
      detail: safeText`A page is sent as XHTML, but is not well-formed XML, so parsers disagree about its links.`,
    };
  return { kind: 'unknown', detail: safeText`A page is larger, or has more links, than this scanner reads.` };
}

async function fetchReply({ visit }: CollectContext, url: URL, options: FetchOptions = {}): Promise<NegotiatedReply> {
  return toReply(await visit.fetch(url, options), url);
}

function toReply(fetched: Fetched, { pathname: path }: URL): NegotiatedReply {
  if ('failure' in fetched) {
    return { kind: 'unknown', detail: safeText`A page cannot be fetched: ${describeFailedFetch(fetched)}.` };
  }
  const { response } = fetched;
  const vendor = response.challenge;
  if (vendor !== null)
    return {
      kind: 'unknown',
      detail: safeText`A page returns a bot challenge from ${vendor}. Allow the User-Agent AgentReadinessScan there.`,
    };
  const { status } = response;
  if (status >= 500 || INCONCLUSIVE_STATUSES.has(status)) {
    return { kind: 'unknown', detail: safeText`A page returns status ${status}.` };
  }
  const facts = toFileFacts(response);
  return {
    kind: 'answered',
    status,
    mediaType: facts.mediaType,
    isHtml: facts.isHtml || isHtmlInside(facts.text, facts.mediaType),
    characterCount: facts.text.trim().length,
    wordCount: countWords(facts.text),
    fingerprint: fingerprintOf({ path, response }),
    variesByAccept: variesByAccept(response),
  };
}

/** True if a body sent as HTML is HTML, even if text precedes it, such as a PHP warning. */
function isHtmlInside(text: string, mediaType: string | null): boolean {
  if (!isHtmlType(mediaType)) return false;
  return text.trimStart().startsWith('<') || text.slice(-PAGE_END_CHARS).toLowerCase().includes('</html>');
}

function variesByAccept({ headers }: SiteResponse): boolean {
  const fields = (headers.get('vary') ?? '').toLowerCase().split(',');
  return fields.some((field) => field.trim() === 'accept' || field.trim() === '*');
}
