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

/** Characters searched for `</html>`, which comments may follow. */
const PAGE_END_CHARS = 1_000;
const UNSURE_STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 429, 451]);

/** Requests Markdown for the sampled pages, and the Markdown versions that they link to, in parallel. */
export const collectMarkdown: Collector<'markdown'> = async (context) => {
  const sample = await context.evidence('sample');
  if ('failed' in sample) return sample;
  const [first, ...rest] = sample.ok.pages;
  const others = rest.slice(0, SCAN_LIMITS.markdownPagesMax - 1);
  const [home, ...pages] = await Promise.all([
    negotiate(context, first),
    ...others.map((page) => negotiate(context, page)),
  ] as const);
  const all = [home, ...pages] as const;
  if (all.some(({ markdown, alternate }) => isMarkdown(markdown) || isMarkdown(alternate)))
    return found({ pages: all });
  return found<MarkdownNegotiation>({ pages: await withTwins(context, sample.ok.pages, all) });
};

async function negotiate(context: CollectContext, page: SamplePage): Promise<NegotiatedPage> {
  const [{ markdown, html }, alternate] = await Promise.all([askTwice(context, page.url), askAlternate(context, page)]);
  return { position: page.position, served: page.facts.served, markdown, html, alternate, twin: null };
}

/** Requests Markdown and then, unless HTML came, HTML: a cache in between must not mix them up. */
async function askTwice(context: CollectContext, url: URL): Promise<Pick<NegotiatedPage, 'markdown' | 'html'>> {
  const markdown = await askFor(context, url, { headers: { accept: PAGE_ACCEPT } });
  if (markdown.kind !== 'answered' || markdown.status !== 200 || markdown.isHtml) return { markdown, html: null };
  return {
    markdown,
    html: await askFor(context, url, { headers: { accept: 'text/html' }, isRepeat: true }),
  };
}

/** Pages for which we guess the URL of a Markdown twin. */
const TWINS_MAX = 2;

/** Requests Markdown twins of the first pages at the URLs that llms.txt v2 suggests, in parallel. */
async function withTwins(
  context: CollectContext,
  sample: readonly SamplePage[],
  [home, ...others]: MarkdownNegotiation['pages'],
): Promise<MarkdownNegotiation['pages']> {
  const twinOf = async (page: NegotiatedPage): Promise<NegotiatedPage> => {
    const url = page.position > TWINS_MAX ? undefined : sample[page.position - 1]?.url;
    const guessed = await Promise.all((url ? twinAddresses(url) : []).map((address) => askTwin(context, address)));
    return { ...page, twin: guessed.find(isMarkdown) ?? null };
  };
  const [first, ...rest] = await Promise.all([twinOf(home), ...others.map(twinOf)] as const);
  return [first, ...rest];
}

/** `/guide.html` → `/guide.md` and `/guide.html.md`; `/guide/` → `/guide/index.md` and `/guide/index.html.md`. */
function twinAddresses({ origin, pathname }: URL): URL[] {
  const page = pathname.endsWith('/') ? `${pathname}index` : pathname.replace(/\.html?$/i, '');
  return [`${page}.md`, `${page}.html.md`].map((path) => new URL(origin + path));
}

async function askTwin(context: CollectContext, url: URL): Promise<NegotiatedReply | null> {
  const outcome = await context.read(url, 'md', { attempts: 'once', priority: 'guesses' });
  return outcome.kind === 'present' ? toReply({ response: outcome.value }, url) : null;
}

async function askAlternate(
  context: CollectContext,
  { linkHeaders, facts }: SamplePage,
): Promise<NegotiatedReply | null> {
  const link = [...linkHeaders, ...facts.headLinks].find(
    ({ rel, type, url }) => url !== null && type === 'text/markdown' && rel.includes('alternate'),
  );
  if (link?.url) return askFor(context, link.url, { headers: { accept: VERSION_ACCEPT } });
  if (!facts.areLinksCut) return null;
  if (facts.isMalformed)
    return {
      kind: 'unknown',
      detail: safeText`A page is sent as XHTML, but is not well-formed XML, so parsers disagree about its links.`,
    };
  return { kind: 'unknown', detail: safeText`A page is larger, or has more links, than this scanner reads.` };
}

async function askFor({ visit }: CollectContext, url: URL, options: FetchOptions = {}): Promise<NegotiatedReply> {
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
  if (status >= 500 || UNSURE_STATUSES.has(status)) {
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
