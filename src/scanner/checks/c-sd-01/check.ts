import { cSd01Failures } from './failures.js';
import { defineCheck } from '../../verdict/check.js';
import type { StructuredData } from '../../artifacts/structured-data.js';
import { fail, pass, undetermined } from '../../verdict/verdict.js';
import { namePage, tellPage } from '../../artifacts/page-name.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { count, listSafeText, sentences, safeText } from '../../artifacts/safe-text.js';
import { UNREAD_FORMS, describeBlock, isSchemaNode } from '../structured-data/positions.js';

/**
 * JSON-LD 1.1 §14 (JSON-LD in HTML) and RFC 8259. A broken block counts as FORMAT even if no node is left, since the markup
 * exists: NO_JSONLD would send the owner looking for the wrong problem.
 */
export const cSd01 = defineCheck({
  id: 'C-SD-01',
  revision: 2,
  pillar: 'C',
  scored: true,
  title: 'JSON-LD is in the served HTML and parses',
  shortName: 'JSON-LD',
  answer: 'JSON-LD is in the HTML as it is served, and it parses.',
  explanation:
    'JSON-LD with schema.org terms tells an agent what a page is about: who runs the site, what is sold, when an event takes place. Most agents run no JavaScript, so it must be in the HTML that the server sends, and one misplaced comma makes a whole block unreadable. We read the home page and up to three other pages of the site, or up to five that its owner chose.',
  judgedBy: ['json-ld'],
  failures: cSd01Failures,
  examples: () => import('./examples.js'),
  needs: ['structuredData'],
  judge: ({ structuredData }) => {
    const broken = describeBroken(structuredData);
    if (broken.length > 0) {
      const blocks = count(broken.length, 'JSON-LD block is', 'JSON-LD blocks are');
      return fail('FORMAT', sentences(safeText`${blocks} not valid JSON: ${listSafeText(broken)}.`));
    }
    const nodes = structuredData.pages.map((page) => page.nodes.filter(isSchemaNode).length);
    const pagesWith = nodes.filter((nodeCount) => nodeCount > 0).length;
    const unread = describeUnread(structuredData);
    if (pagesWith > 0) {
      const nodeCount = nodes.reduce((total, some) => total + some, 0);
      const found = count(nodeCount, 'schema.org item', 'schema.org items');
      return pass(
        sentences(
          safeText`${found} in JSON-LD, on ${pagesWith} of ${count(nodes.length, 'page', 'pages')} read.`,
          describeEmpty(structuredData),
          unread,
        ),
      );
    }
    if (unread) return undetermined(unread);
    const partlyRead = describePartlyRead(structuredData);
    if (partlyRead) return undetermined(partlyRead);
    return fail('NO_JSONLD', sentences(describeNothing(structuredData), ...noteOtherMarkup(structuredData)));
  },
});

function describeBroken({ pages }: StructuredData): SafeText[] {
  return pages.flatMap((page) =>
    page.blocks.flatMap((block) =>
      block.kind === 'broken'
        ? [
            safeText`${describeBlock(page, block.position, block.offset)}, line ${block.line} of the block (byte ${block.byte})`,
          ]
        : [],
    ),
  );
}

function describeEmpty({ pages }: StructuredData): SafeText | null {
  const empty = pages.flatMap((page) =>
    page.blocks.filter(({ kind }) => kind === 'empty').map(({ position }) => describeBlock(page, position)),
  );
  return empty.length === 0 ? null : safeText`Empty, to be filled or removed: ${listSafeText(empty)}.`;
}

function describeUnread({ pages }: StructuredData): SafeText | null {
  const unread = pages.flatMap((page) => [
    ...page.blocks.filter(({ kind }) => kind === 'unread').map(({ position }) => describeBlock(page, position)),
    ...(page.page.facts.isCut ? [safeText`${namePage(page.page)} past its first part`] : []),
  ]);
  if (unread.length === 0) return null;
  return safeText`Too large to be read (pages past 2 MiB or 1,000 blocks; blocks of more than 1 MiB on a page, 100 levels, 5,000 keys of one object or 50,000 items on all pages): ${listSafeText(unread)}.`;
}

function describePartlyRead({ pages }: StructuredData): SafeText | null {
  const partlyRead = pages.flatMap((page) =>
    page.blocks
      .filter((block) => block.kind === 'read' && block.isPartlyUnread)
      .map(({ position }) => describeBlock(page, position)),
  );
  if (partlyRead.length === 0) return null;
  return safeText`No schema.org item in what could be read, but this scanner does not read all forms of JSON-LD (${UNREAD_FORMS}): ${listSafeText(partlyRead)}.`;
}

function describeNothing({ pages }: StructuredData): SafeText {
  const blocks = pages.reduce((total, page) => total + page.blocks.length, 0);
  if (blocks === 0) {
    return pages.length === 1
      ? safeText`The home page has no JSON-LD in its served HTML.`
      : safeText`None of the ${pages.length} pages that were read has JSON-LD in its served HTML.`;
  }
  const seen = count(blocks, 'JSON-LD block', 'JSON-LD blocks');
  return safeText`${seen} on ${count(pages.length, 'page', 'pages')}, but none uses schema.org terms. Check that "@context" is "https://schema.org".`;
}

function noteOtherMarkup({ pages }: StructuredData): (SafeText | null)[] {
  const microdata = pages.filter(({ page }) => page.facts.hasMicrodata).map(({ page }) => tellPage(page));
  const rdfa = pages.filter(({ page }) => page.facts.hasRdfa).map(({ page }) => tellPage(page));
  return [
    microdata.length > 0
      ? safeText`Microdata is on ${listSafeText(microdata)}, but this check asks for JSON-LD.`
      : null,
    rdfa.length > 0 ? safeText`RDFa is on ${listSafeText(rdfa)}, but this check asks for JSON-LD.` : null,
  ];
}
