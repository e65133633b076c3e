import { cMd01Failures } from './failures.js';
import { cMd01Notes } from './notes.js';
import { defineCheck } from '../../verdict/check.js';
import { isMarkdown, type NegotiatedPage, type NegotiatedReply } from '../../artifacts/markdown.js';
import { fail, pass, undetermined } from '../../verdict/verdict.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { listPages } from '../../artifacts/page-name.js';
import { count, sentences, term, safeText } from '../../artifacts/safe-text.js';

/** Types that servers give Markdown that they do not recognise: text, their default, or the page's own type. */
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
  revision: 2,
  pillar: 'D',
  scored: true,
  title: 'Pages answer in Markdown when asked',
  shortName: 'Markdown',
  answer: 'Pages answer in Markdown when they are asked for it.',
  explanation:
    'Markdown costs an agent a fraction of the tokens of a page with menus and scripts. It is a convenience, for agents read HTML, too. The simplest offer is a Markdown version next to the page, which the page links to with rel="alternate"; the other is to answer requests that ask for it with the header "Accept: text/markdown". We look for the link, ask for the home page and two more pages in Markdown, and then for HTML again, to see that the two are kept apart. A Markdown version that belongs to its page under the same name passes, too.',
  judgedBy: ['llms-txt', 'http'],
  failures: cMd01Failures,
  examples: () => import('./examples.js'),
  notes: cMd01Notes,
  needs: ['markdown'],
  judge({ markdown: { pages } }) {
    const mixedUp = pages.filter(({ html }) => html !== null && isMarkdown(html));
    if (mixedUp.length > 0) {
      return fail(
        'NO_NEGOTIATION',
        safeText`After a request for Markdown, a request for text/html gets Markdown, too (${listOf(mixedUp)}): the server or a cache does not keep the two apart. Send "Vary: Accept".`,
      );
    }
    const negotiated = pages.filter(({ markdown, html }) => isMarkdown(markdown) && html !== null && isHtmlPage(html));
    if (isOneStub(negotiated)) return fail('NO_NEGOTIATION', describeStub(negotiated));
    if (negotiated.length > 0) {
      return pass(sentences(answers(negotiated, pages), thinNote(negotiated), varyNote(negotiated)));
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
      return undetermined(
        sentences(safeText`It could not be seen if pages answer in Markdown when asked.`, unknown[0].detail),
      );
    }
    return fail('NO_NEGOTIATION', describeRefusal(pages));
  },
});

/** Where scripts make the page, Markdown is all that an agent can read of it: it must then say something. */
const SHELL_WORDS_MIN = 50;

/**
 * Whether every page answers with the same text, and that says less than half of what each page serves: "open this in a browser".
 * Of application shells, which serve nothing to compare with, the same text for two pages cannot be about both.
 */
function isOneStub(negotiated: readonly NegotiatedPage[]): boolean {
  const replies = negotiated.flatMap(({ markdown, served }) => (isMarkdown(markdown) ? { markdown, served } : []));
  const isSame = new Set(replies.map(({ markdown }) => markdown.fingerprint)).size === 1;
  return (
    replies.length > 0 &&
    replies.every(({ markdown, served }) =>
      served.isShell
        ? markdown.wordCount < SHELL_WORDS_MIN || (isSame && replies.length > 1)
        : isSame && replies.length > 1 && isThin(markdown, served),
    )
  );
}

function isThin(markdown: { readonly wordCount: number }, served: NegotiatedPage['served']): boolean {
  return markdown.wordCount * 2 < served.wordCount;
}

function describeStub(pages: readonly NegotiatedPage[]): SafeText {
  return pages.length === 1
    ? safeText`Scripts make this page, and its Markdown version has fewer than ${SHELL_WORDS_MIN} words: it does not stand in for the page.`
    : safeText`The pages answer with Markdown, but with the same short text or next to nothing (${listOf(pages)}): it does not stand in for them.`;
}

/** Fewer words than these prove nothing about what was left out. */
const COMPARED_WORDS_MIN = 50;

function thinNote(pages: readonly NegotiatedPage[]): SafeText | null {
  const thin = pages.filter(
    ({ markdown, served }) =>
      isMarkdown(markdown) && served.wordCount >= COMPARED_WORDS_MIN && isThin(markdown, served),
  );
  return thin.length > 0
    ? safeText`The Markdown version has less than half of the words that the page itself serves: ${listOf(thin)}.`
    : null;
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
      ? safeText`The home page was asked for Markdown. It did not answer with it.`
      : safeText`${pages.length} pages were asked for Markdown. None answered with it.`,
    broken.length > 0
      ? null
      : pages.length === 1
        ? safeText`It does not link to a Markdown version either.`
        : safeText`None links to a Markdown version either.`,
    refused.length > 0
      ? safeText`${count(refused.length, 'page answers', 'pages answer')} with status 406 instead of HTML.`
      : null,
    broken.length > 0
      ? safeText`The Markdown version that ${listOf(broken)} links to is missing or is not sent as Markdown.`
      : null,
  );
}

function answers(negotiated: readonly NegotiatedPage[], pages: readonly NegotiatedPage[]): SafeText {
  return pages.length === 1
    ? safeText`The home page answers in Markdown when asked.`
    : safeText`${negotiated.length} of ${pages.length} pages ${negotiated.length === 1 ? term('answers') : term('answer')} in Markdown when asked.`;
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
