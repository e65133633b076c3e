import { isMarkdown, PAGE_ACCEPT, type NegotiatedPage, type NegotiatedReply } from '../artifacts/markdown.js';
import { listPages } from '../artifacts/pages.js';
import { count, safeText, sentences, term, type SafeText } from '../artifacts/safe-text.js';
import { defineCheck } from '../verdict/check.js';
import { defineNote } from '../verdict/note-rule.js';
import { fail, pass, undetermined } from '../verdict/verdict.js';
import { fenced, setMarkdownType, negotiateMarkdown } from './fixes.js';

/** Types that servers send for Markdown if they do not recognise it. */
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
  title: 'Markdown versions of pages',
  shortName: 'Markdown',
  answer: 'The site offers its pages as Markdown.',
  explanation:
    'Markdown costs an agent far fewer tokens than a page with menus and scripts. It is a convenience, because agents also read HTML. The simplest way is a Markdown version of each page that the page links to with rel="alternate". The other way is to return Markdown to requests with the header "Accept: text/markdown". We look for the link, request the home page and two more pages as Markdown, and then request HTML again to check that the server does not mix up the two. A Markdown version with the same name as its page also passes, even without a link.',
  judgedBy: ['llms-txt', 'http'],
  failures: {
    WRONG_MIME: {
      severity: 'BROKEN',
      headline: 'Markdown is sent with the wrong media type',
      fix: `Send the Markdown versions of your pages with "Content-Type: text/markdown; charset=utf-8", and send HTML only as text/html.

Check what your server sends for a page named in the finding, such as the home page:

${fenced(`curl -sI -H "Accept: text/markdown" https://www.example.com/`)}

${setMarkdownType()}`,
    },
    NO_NEGOTIATION: {
      severity: 'MISSING',
      headline: 'Pages are not offered as Markdown',
      fix: `Publish a Markdown version of each page and link to it in the page's <head>. Or answer requests for text/markdown with Markdown and others with HTML, both with "Vary: Accept".

The link on the home page, if its Markdown is at /index.md:

${fenced(`<link rel="alternate" type="text/markdown" href="/index.md">`)}

The Markdown must have the same content as the page. It is a convenience, because agents can read HTML. To choose by the Accept header instead, put .md files next to the .html files. Then test it:

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
        return safeText`The pages return Markdown only to requests with "Accept: text/markdown", which many agents do not send. Publish the Markdown at a separate address, such as /index.md, and link to it with rel="alternate" and type="text/markdown".`;
      },
    }),
  ],
  needs: ['markdown'],
  judge({ markdown: { pages } }) {
    const mixedUp = pages.filter(({ html }) => html !== null && isMarkdown(html));
    if (mixedUp.length > 0) {
      return fail(
        'NO_NEGOTIATION',
        safeText`After a request for Markdown, a request for HTML also gets Markdown (${listOf(mixedUp)}). The server or a cache mixes up the two. Send "Vary: Accept".`,
      );
    }
    const negotiated = pages.filter(({ markdown, html }) => isMarkdown(markdown) && html !== null && isHtmlPage(html));
    if (isOneStub(negotiated)) return fail('NO_NEGOTIATION', describeStub(negotiated));
    if (negotiated.length > 0) {
      return pass(
        safeText`${negotiated.length} of ${count(pages.length, 'page', 'pages')} can be read as Markdown.`,
        noteMissingVary(negotiated),
      );
    }
    const linked = pages.filter(({ alternate }) => isMarkdown(alternate));
    if (linked.length > 0) {
      return pass(
        safeText`Markdown versions are linked from ${listOf(linked)}. The pages themselves are not served as Markdown.`,
      );
    }
    const twins = pages.filter(({ twin }) => isMarkdown(twin));
    if (twins.length > 0) {
      return pass(
        safeText`We found a Markdown version of ${listOf(twins)} only by guessing its address. Link to it with rel="alternate" and type="text/markdown".`,
      );
    }
    const mislabelled = pages.filter(({ markdown, alternate }) => isMislabelled(markdown) || isMislabelled(alternate));
    if (mislabelled.length > 0) return fail('WRONG_MIME', describeMislabelled(mislabelled));
    const unknown = pages.flatMap(({ markdown, html, alternate }) =>
      [markdown, html, alternate].filter((reply) => reply?.kind === 'unknown'),
    );
    if (unknown[0]?.kind === 'unknown') {
      return undetermined(
        safeText`We could not tell whether the site serves its pages as Markdown.`,
        unknown[0].detail,
      );
    }
    return fail('NO_NEGOTIATION', describeRefusal(pages));
  },
});

/** Words that the Markdown must have if scripts create the page, since agents can then read nothing else. */
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
    ? safeText`Scripts create this page, and its Markdown version has fewer than ${SHELL_WORDS_MIN} words, so it cannot replace the page.`
    : safeText`The Markdown versions of ${listOf(pages)} are almost empty or the same short text, so they cannot replace the pages.`;
}

function isHtmlPage(reply: NegotiatedReply): boolean {
  return reply.kind === 'answered' && reply.status === 200 && reply.mediaType !== 'text/markdown';
}

/** True for HTML labelled as Markdown, or Markdown that is not labelled. */
function isMislabelled(reply: NegotiatedReply | null): boolean {
  if (reply?.kind !== 'answered' || reply.status !== 200) return false;
  if (reply.isHtml) return reply.mediaType === 'text/markdown';
  return TEXT_TYPES.includes(reply.mediaType) && isMarkdown({ ...reply, mediaType: 'text/markdown' });
}

function describeMislabelled(pages: readonly NegotiatedPage[]): SafeText {
  const replies = pages.flatMap(({ markdown, alternate }) => [markdown, alternate].filter(isMislabelled));
  return replies.some((reply) => reply?.kind === 'answered' && reply.isHtml)
    ? safeText`The Markdown version of ${listOf(pages)} is HTML, although its Content-Type says text/markdown.`
    : safeText`The Markdown version of ${listOf(pages)} is not sent as text/markdown.`;
}

function describeRefusal(pages: readonly NegotiatedPage[]): SafeText {
  const refused = pages.filter(({ markdown }) => markdown.kind === 'answered' && markdown.status === 406);
  const broken = pages.filter(({ alternate }) => alternate !== null);
  return sentences(
    pages.length === 1
      ? safeText`The home page is not served as Markdown on request (Accept: ${term(PAGE_ACCEPT)}).`
      : safeText`None of the ${pages.length} pages is served as Markdown on request (Accept: ${term(PAGE_ACCEPT)}).`,
    broken.length > 0
      ? safeText`The Markdown version that ${listOf(broken)} links to is missing or is not sent as Markdown.`
      : safeText`No page links to a Markdown version.`,
    refused.length > 0
      ? safeText`${count(refused.length, 'page returns', 'pages return')} status 406 instead of HTML.`
      : null,
  );
}

function noteMissingVary(pages: readonly NegotiatedPage[]): SafeText | null {
  const without = pages.filter(({ markdown }) => markdown.kind === 'answered' && !markdown.variesByAccept);
  return without.length > 0
    ? safeText`"Vary: Accept" is missing (${listOf(without)}), so a cache may mix up HTML and Markdown.`
    : null;
}

function listOf(pages: readonly NegotiatedPage[]): SafeText {
  return listPages(pages.map(({ position }) => position));
}
