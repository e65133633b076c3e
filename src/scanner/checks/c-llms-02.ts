import type { LlmsDocument, LlmsHeading } from '../artifacts/llms.js';
import { count, lineOf, listLines, safeText, type SafeText } from '../artifacts/safe-text.js';
import { defineCheck } from '../verdict/check.js';
import { defineNote } from '../verdict/note-rule.js';
import { fail, pass, type Verdict } from '../verdict/verdict.js';
import { LLMS_TXT } from './fixes.js';

const TEXT_FAULTS = {
  'not-utf8': safeText`The file is not valid UTF-8.`,
  binary: safeText`The file contains NUL bytes: it is binary, not text.`,
  empty: safeText`The file is empty.`,
} as const satisfies Record<string, SafeText>;
const NO_H1 = safeText`The file has no H1 with text (a line such as "# Name").`;
const NO_H1_AT_START = safeText`The file is very long, and the part that an agent would read has no H1 with text (a line such as "# Name").`;

/**
 * Does llms.txt have its one required part, the H1, before its sections, and links that can be followed? These never fail: a BOM,
 * front matter, a note before the H1, no blockquote, no H2, no link, prose in a section, several H1s, H3s, relative links. Ignores a
 * heading without text (a lone `#`). Source: llmstxt.org, "Format": "an H1 with the name of the project or site. This is the only
 * required section".
 */
export const cLlms02 = defineCheck({
  id: 'C-LLMS-02',
  revision: 3,
  pillar: 'A',
  title: 'llms.txt format',
  shortName: 'Format',
  answer: 'llms.txt is Markdown and starts with a title.',
  explanation:
    'llms.txt is Markdown, for both people and programs. The format requires only one thing: a first-level heading ("# Name") with the name of the site, before any other heading. Links are optional, but agents can only follow Markdown links with a valid address. We read the file with a standard Markdown parser (CommonMark).',
  judgedBy: ['llms-txt'],
  unlocks: ['llmsLinks'],
  failures: {
    FORMAT: {
      severity: 'BROKEN',
      headline: 'llms.txt is not Markdown that starts with a title',
      fix: `Save llms.txt as plain text in UTF-8, and start it with the name of your site as a heading: a #, a space and the name.

${LLMS_TXT}

A heading needs a # before it, or a line of = below it. Bold text is not a heading.`,
    },
    STRUCTURE: {
      severity: 'POLISH',
      headline: 'llms.txt has misplaced headings or invalid links',
      fix: `Put the heading with one # before all others, and write each link as [name](address) with a valid address. The finding lists the lines.

${LLMS_TXT}

Sections start with ##. Agents choose links by their names, so give each bare address a name.`,
    },
  },
  notes: [
    defineNote({
      id: 'llms-template',
      standard: 'llms-txt',
      uses: ['llmsDocument'],
      observe: ({ llmsDocument }) =>
        llmsDocument?.hasTemplateText === true
          ? safeText`llms.txt still has placeholders of a template, such as "Link title" or "NAME OF YOUR SITE". Replace them with your own words.`
          : null,
    }),
  ],
  needs: ['llmsDocument'],
  judge({ llmsDocument }) {
    const { textFault, h1, isFullyParsed } = llmsDocument;
    if (textFault !== null) return fail('FORMAT', TEXT_FAULTS[textFault]);
    if (h1 === null) return fail('FORMAT', isFullyParsed ? NO_H1 : NO_H1_AT_START);
    return judgeStructure(llmsDocument, h1);
  },
});

function judgeStructure(document: LlmsDocument, h1: LlmsHeading): Verdict<'STRUCTURE'> {
  const faults = [describeHeadingOrder(document, h1), describeBrokenLinks(document), describeBareUrls(document)].filter(
    (fault) => fault !== null,
  );
  if (faults.length > 0) return fail('STRUCTURE', ...faults);
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
  const lines = listLines('llms.txt', broken);
  return safeText`${count(broken.length, 'link has', 'links have')} an empty or invalid address: ${lines}.`;
}

function describeBareUrls({ links, bareUrlItemLines, isFullyParsed }: LlmsDocument): SafeText | null {
  if (bareUrlItemLines.length === 0 || links.length > 0 || !isFullyParsed) return null;
  const lines = listLines('llms.txt', bareUrlItemLines);
  return safeText`The list items are bare URLs (${lines}), and the file has no Markdown link.`;
}
