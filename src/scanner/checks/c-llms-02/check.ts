import { cLlms02Failures } from './failures.js';
import { cLlms02Notes } from './notes.js';
import { defineCheck } from '../../verdict/check.js';
import type { LlmsDocument, LlmsHeading } from '../../artifacts/llms.js';
import type { Verdict } from '../../verdict/verdict.js';
import { fail, pass } from '../../verdict/verdict.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { count, lineOf, listLines, sentences, safeText } from '../../artifacts/safe-text.js';

const TEXT_FAULTS = {
  'not-utf8': safeText`The file is not valid UTF-8.`,
  binary: safeText`The file contains NUL bytes: it is binary, not text.`,
  empty: safeText`The file is empty.`,
} as const satisfies Record<string, SafeText>;
const NO_H1 = safeText`The file has no H1 with text (a line such as "# Name").`;
const NO_H1_AT_START = safeText`The file is very long, and the part that an agent would read has no H1 with text (a line such as "# Name").`;

/**
 * Does llms.txt have its one required part, the H1, before its sections, and links that can be followed? Never a failure: a BOM,
 * front matter, a note before the H1, no blockquote, no H2, no link, prose in a section, several H1s, H3s, relative links. A
 * heading without text (a lone `#`) counts as decoration. Source: llmstxt.org, "Format": "an H1 with the name of the project or
 * site. This is the only required section".
 */
export const cLlms02 = defineCheck({
  id: 'C-LLMS-02',
  revision: 2,
  pillar: 'A',
  scored: true,
  title: 'llms.txt follows the format',
  shortName: 'Format',
  answer: 'llms.txt is Markdown that begins with a title.',
  explanation:
    'llms.txt is Markdown for people and programs alike. Its format requires one thing only: a first-level heading ("# Name") with the name of the site, before any other heading. Links are optional, but each must be a Markdown link with a valid address, since these are what agents follow. We read the file with a standard Markdown parser (CommonMark).',
  judgedBy: ['llms-txt'],
  failures: cLlms02Failures,
  examples: () => import('./examples.js'),
  notes: cLlms02Notes,
  needs: ['llmsDocument'],
  judge({ llmsDocument }) {
    const { textFault, h1, isWhollyParsed } = llmsDocument;
    if (textFault !== null) return fail('FORMAT', TEXT_FAULTS[textFault]);
    if (h1 === null) return fail('FORMAT', isWhollyParsed ? NO_H1 : NO_H1_AT_START);
    return judgeStructure(llmsDocument, h1);
  },
});

function judgeStructure(document: LlmsDocument, h1: LlmsHeading): Verdict<'STRUCTURE'> {
  const faults = [describeHeadingOrder(document, h1), describeBrokenLinks(document), describeBareUrls(document)].filter(
    (fault) => fault !== null,
  );
  if (faults.length > 0) return fail('STRUCTURE', sentences(...faults));
  return pass(safeText`The H1 is on line ${h1.line}; the file has ${countLinks(document.links.length)}.`);
}

function countLinks(links: number): SafeText {
  return links === 0 ? safeText`no links` : count(links, 'link', 'links');
}

function describeHeadingOrder({ firstHeading }: LlmsDocument, h1: LlmsHeading): SafeText | null {
  if (firstHeading === null || firstHeading.level === 1) return null;
  return safeText`An H${firstHeading.level} on ${lineOf('llms.txt', firstHeading.line)} comes before the H1 on ${lineOf('llms.txt', h1.line)}.`;
}

function describeBrokenLinks({ links }: LlmsDocument): SafeText | null {
  const broken = links.filter(({ url }) => url === null);
  if (broken.length === 0) return null;
  const lines = listLines(
    'llms.txt',
    broken.map(({ line }) => line),
  );
  return safeText`${count(broken.length, 'link has', 'links have')} an empty or invalid address: ${lines}.`;
}

function describeBareUrls({ links, bareUrlItemLines, isWhollyParsed }: LlmsDocument): SafeText | null {
  if (bareUrlItemLines.length === 0 || links.length > 0 || !isWhollyParsed) return null;
  const lines = listLines('llms.txt', bareUrlItemLines);
  return safeText`The list items are bare URLs (${lines}), and the file has no Markdown link.`;
}
