import { isMarkdown, PAGE_ACCEPT, type NegotiatedPage, type NegotiatedReply } from '../artifacts/markdown.js';
import { listPages } from '../artifacts/page-name.js';
import { count, safeText, sentences, term, type SafeText } from '../artifacts/safe-text.js';
import { defineCheck } from '../verdict/check.js';
import { defineNote } from '../verdict/note-rule.js';
import { fail, pass, undetermined } from '../verdict/verdict.js';
import { fenced, labelMarkdown, negotiateMarkdown } from './fixes.js';

/** Types that servers send for Markdown that they do not recognise. */
const TEXT_TYPES: readonly (string | null)[] = [
  null,
  'text/plain',
  'text/html',
  'text/x-markdown',
  'application/markdown',
  'application/octet-stream',
];

/**
 * Do pages answer in Markdown when an agent asks for it, and in HTML when a browser does?
 * Sources: RFC 9110 §12.5.1 (Accept) and §12.5.5 (Vary); RFC 7763 (text/markdown).
 */
export const cMd01 = defineCheck({
  id: 'C-MD-01',
  revision: 3,
  pillar: 'D',
  scored: true,
  title: 'Markdown versions of pages',
  shortName: 'Markdown',
  answer: 'The site offers its pages as Markdown.',
  explanation:
    'Markdown costs an agent a fraction of the tokens of a page with menus and scripts. It is a convenience, because agents also read HTML. The simplest offer is a Markdown version next to the page, which the page links to with rel="alternate"; the other is to answer requests that ask for it with the header "Accept: text/markdown". We look for the link, ask for the home page and two more pages in Markdown, and then for HTML again, to see that the two are kept apart. A Markdown version that belongs to its page under the same name also passes.',
  judgedBy: ['llms-txt', 'http'],
  failures: {
    WRONG_MIME: {
      severity: 'BROKEN',
      headline: 'Markdown is sent under a wrong media type',
      fix: `Send the Markdown versions of your pages with "Content-Type: text/markdown; charset=utf-8", and send HTML only as text/html.

Check what your server sends for a page that the finding names, such as the home page:

${fenced(`curl -sI -H "Accept: text/markdown" https://www.example.com/`)}

${labelMarkdown()}`,
    },
    NO_NEGOTIATION: {
      severity: 'MISSING',
      headline: 'Pages are not offered as Markdown',
      fix: `Publish a Markdown version of each page and link to it in the page's <head>. Or answer requests for text/markdown with Markdown and others with HTML, both with "Vary: Accept".

The link on the home page, if its Markdown is at /index.md:

${fenced(`<link rel="alternate" type="text/markdown" href="/index.md">`)}

The Markdown must say what its page says. It is a convenience, because agents can read HTML. To choose by header instead, put .md files next to the .html files, and try it:

${fenced(`curl -i -H "Accept: text/markdown" https://www.example.com/`)}

${negotiateMarkdown()}`,
    },
  },
  notes: [
    defineNote({
      id: 'markdown-by-accept',
      standard: 'llms-txt',
      uses: ['markdown'],
      observe: ({ markdown }) => {
        const pages = markdown?.pages ?? [];
        if (!pages.some((page) => isMarkdown(page.markdown)) || pages.some(({ alternate }) => alternate !== null))
          return null;
        return safeText`The pages answer in Markdown only to requests with "Accept: text/markdown", and link to no Markdown address. Many agents send no such header and get HTML: offer Markdown at an address of its own, such as /index.md, and link to it with rel="alternate" and type="text/markdown".`;
      },
    }),
  ],
  needs: ['markdown'],
  judge({ markdown: { pages } }) {
    const mixedUp = pages.filter(({ html }) => html !== null && isMarkdown(html));
    if (mixedUp.length > 0) {
      return fail(
        'NO_NEGOTIATION',
        safeText`After a request for Markdown, a request for text/html also gets Markdown (${listOf(mixedUp)}): the server or a cache does not keep the two apart. Send "Vary: Accept".`,
      );
    }
    const negotiated = pages.filter(({ markdown, html }) => isMarkdown(markdown) && html !== null && isHtmlPage(html));
    if (isOneStub(negotiated)) return fail('NO_NEGOTIATION', describeStub(negotiated));
    if (negotiated.length > 0) {
      return pass(
        safeText`${negotiated.length} of ${count(pages.length, 'page', 'pages')} can be read as Markdown.`,
        varyNote(negotiated),
      );
    }
    const linked = pages.filter(({ alternate }) => isMarkdown(alternate));
    if (linked.length > 0) {
      return pass(
        safeText`No page answers in Markdown itself, but there is a Markdown version that ${listOf(linked)} links to.`,
      );
    }
    const twins = pages.filter(({ twin }) => isMarkdown(twin));
    if (twins.length > 0) {
      return pass(
        safeText`A Markdown version of ${listOf(twins)} was found only by guessing its address: announce it with rel="alternate" and type="text/markdown".`,
      );
    }
    const mislabelled = pages.filter(({ markdown, alternate }) => isMislabelled(markdown) || isMislabelled(alternate));
    if (mislabelled.length > 0) return fail('WRONG_MIME', describeMislabelled(mislabelled));
    const unknown = pages.flatMap(({ markdown, html, alternate }) =>
      [markdown, html, alternate].filter((reply) => reply?.kind === 'unknown'),
    );
    if (unknown[0]?.kind === 'unknown') {
      return undetermined(safeText`We could not tell whether pages answer in Markdown when asked.`, unknown[0].detail);
    }
    return fail('NO_NEGOTIATION', describeRefusal(pages));
  },
});

/** If scripts create the page, an agent can read only the Markdown, which must then have this many words. */
const SHELL_WORDS_MIN = 50;

/**
 * True if every page answers with the same short text, such as "open this in a browser": less than half as many words as the page.
 * Application shells have no words to compare with, but one text cannot describe two of them.
 */
function isOneStub(negotiated: readonly NegotiatedPage[]): boolean {
  const replies = negotiated.flatMap(({ markdown, served }) => (isMarkdown(markdown) ? { markdown, served } : []));
  const isSame = new Set(replies.map(({ markdown }) => markdown.fingerprint)).size === 1;
  return (
    replies.length > 0 &&
    replies.every(({ markdown, served }) =>
      served.isShell
        ? markdown.wordCount < SHELL_WORDS_MIN || (isSame && replies.length > 1)
        : isSame && replies.length > 1 && markdown.wordCount * 2 < served.wordCount,
    )
  );
}

function describeStub(pages: readonly NegotiatedPage[]): SafeText {
  return pages.length === 1
    ? safeText`Scripts make this page, and its Markdown version has fewer than ${SHELL_WORDS_MIN} words: it does not replace the page.`
    : safeText`The pages answer with Markdown, but with the same short text or next to nothing (${listOf(pages)}): it does not replace them.`;
}

function isHtmlPage(reply: NegotiatedReply): boolean {
  return reply.kind === 'answered' && reply.status === 200 && reply.mediaType !== 'text/markdown';
}

/** HTML labelled as Markdown, or non-HTML without a Markdown type. */
function isMislabelled(reply: NegotiatedReply | null): boolean {
  if (reply?.kind !== 'answered' || reply.status !== 200) return false;
  if (reply.isHtml) return reply.mediaType === 'text/markdown';
  return TEXT_TYPES.includes(reply.mediaType) && isMarkdown({ ...reply, mediaType: 'text/markdown' });
}

function describeMislabelled(pages: readonly NegotiatedPage[]): SafeText {
  const replies = pages.flatMap(({ markdown, alternate }) => [markdown, alternate].filter(isMislabelled));
  return replies.some((reply) => reply?.kind === 'answered' && reply.isHtml)
    ? safeText`The Markdown version of ${listOf(pages)} is HTML, although its Content-Type says text/markdown.`
    : safeText`The Markdown version of ${listOf(pages)} does not have the Content-Type text/markdown.`;
}

function describeRefusal(pages: readonly NegotiatedPage[]): SafeText {
  const refused = pages.filter(({ markdown }) => markdown.kind === 'answered' && markdown.status === 406);
  const broken = pages.filter(({ alternate }) => alternate !== null);
  return sentences(
    pages.length === 1
      ? safeText`The home page does not answer in Markdown when asked (Accept: ${term(PAGE_ACCEPT)}).`
      : safeText`None of the ${pages.length} pages answers in Markdown when asked (Accept: ${term(PAGE_ACCEPT)}).`,
    broken.length > 0
      ? safeText`The Markdown version that ${listOf(broken)} links to is missing or is not sent as Markdown.`
      : safeText`No page links to a Markdown version either.`,
    refused.length > 0
      ? safeText`${count(refused.length, 'page answers', 'pages answer')} with status 406 instead of HTML.`
      : null,
  );
}

function varyNote(pages: readonly NegotiatedPage[]): SafeText | null {
  const without = pages.filter(({ markdown }) => markdown.kind === 'answered' && !markdown.variesByAccept);
  return without.length > 0
    ? safeText`"Vary: Accept" is missing (${listOf(without)}), so a cache may mix up HTML and Markdown.`
    : null;
}

function listOf(pages: readonly NegotiatedPage[]): SafeText {
  return listPages(pages.map(({ position }) => position));
}
