import { found, valueOf } from '../../evidence/evidence.js';
import { describeFailure } from '../../evidence/failure.js';
import type { MarkdownNegotiation, NegotiatedPage, NegotiatedReply } from '../../evidence/markdown.js';
import type { SamplePage } from '../../evidence/pages.js';
import { SCAN_LIMITS } from '../../evidence/scanner.js';
import { safeText } from '../../evidence/safe-text.js';
import { isHtmlType } from '../../parse/media-type.js';
import { detectChallenge } from '../context/challenge.js';
import type { CollectContext, Collector } from './collector.js';
import { toFileFacts } from '../context/file-facts.js';
import type { Fetched, SiteResponse } from '../fetch/visit.js';

const ACCEPT_MARKDOWN = 'text/markdown, text/html;q=0.8, */*;q=0.1';
/** A page may have comments after its last tag. */
const PAGE_END_CHARS = 1_000;
const UNSURE_STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 429, 451]);

/** Requests Markdown for the pages of the sample, and the Markdown versions that they link to, all at once. */
export const collectMarkdown: Collector<'markdown'> = async (context) => {
  const sample = await context.evidence('sample');
  if ('failed' in sample) return sample;
  const [first, ...rest] = sample.ok.pages;
  const others = rest.slice(0, SCAN_LIMITS.markdownPagesMax - 1);
  const [home, ...pages] = await Promise.all([
    negotiate(context, first),
    ...others.map((page) => negotiate(context, page)),
  ] as const);
  return found<MarkdownNegotiation>({ pages: [home, ...pages] });
};

async function negotiate(context: CollectContext, page: SamplePage): Promise<NegotiatedPage> {
  const [{ markdown, html }, alternate] = await Promise.all([askTwice(context, page.url), askAlternate(context, page)]);
  return { position: page.position, markdown, html, alternate };
}

/** Requests Markdown, and then, unless HTML came, HTML: an intermediate cache must not answer one with the other. */
async function askTwice(context: CollectContext, url: URL): Promise<Pick<NegotiatedPage, 'markdown' | 'html'>> {
  const markdown = await toReply(await context.visit.fetch(url, { accept: ACCEPT_MARKDOWN }));
  if (markdown.kind !== 'answered' || markdown.status !== 200 || markdown.isHtml) return { markdown, html: null };
  return { markdown, html: await toReply(await context.visit.fetch(url, { accept: 'text/html', isRepeat: true })) };
}

async function askAlternate(context: CollectContext, { position, facts }: SamplePage): Promise<NegotiatedReply | null> {
  const home = position === 1 ? valueOf(await context.evidence('home')) : null;
  const link = [...(home?.linkHeaders ?? []), ...facts.headLinks].find(
    ({ rel, type, url }) => url !== null && type === 'text/markdown' && rel.includes('alternate'),
  );
  if (link?.url) return toReply(await context.visit.fetch(link.url));
  if (!facts.areLinksCut) return null;
  return { kind: 'unknown', detail: safeText`A page is larger, or has more links, than this scanner reads.` };
}

async function toReply(fetched: Fetched): Promise<NegotiatedReply> {
  if ('failure' in fetched) {
    return { kind: 'unknown', detail: safeText`A page cannot be fetched: ${describeFailure(fetched.failure)}.` };
  }
  const { response } = fetched;
  const vendor = detectChallenge(response);
  if (vendor !== null)
    return {
      kind: 'unknown',
      detail: safeText`A page answers with a bot challenge from ${vendor}: let the User-Agent AgentReadinessScan pass there.`,
    };
  const { status } = response;
  if (status >= 500 || UNSURE_STATUSES.has(status)) {
    return { kind: 'unknown', detail: safeText`A page answers with status ${status}.` };
  }
  const facts = await toFileFacts(response);
  return {
    kind: 'answered',
    status,
    mediaType: facts.mediaType,
    isHtml: facts.isHtml || isHtmlInside(facts.text, facts.mediaType),
    characterCount: facts.text.trim().length,
    variesByAccept: variesByAccept(response),
  };
}

/** Whether a page served as HTML begins with an element, or has text before a document (such as a PHP warning). */
function isHtmlInside(text: string, mediaType: string | null): boolean {
  if (!isHtmlType(mediaType)) return false;
  return text.trimStart().startsWith('<') || text.slice(-PAGE_END_CHARS).toLowerCase().includes('</html>');
}

function variesByAccept({ headers }: SiteResponse): boolean {
  const fields = (headers.get('vary') ?? '').toLowerCase().split(',');
  return fields.some((field) => field.trim() === 'accept' || field.trim() === '*');
}
